import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable, rowLink } from '../../components/data-table.tsx';
import { ExportLinks } from '../../components/links.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { HowToAdd } from '../../components/shell/how-to-add.tsx';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { usePermissionHere } from '../../components/shell/use-permission-here.ts';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { formatDay } from '../../lib/format-time.ts';
import { type KeysetRows, useKeysetRows } from '../../lib/keyset-rows.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { PostSnapshotDialog } from './post-snapshot-dialog.tsx';
import { SnapshotView } from './snapshot-view.tsx';
import {
  headlineOf,
  isStatementType,
  type Snapshot,
  type StatementType,
  statementAmount,
  statementTypes,
} from './statement.view.ts';

export function FinancialsPage(): React.JSX.Element {
  return (
    <Page title="Financials" intro="Statements from your books, each checked for consistency.">
      <NeedsCompany>
        <Financials />
      </NeedsCompany>
    </Page>
  );
}

function Financials(): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const { type, snapshot: id } = useSearch({ from: '/shell/financials' });
  const navigate = useNavigate({ from: '/financials' });
  // A link to one statement does not say its type.
  const linked = useQuery(
    trpc.financials.snapshots.get.queryOptions(
      { company_id: company.id, snapshot_id: id ?? '' },
      { enabled: id !== undefined },
    ),
  );
  const shown: StatementType = isStatementType(type) ? type : (linked.data?.statement_type ?? 'income');
  if (!isStatementType(type) && linked.isLoading) return <Loading label="Reading the statement" lines={6} />;
  const chosen = id === undefined ? undefined : { snapshot: linked.data, error: linked.error, retry: linked.refetch };
  return (
    <Tabs
      label="Type of statement"
      value={shown}
      onChange={(next) =>
        void navigate({
          search: (now) => ({ ...now, type: next, snapshot: undefined, compare: undefined }),
          replace: true,
        })
      }
      tabs={Object.entries(statementTypes).map(([key, title]) => ({
        id: key,
        title,
        content: key === shown && <Statements key={key} type={shown} chosen={chosen} />,
      }))}
    />
  );
}

interface Chosen {
  snapshot: Snapshot | undefined;
  error: unknown;
  retry: () => unknown;
}

/** Page size; statements carry all their lines, so pages are short. */
const PERIODS = 25;

function Statements({ type, chosen }: { type: StatementType; chosen: Chosen | undefined }): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const mayPost = usePermissionHere('financials.snapshots.upsert');
  const [posting, setPosting] = useState(false);
  const rows = useKeysetRows(
    (page) => trpc.financials.snapshots.list.queryOptions({ company_id: company.id, statement_type: type, ...page }),
    PERIODS,
  );
  const newest = rows.rowAt(0);
  const [held, setHeld] = useState(newest);
  // The first page leaves memory while the user scrolls further down.
  if (newest && newest !== held) setHeld(newest);
  const snapshot = chosen ? chosen.snapshot : held;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[25rem_minmax(0,1fr)]">
      <Panel
        title="Periods"
        flush
        actions={
          mayPost && (
            <Button size="small" variant="primary" onClick={() => setPosting(true)}>
              Post a snapshot
            </Button>
          )
        }
      >
        <PeriodTable rows={rows} type={type} shown={snapshot?.id} />
        <div className="flex flex-wrap gap-2 px-5 py-3">
          <ExportLinks
            path={`/companies/${company.id}/financials/snapshots`}
            filters={{ statement_type: type }}
            what={`the statements of type ${type}`}
          />
        </div>
      </Panel>
      {snapshot && <SnapshotView snapshot={snapshot} />}
      {!snapshot && chosen?.error != null && <ErrorState error={chosen.error} onRetry={() => void chosen.retry()} />}
      {!snapshot && chosen?.error == null && (chosen || rows.isLoading) && (
        <Loading label="Reading the statement" lines={8} />
      )}
      <PostSnapshotDialog open={posting} onClose={() => setPosting(false)} begin={type} />
    </div>
  );
}

function columnsOf(type: StatementType, shown: string | undefined): readonly Column<Snapshot>[] {
  return [
    {
      id: 'period',
      title: type === 'balance' ? 'As of' : 'Period end',
      whole: true,
      cell: ({ id, period_end }) => (
        <Link
          to="/financials"
          search={(now) => ({ ...now, type, snapshot: id, compare: undefined })}
          resetScroll={false}
          aria-current={id === shown ? 'true' : undefined}
          className={`${rowLink} aria-[current=true]:text-accent`}
        >
          {formatDay(period_end)}
        </Link>
      ),
    },
    {
      id: 'figure',
      title: { income: 'Net income', balance: 'Total assets', cashflow: 'Net change' }[type],
      grow: 1.3,
      align: 'end',
      cell: (row) => {
        const figure = headlineOf(row);
        return (
          <span className="tabular-nums">
            {figure ? `${statementAmount(figure.amount, row.currency)} ${row.currency}` : '–'}
          </span>
        );
      },
    },
    { id: 'revision', title: 'Rev.', grow: 0.5, wide: true, align: 'end', cell: ({ revision }) => revision },
  ];
}

function PeriodTable({
  rows,
  type,
  shown,
}: {
  rows: KeysetRows<Snapshot>;
  type: StatementType;
  shown: string | undefined;
}) {
  const company = useCompany();
  return (
    <DataTable
      label={`Periods: ${statementTypes[type]}`}
      rows={rows}
      columns={columnsOf(type, shown)}
      keyOf={({ id }) => id}
      height="max-h-60 xl:max-h-[70vh]"
      empty={
        <EmptyState title={`No ${statementTypes[type].toLowerCase()} yet`}>
          <HowToAdd>
            Post one to <code className="wrap-anywhere">/api/v1/companies/{company.id}/financials/snapshots</code>, or
            as JSON here.
          </HowToAdd>
        </EmptyState>
      }
    />
  );
}
