import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CopyId } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { LogLink } from '../../components/record-link.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { HowToAdd } from '../../components/shell/how-to-add.tsx';
import { Loaded, Loading } from '../../components/states.tsx';
import { rowLink } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Instant } from '../../components/time.tsx';
import { isFirstRead } from '../../lib/first-read.ts';
import { formatDay } from '../../lib/format-time.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { ResourceList } from '../../operation/resource-list.tsx';
import { ChecksPanel, EquationBadge } from './checks-panel.tsx';
import { PostSnapshotDialog } from './post-snapshot-dialog.tsx';
import { RevisionsPanel } from './revisions-panel.tsx';
import {
  headlineOf,
  isStatementType,
  type Snapshot,
  type StatementType,
  statementAmount,
  statementTypes,
} from './statement.view.ts';
import { periodText, Statement } from './statement-table.tsx';

/** The statement in the URL. A link to it does not have to contain its type. */
function useLinked() {
  const trpc = useTRPC();
  const { id: company_id } = useCompany();
  const { snapshot: id } = useSearch({ from: '/shell/company/financials' });
  const options = { enabled: id !== undefined };
  return useQuery(trpc.financials.snapshots.get.queryOptions({ company_id, snapshot_id: id ?? '' }, options));
}

export function FinancialsPage(): React.JSX.Element {
  const { type } = useSearch({ from: '/shell/company/financials' });
  const navigate = useNavigate({ from: '/financials' });
  const linked = useLinked();
  const shown: StatementType = isStatementType(type) ? type : (linked.data?.statement_type ?? 'income');
  return (
    <Page
      title="Financials"
      intro="Statements from your books, each checked for consistency."
      actions={
        <OperationButton variant="primary" operation="financials.snapshots.upsert" label="Post statement" needsCompany>
          {(close) => <PostSnapshotDialog onClose={close} begin={shown} />}
        </OperationButton>
      }
    >
      {!isStatementType(type) && isFirstRead(linked) ? (
        <Loading label="Loading the statement" lines={6} />
      ) : (
        <Tabs
          label="Statement type"
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
            content: key === shown && <Statements key={key} type={shown} />,
          }))}
        />
      )}
    </Page>
  );
}

const PERIODS = 25;

function Statements({ type }: { type: StatementType }): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const { snapshot: id } = useSearch({ from: '/shell/company/financials' });
  const linked = useLinked();
  const newest = useQuery(
    trpc.financials.snapshots.list.queryOptions(
      { company_id: company.id, statement_type: type, limit: 1 },
      { enabled: id === undefined, select: ({ data }): Snapshot | null => data[0] ?? null },
    ),
  );
  const query = id === undefined ? newest : linked;
  const path = `/companies/${company.id}/financials/snapshots`;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[25rem_minmax(0,1fr)]">
      <ResourceList
        list="financials.snapshots.list"
        title="Periods"
        noun="statements"
        fixed={{ company_id: company.id }}
        toQuery={() => ({ statement_type: type })}
        exports
        pageSize={PERIODS}
        height="max-h-60 xl:max-h-[70vh]"
        columns={columnsOf(type, query.data?.id)}
        empty={{
          title: `No ${statementTypes[type].toLowerCase()} yet`,
          text: (
            <HowToAdd>
              Post one to <code className="wrap-anywhere">/api/v1{path}</code>, or paste one as JSON here.
            </HowToAdd>
          ),
        }}
      />
      <Loaded query={query} label="Loading the statement" lines={8}>
        {(snapshot: Snapshot | null) => snapshot && <SnapshotView snapshot={snapshot} />}
      </Loaded>
    </div>
  );
}

function columnsOf(type: StatementType, shown: string | undefined): readonly Column<Snapshot>[] {
  return [
    {
      title: type === 'balance' ? 'As of' : 'Period end',
      nowrap: true,
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
      title: { income: 'Net income', balance: 'Total assets', cashflow: 'Net change' }[type],
      grow: 1.3,
      align: 'end',
      cell: (row) => {
        const amount = headlineOf(row);
        return (
          <span className="tabular-nums">{amount === undefined ? '–' : statementAmount(amount, row.currency)}</span>
        );
      },
    },
    { title: 'Version', grow: 0.5, wide: true, align: 'end', cell: ({ revision }) => revision },
  ];
}

export function SnapshotView({ snapshot }: { snapshot: Snapshot }): React.JSX.Element {
  return (
    <>
      <Panel
        title={`${statementTypes[snapshot.statement_type]} · ${periodText(snapshot)}`}
        actions={
          <OperationButton size="small" operation="financials.snapshots.upsert" label="Correct statement" needsCompany>
            {(close) => <PostSnapshotDialog onClose={close} begin={snapshot} />}
          </OperationButton>
        }
      >
        <div className="flex flex-col gap-5">
          <Statement
            snapshot={snapshot}
            equation={snapshot.statement_type === 'balance' && <EquationBadge snapshot={snapshot} />}
          />
          <div className="border-t pt-4">
            <DescriptionList
              entries={[
                ['Source', snapshot.source],
                ['Version', snapshot.revision],
                ['First received', <Instant key="created" at={snapshot.created_at} />],
                ['Last received', <Instant key="updated" at={snapshot.updated_at} />],
                ['ID', <CopyId key="id" id={snapshot.id} what="ID" />],
                ['Activity', <LogLink key="log" of={snapshot.id} text="View in activity log" />],
              ]}
            />
          </div>
        </div>
      </Panel>
      <ChecksPanel snapshot={snapshot} />
      <RevisionsPanel key={snapshot.id} snapshot={snapshot} />
    </>
  );
}
