import { Link } from '@tanstack/react-router';
import { Badge, StatusBadge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { rowLink } from '../../../components/table-cells.tsx';
import type { Column } from '../../../components/table-head.tsx';
import { Instant } from '../../../components/time.tsx';
import { formatCount } from '../../../lib/format-number.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { OperationButton, OperationDialog } from '../../../operation/operation-dialog.tsx';
import { ResourceList } from '../../../operation/resource-list.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { selections } from './replay-form.tsx';

type Replay = Outputs['replays']['get'];

const REFRESH_MS = 1_000;
const ROW = 108;

export function ReplayList({ endpointId }: { endpointId: string }): React.JSX.Element {
  const may = usePermission();
  return (
    <ResourceList
      list="replays.list"
      noun="replays"
      fixed={{ endpoint_id: endpointId }}
      refetchInterval={(rows) => rows.some(({ status }) => status === 'running') && REFRESH_MS}
      columns={may('replays.cancel') ? [...columns, actions] : columns}
      rowHeight={ROW}
      empty={{ title: 'No replays yet', text: 'A replay sends past events again, in the background.' }}
    />
  );
}

const columns: readonly Column<Replay>[] = [
  { title: 'Replay', grow: 2, cell: (replay) => <ReplayCell replay={replay} /> },
  { title: 'Status', nowrap: true, wide: true, cell: (replay) => <Outcome replay={replay} /> },
  { title: 'Progress', grow: 2, cell: (replay) => <ProgressCell replay={replay} /> },
];

const actions: Column<Replay> = { title: 'Actions', align: 'end', cell: (replay) => <ReplayActions replay={replay} /> };

function ReplayCell({ replay }: { replay: Replay }): React.JSX.Element {
  return (
    <div className="whitespace-normal">
      <Link
        to="/settings/webhooks/$endpointId"
        params={{ endpointId: replay.endpoint_id }}
        search={{ tab: 'deliveries', id: replay.id }}
        className={`${rowLink} hover:underline`}
      >
        {selections.find(([only]) => only === replay.only)?.[1]}
      </Link>
      <p className="text-xs text-muted [&_time]:whitespace-normal">
        From <Instant at={replay.since} />
        {replay.until !== null && (
          <>
            {' '}
            to <Instant at={replay.until} />
          </>
        )}
      </p>
    </div>
  );
}

export function progressOf(replay: Pick<Replay, 'matched' | 'delivered' | 'failed' | 'cancelled' | 'status'>): number {
  if (replay.status === 'completed') return 100;
  const ended = replay.delivered + replay.failed + replay.cancelled;
  return replay.matched === 0 ? 0 : Math.min(100, Math.floor((ended / replay.matched) * 100));
}

/** Undefined while it runs, and if all of its deliveries succeeded. */
export function failedText({ status, failed, matched }: Pick<Replay, 'status' | 'failed' | 'matched'>) {
  if (status !== 'completed' || failed === 0) return undefined;
  return `${formatCount(failed)} of ${formatCount(matched)} failed`;
}

function Outcome({ replay }: { replay: Replay }): React.JSX.Element {
  const failed = failedText(replay);
  return failed === undefined ? <StatusBadge status={replay.status} /> : <Badge tone="warn">{failed}</Badge>;
}

function progressText(replay: Replay): string {
  const counts = [
    [replay.open, 'pending'],
    [replay.failed, 'failed'],
    [replay.cancelled, 'cancelled'],
  ] as const;
  const rest = counts.filter(([count]) => count > 0).map(([count, word]) => `, ${formatCount(count)} ${word}`);
  return `${formatCount(replay.delivered)} of ${formatCount(replay.matched)} delivered${rest.join('')}`;
}

const waits: Readonly<Record<NonNullable<Replay['waiting_for']>, string>> = {
  endpoint_paused: 'On hold: the endpoint is paused.',
  endpoint_disabled: 'On hold: the endpoint is disabled.',
  endpoint_failing: 'Slowed down: the endpoint is failing.',
  fresh_events: 'On hold: new events are delivered first.',
};

function ProgressCell({ replay }: { replay: Replay }): React.JSX.Element {
  const percent = progressOf(replay);
  const { status, waiting_for: waitingFor } = replay;
  return (
    <div className="flex flex-col items-start gap-1 text-xs whitespace-normal">
      <span className="md:hidden">
        <Outcome replay={replay} />
      </span>
      <div
        role="progressbar"
        aria-label="Completed deliveries"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 w-full overflow-hidden rounded-full bg-sunken"
      >
        <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
      <p className="text-muted tabular-nums">{progressText(replay)}</p>
      {status === 'running' && waitingFor !== null && <p className="text-warn">{waits[waitingFor]}</p>}
      {replay.error !== null && <p className="line-clamp-2 text-bad">{replay.error.message}</p>}
    </div>
  );
}

function ReplayActions({ replay: { id, status } }: { replay: Replay }): React.JSX.Element | null {
  const pause = useOperation('replays.pause', { done: 'Replay paused.' });
  const resume = useOperation('replays.resume', { done: 'Replay resumed.' });
  if (status !== 'running' && status !== 'paused') return null;
  const [change, label] = status === 'running' ? [pause, 'Pause'] : [resume, 'Resume'];
  return (
    <span className="flex flex-col items-end gap-1 md:flex-row md:justify-end">
      <Button
        size="small"
        busy={change.isPending}
        aria-label={`${label} replay`}
        onClick={() => change.mutate({ replay_id: id })}
      >
        {label}
      </Button>
      <OperationButton
        size="small"
        variant="danger"
        operation="replays.cancel"
        label="Cancel"
        aria-label="Cancel replay"
      >
        {(close) => (
          <OperationDialog
            operation="replays.cancel"
            title="Cancel this replay?"
            submit="Cancel replay"
            danger
            done="Replay cancelled."
            fixed={{ replay_id: id }}
            onClose={close}
          >
            <p>Cancels all pending deliveries of this replay. A request in flight may still arrive.</p>
          </OperationDialog>
        )}
      </OperationButton>
    </span>
  );
}
