import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type Column, DataTable, rowLink } from '../../components/data-table.tsx';
import { ConnectionName, ExportLinks } from '../../components/links.tsx';
import { Money } from '../../components/money.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useCompany, useZone } from '../../components/shell/company-context.ts';
import { HowToAdd } from '../../components/shell/how-to-add.tsx';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { Instant } from '../../components/time.tsx';
import { type NamedConnection, useConnectionNames } from '../../lib/connection-names.ts';
import { formatInstant } from '../../lib/format-time.ts';
import { useKeysetRows } from '../../lib/keyset-rows.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { opening, replacing, useClosePanel } from '../../operation/resource-list.tsx';
import { AddTransactionDialog } from './add-transaction-dialog.tsx';
import { TransactionDialog } from './transaction-dialog.tsx';
import { TransactionFilterBar } from './transaction-filters.tsx';
import { transactionFilterNames } from './transaction-search.ts';
import { type Transaction, type TransactionFilters, transactionFilters } from './transactions.view.ts';

export function TransactionsPage(): React.JSX.Element {
  return (
    <Page
      title="Transactions"
      intro="Bank transactions, newest first. New transactions appear automatically."
      actions={
        <OperationButton variant="primary" operation="bank.transactions.ingest" label="Add transaction" here>
          {(close) => <AddTransactionDialog onClose={close} />}
        </OperationButton>
      }
    >
      <NeedsCompany>
        <Transactions />
      </NeedsCompany>
    </Page>
  );
}

function Transactions(): React.JSX.Element {
  const company = useCompany();
  const search = useSearch({ from: '/shell/transactions' });
  const navigate = useNavigate({ from: '/transactions' });
  const close = useClosePanel(() => void navigate({ search: (now) => ({ ...now, open: undefined }), ...replacing }));
  const filters = transactionFilters(search, company.timezone, company.base_currency);
  const fault = filters.faults.min ?? filters.faults.max;
  return (
    <>
      <TransactionFilterBar faults={filters.faults} currency={filters.currency} />
      <Panel
        title="Posted transactions"
        flush
        actions={
          fault === undefined && (
            <ExportLinks
              path={`/companies/${company.id}/bank/transactions`}
              filters={filters.filters}
              what="these transactions"
            />
          )
        }
      >
        {fault === undefined ? (
          <TransactionTable filters={filters.filters} />
        ) : (
          <div className="px-5 py-3">
            <ErrorState error={new Error(`The amount in the filter can’t be used. ${fault}`)} />
          </div>
        )}
      </Panel>
      <TransactionDialog id={search.open} onClose={close} />
    </>
  );
}

function columnsOf(names: ReadonlyMap<string, NamedConnection>): readonly Column<Transaction>[] {
  return [
    {
      id: 'posted',
      title: 'Posted',
      grow: 1.9,
      wide: true,
      whole: true,
      cell: ({ posted_at }) => <Instant at={posted_at} />,
    },
    {
      id: 'description',
      title: 'Description',
      grow: 2.3,
      cell: ({ id, description, external_id, posted_at }) => (
        <>
          <Link
            to="/transactions"
            search={(now) => ({ ...now, open: id })}
            {...opening}
            className={rowLink}
            title={description}
          >
            {description === '' ? external_id : description}
          </Link>
          <PhoneDay at={posted_at} />
        </>
      ),
    },
    { id: 'counterparty', title: 'Counterparty', grow: 1.5, wide: true, cell: (row) => row.counterparty ?? '–' },
    { id: 'category', title: 'Category', grow: 1.2, wide: true, cell: (row) => row.category ?? '–' },
    {
      id: 'connection',
      title: 'Connection',
      grow: 1.4,
      wide: true,
      cell: (row) => <ConnectionName id={row.connection_id} names={names} />,
    },
    {
      id: 'amount',
      title: 'Amount',
      grow: 1.7,
      align: 'end',
      cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} coloured />,
    },
  ];
}

function PhoneDay({ at }: { at: string }): React.JSX.Element {
  const zone = useZone();
  return (
    <time dateTime={at} className="block text-xs text-muted md:hidden">
      {formatInstant(at, zone).split(',')[0]}
    </time>
  );
}

function TransactionTable({ filters }: Pick<TransactionFilters, 'filters'>): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const search = useSearch({ from: '/shell/transactions' });
  const rows = useKeysetRows((page) =>
    trpc.bank.transactions.list.queryOptions({ company_id: company.id, ...filters, ...page }),
  );
  const isFiltered = transactionFilterNames.some((name) => search[name] !== undefined);
  return (
    <DataTable
      label="Transactions"
      rows={rows}
      columns={columnsOf(useConnectionNames(company.id))}
      keyOf={({ id }) => id}
      empty={
        isFiltered ? (
          <EmptyState title="No transactions match the filters">
            Text in “Exactly” fields has to be as it was posted, in the same case.
          </EmptyState>
        ) : (
          <EmptyState title="No transactions yet">
            <HowToAdd>
              Post them to <code className="wrap-anywhere">/api/v1/companies/{company.id}/bank/transactions</code>,
              connect a bank, or add one manually.
            </HowToAdd>
          </EmptyState>
        )
      }
    />
  );
}
