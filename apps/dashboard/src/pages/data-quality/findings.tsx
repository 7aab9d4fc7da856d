import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { ConnectionName, type ConnectionNameProps, connectionColumn } from '../../components/links.tsx';
import { ExactAmount, Money } from '../../components/money.tsx';
import { Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import { rowLink } from '../../components/table-cells.tsx';
import { Ago, Day, Instant } from '../../components/time.tsx';
import { useConnectionNames } from '../../lib/connection-names.ts';
import type { Cents } from '../../lib/exact-cents.ts';
import { formatDay } from '../../lib/format-time.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { freshnessReason } from '../connections/freshness.view.ts';
import { CheckText } from '../financials/checks-panel.tsx';
import { statementTypes } from '../financials/statement.view.ts';
import {
  type DataQuality,
  type FailedCheck,
  type Freshness,
  staleSeries,
  transferTreatment,
} from './data-quality.view.ts';

type FindingPanelProps<Row> = Omit<ComponentProps<typeof SimpleTable<Row>>, 'empty'> & {
  empty?: ReactNode;
  children: ReactNode;
};

export function FindingPanel<Row>({ children, empty, ...table }: FindingPanelProps<Row>): React.JSX.Element {
  return (
    <Panel title={table.label} flush>
      <p className="max-w-prose px-5 pb-2 text-sm text-muted">{children}</p>
      <SimpleTable {...table} empty={empty ?? <EmptyState title={`No ${table.label.toLowerCase()}`} />} />
    </Panel>
  );
}

export function FailedChecks({ rows }: { rows: readonly FailedCheck[] }): React.JSX.Element {
  const amount = (
    name: string,
    wide: boolean,
    pick: (check: FailedCheck['check']) => [cents: Cents, digits: string | undefined],
  ) => ({
    title: name,
    align: 'end' as const,
    wide,
    cell({ snapshot, check }: FailedCheck) {
      const [cents, digits] = pick(check);
      return <ExactAmount cents={cents} digits={digits} currency={snapshot.currency} />;
    },
  });
  return (
    <FindingPanel
      label="Failed checks"
      rows={rows}
      columns={[
        {
          title: 'Statement',
          cell: ({ snapshot: { snapshot_id, statement_type, period_end } }) => (
            <Link to="/financials" search={{ snapshot: snapshot_id }} className={`${rowLink} text-accent underline`}>
              {statementTypes[statement_type]}, {formatDay(period_end)}
            </Link>
          ),
        },
        { title: 'Check', cell: ({ check }) => <CheckText check={check} /> },
        amount('Expected', true, (check) => [check.expected_cents, check.expected_string]),
        amount('Actual', true, (check) => [check.actual_cents, check.actual_string]),
        amount('Difference', false, (check) => [check.difference_cents, check.difference_string]),
      ]}
      keyOf={({ snapshot, check }) => `${snapshot.snapshot_id} ${check.id}`}
    >
      The latest statement of each type is checked against itself, the other statements and your balances. To fix a
      failed check, post a correction of the statement or of the data it is compared with.
    </FindingPanel>
  );
}

export function StaleAccounts(): React.JSX.Element {
  const trpc = useTRPC();
  const { id, timezone: zone } = useCompany();
  const names = useConnectionNames(id);
  const query = useQuery(trpc.financials.freshness.queryOptions({ company_id: id }));
  return (
    <Loaded query={query} label="Loading data freshness" lines={6}>
      {(freshness) => (
        <FindingPanel
          label="Stale accounts"
          rows={staleSeries(freshness)}
          columns={[
            connectionColumn(names, { opensRow: true }),
            ...(['balance', 'transactions'] as const).map((kind) => ({
              title: sentenceCase(kind),
              cell: (series: Freshness['streams'][number]) => (
                <>
                  <StatusBadge status={series[kind].grade} />
                  <p className="mt-1 text-xs text-muted">
                    {freshnessReason(kind, series[kind], { at: freshness.as_of, zone })}
                  </p>
                </>
              ),
            })),
          ]}
          keyOf={({ connection_id }) => connection_id ?? ''}
        >
          An account is stale if no data arrived for more than six times the expected interval, or if its balance is
          more than six days old. Sync the account, or check the system that posts its data.
        </FindingPanel>
      )}
    </Loaded>
  );
}

export function ChangedDuplicates({ latest }: DataQuality['changed_duplicates']): React.JSX.Element {
  const names = useConnectionNames(useCompany().id);
  return (
    <FindingPanel
      label="Changed duplicates"
      rows={latest}
      columns={[
        {
          title: 'Transaction',
          cell: ({ transaction_id, external_id }) => (
            <Link
              to="/transactions"
              search={{ open: transaction_id }}
              className={`${rowLink} text-accent underline wrap-anywhere`}
            >
              {external_id}
            </Link>
          ),
        },
        connectionColumn(names, { wide: true }),
        { title: 'Changed fields', cell: ({ differs }) => <code>{differs.join(', ')}</code> },
        { title: 'Times', align: 'end', wide: true, cell: ({ times }) => times },
        { title: 'First seen', wide: true, cell: ({ first_seen_at }) => <Ago at={first_seen_at} /> },
        { title: 'Last seen', cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
      ]}
      keyOf={({ transaction_id }) => transaction_id}
    >
      Transactions that were posted again with different content. The first version is kept. If the later one is
      correct, its sender must post it with <code>on_duplicate=update</code>. The count covers the last 30 days.
    </FindingPanel>
  );
}

export function SuspectedTransfers({ latest, from }: DataQuality['suspected_transfers']): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id: company.id }));
  const names = useConnectionNames(company.id);
  return (
    <FindingPanel
      label="Suspected transfers"
      rows={latest.toReversed()}
      columns={[
        { title: 'Amount', cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
        {
          title: 'Money out',
          cell: (row) => (
            <Side
              transaction={row.out_transaction_id}
              at={row.out_posted_at}
              id={row.out_connection_id}
              names={names}
              opensRow
            />
          ),
        },
        {
          title: 'Money in',
          cell: (row) => (
            <Side transaction={row.in_transaction_id} at={row.in_posted_at} id={row.in_connection_id} names={names} />
          ),
        },
      ]}
      keyOf={({ out_transaction_id }) => out_transaction_id}
    >
      Possible transfers between your accounts: equal amounts out of one and into another within five days, since{' '}
      <Day day={from} />. {settings.data && transferTreatment(settings.data)} Change this in the{' '}
      <Link to="/companies/$companyId" params={{ companyId: company.id }} className="text-accent underline">
        company settings
      </Link>
      .
    </FindingPanel>
  );
}

interface SideProps extends Omit<ConnectionNameProps, 'opensRow'> {
  transaction: string;
  at: string;
  opensRow?: boolean;
}

function Side({ transaction, at, opensRow = false, ...connection }: SideProps): React.JSX.Element {
  return (
    <>
      <p className="leading-6">
        <Link
          to="/transactions"
          search={{ open: transaction }}
          className={`${opensRow ? rowLink : ''} text-accent underline`}
        >
          <Instant at={at} />
        </Link>
      </p>
      <p className="text-xs leading-6">
        <ConnectionName {...connection} />
      </p>
    </>
  );
}

type Warning = Outputs['financials']['dataQuality']['warnings'][number];

export function Warnings({ rows }: { rows: readonly Warning[] }): React.JSX.Element {
  return (
    <FindingPanel
      label="Warnings"
      rows={rows}
      columns={[{ title: 'Warning', cell: ({ message }) => message }]}
      keyOf={({ code, message }) => `${code} ${message}`}
    >
      Possible errors in your figures: cash that may be counted twice, inflows that may not be income, and statements
      that replaced one for another period.
    </FindingPanel>
  );
}
