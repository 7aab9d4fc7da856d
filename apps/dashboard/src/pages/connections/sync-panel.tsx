import { useQuery } from '@tanstack/react-query';
import { StatusBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Instant } from '../../components/time.tsx';
import { formatDuration } from '../../lib/format-time.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { adviceFor, type Connection, describeStats, type SyncRun, whyNoSync } from './connection.view.ts';

const RUNS = 20;
const PROGRESS_MS = 700;

function isRunning(runs: readonly SyncRun[] | undefined): boolean {
  return runs?.some(({ status }) => status === 'running') ?? false;
}

export function SyncPanel({ connection }: { connection: Connection }): React.JSX.Element {
  const trpc = useTRPC();
  const may = usePermission();
  const sync = useOperation('bank.connections.sync');
  const query = useQuery(
    trpc.bank.syncs.list.queryOptions(
      { connection_id: connection.id, limit: RUNS },
      { refetchInterval: ({ state }) => isRunning(state.data?.data) && PROGRESS_MS },
    ),
  );
  const runs = query.data?.data;
  const running = isRunning(runs);
  const why = whyNoSync(connection);
  return (
    <Panel
      title="Syncs"
      flush
      actions={
        may('bank.connections.sync') &&
        why === undefined && (
          <Button
            size="small"
            variant="primary"
            busy={sync.isPending || running}
            onClick={() => sync.mutate({ connection_id: connection.id })}
          >
            {running ? 'Syncing' : 'Sync now'}
          </Button>
        )
      }
    >
      {why !== undefined && <p className="px-5 pb-3 text-sm text-muted">{why}</p>}
      <Progress
        run={runs?.find(({ status }) => status === 'running') ?? runs?.[0]}
        backfill={connection.backfill_status}
      />
      <Loaded query={query} label="Loading syncs" flush>
        {({ data, has_more }) => (
          <>
            <SimpleTable
              label="Syncs"
              rows={data}
              columns={columns}
              keyOf={({ id }) => id}
              empty={
                <EmptyState title="No syncs yet">
                  A sync imports balances and transactions. The first one covers the last 12 months.
                </EmptyState>
              }
            />
            {has_more && <p className="px-5 py-2 text-sm text-muted">Showing the latest {RUNS} syncs.</p>}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const outcomes = { succeeded: 'succeeded', partial: 'partly succeeded', failed: 'failed' } as const;

function Progress({ run, backfill }: { run: SyncRun | undefined; backfill: Connection['backfill_status'] }) {
  if (!run) return null;
  const running = run.status === 'running';
  return (
    <div className="flex flex-col gap-2 px-5 pb-4">
      <p role="status" className="text-sm">
        {run.status !== 'running'
          ? `Last sync ${outcomes[run.status]}: `
          : backfill === 'running'
            ? 'Importing the last 12 months: '
            : 'Importing new data: '}
        {describeStats(run)}.
      </p>
      {running && (
        <div
          role="progressbar"
          aria-label="Sync"
          aria-valuetext={describeStats(run)}
          className="h-2 overflow-hidden rounded-full bg-sunken"
        >
          <div className="h-full w-1/3 animate-pulse rounded-full bg-accent" />
        </div>
      )}
    </div>
  );
}

const columns: readonly Column<SyncRun>[] = [
  { title: 'Started', cell: ({ started_at }) => <Instant at={started_at} seconds /> },
  {
    title: 'Status',
    cell: ({ status, error }) => (
      <div className="flex flex-col items-start gap-1">
        <StatusBadge status={status} />
        {error && (
          <p className="max-w-prose text-xs text-muted wrap-anywhere">
            {adviceFor(error)} {error.message}
          </p>
        )}
      </div>
    ),
  },
  { title: 'Imported', wide: true, cell: (run) => describeStats(run) },
  {
    title: 'Duration',
    align: 'end',
    cell: ({ duration_ms }) => (duration_ms === null ? '–' : formatDuration(duration_ms)),
  },
];
