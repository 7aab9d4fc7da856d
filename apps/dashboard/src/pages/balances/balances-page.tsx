import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type Column, DataTable, rowLink } from '../../components/data-table.tsx';
import { ConnectionName, ExportLinks } from '../../components/links.tsx';
import { Money } from '../../components/money.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { HowToAdd } from '../../components/shell/how-to-add.tsx';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { Ago, Day } from '../../components/time.tsx';
import { type NamedConnection, useConnectionNames } from '../../lib/connection-names.ts';
import { useKeysetRows } from '../../lib/keyset-rows.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { opening, replacing, useClosePanel } from '../../operation/resource-list.tsx';
import { BalanceDialog } from './balance-dialog.tsx';
import { BalanceFilterBar } from './balance-filters.tsx';
import { AddBalanceDialog } from './balance-form-dialog.tsx';
import { balanceFilterNames } from './balance-search.ts';
import { type Balance, type BalanceFilters, balanceFilters } from './balances.view.ts';

export function BalancesPage(): React.JSX.Element {
  return (
    <Page
      title="Balances"
      intro="End-of-day balance per account. Cash on hand is the sum of the latest balances per currency."
      actions={
        <OperationButton variant="primary" operation="cash.balances.upsert" label="Add balance" here>
          {(close) => <AddBalanceDialog onClose={close} />}
        </OperationButton>
      }
    >
      <NeedsCompany>
        <Balances />
      </NeedsCompany>
    </Page>
  );
}

function Balances(): React.JSX.Element {
  const company = useCompany();
  const search = useSearch({ from: '/shell/balances' });
  const navigate = useNavigate({ from: '/balances' });
  const close = useClosePanel(() => void navigate({ search: (now) => ({ ...now, open: undefined }), ...replacing }));
  const { filters, faults, currency } = balanceFilters(search, company.base_currency);
  const fault = faults.min ?? faults.max;
  return (
    <>
      <BalanceFilterBar faults={faults} currency={currency} />
      <Panel
        title={filters['latest'] === true ? 'Latest balance of each connection' : 'Posted balances'}
        flush
        actions={
          fault === undefined && (
            <ExportLinks path={`/companies/${company.id}/cash/balances`} filters={filters} what="these balances" />
          )
        }
      >
        {fault === undefined ? (
          <BalanceTable filters={filters} />
        ) : (
          <div className="px-5 py-3">
            <ErrorState error={new Error(`The amount in the filter can’t be used. ${fault}`)} />
          </div>
        )}
      </Panel>
      <BalanceDialog id={search.open} onClose={close} />
    </>
  );
}

function columnsOf(names: ReadonlyMap<string, NamedConnection>): readonly Column<Balance>[] {
  return [
    {
      id: 'as_of',
      title: 'As of',
      grow: 1.1,
      whole: true,
      cell: ({ id, as_of, connection_id }) => (
        <>
          <Link to="/balances" search={(now) => ({ ...now, open: id })} {...opening} className={rowLink}>
            <Day day={as_of} />
          </Link>
          {/* On a phone the connection is below the day. */}
          <span className="block w-0 min-w-full truncate text-xs text-muted md:hidden">
            {connection_id === null ? 'Unassigned' : (names.get(connection_id)?.name ?? connection_id)}
          </span>
        </>
      ),
    },
    {
      id: 'connection',
      title: 'Connection',
      grow: 1.5,
      wide: true,
      cell: (row) => <ConnectionName id={row.connection_id} names={names} />,
    },
    {
      id: 'balance',
      title: 'Balance',
      grow: 1.4,
      align: 'end',
      cell: ({ balance_cents, currency }) => <Money cents={balance_cents} currency={currency} />,
    },
    { id: 'currency', title: 'Currency', grow: 0.7, wide: true, cell: (row) => row.currency },
    { id: 'source', title: 'Source', wide: true, cell: (row) => row.source },
    { id: 'updated', title: 'Received', wide: true, whole: true, cell: (row) => <Ago at={row.updated_at} /> },
  ];
}

function BalanceTable({ filters }: Pick<BalanceFilters, 'filters'>): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const search = useSearch({ from: '/shell/balances' });
  const rows = useKeysetRows((page) =>
    trpc.cash.balances.list.queryOptions({ company_id: company.id, ...filters, ...page }),
  );
  const isFiltered = balanceFilterNames.some((name) => search[name] !== undefined);
  return (
    <DataTable
      label="Balances"
      rows={rows}
      columns={columnsOf(useConnectionNames(company.id))}
      keyOf={({ id }) => id}
      empty={
        isFiltered ? (
          <EmptyState title="No balances match the filters" />
        ) : (
          <EmptyState title="No balances yet">
            <HowToAdd>
              Post them to <code className="wrap-anywhere">/api/v1/companies/{company.id}/cash/balances</code>, connect
              a bank, or add one manually.
            </HowToAdd>
          </EmptyState>
        )
      }
    />
  );
}
