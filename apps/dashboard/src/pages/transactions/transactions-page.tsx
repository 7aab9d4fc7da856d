import { useSearch } from '@tanstack/react-router';
import { sentenceCase } from '../../components/badge.tsx';
import { buttonClass } from '../../components/button.tsx';
import { connectionColumn } from '../../components/links.tsx';
import { Money } from '../../components/money.tsx';
import { Page } from '../../components/page.tsx';
import { useCompany, useZone } from '../../components/shell/company-context.ts';
import { HowToAdd, ImportLink } from '../../components/shell/how-to-add.tsx';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { rowLink } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { ShortInstant } from '../../components/time.tsx';
import { accountName, type NamedConnection, useConnectionNames } from '../../lib/connection-names.ts';
import { formatShort } from '../../lib/format-time.ts';
import { amountBounds } from '../../lib/parse-money.ts';
import { visibleText } from '../../lib/text.ts';
import { useSelection } from '../../lib/use-selection.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { amountFault } from '../../operation/money-filters.tsx';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { OpenLink, ResourceList } from '../../operation/resource-list.tsx';
import { AddTransactionDialog } from './add-transaction-dialog.tsx';
import { listTitle } from './list-title.view.ts';
import { ChangeFiltered, type Selection, SelectionBar } from './selection.tsx';
import { TransactionDialog } from './transaction-dialog.tsx';
import { filtersOf } from './transaction-filters.tsx';
import { TransactionTotals } from './transaction-totals.tsx';
import { countedAsText, filterOf, noMatchText, type Transaction, transactionQuery } from './transactions.view.ts';

export function TransactionsPage(): React.JSX.Element {
  return (
    <Page
      title="Transactions"
      intro="Bank transactions from your integration and connected banks. New ones appear automatically."
      actions={
        <>
          <ImportLink className={buttonClass()}>Import file</ImportLink>
          <OperationButton variant="primary" operation="bank.transactions.ingest" label="Add transaction" needsCompany>
            {(close) => <AddTransactionDialog onClose={close} />}
          </OperationButton>
        </>
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
  const names = useConnectionNames(company.id);
  const bounds = amountBounds(search, company.base_currency);
  const filter = filterOf(search, company.timezone, company.base_currency);
  const path = `/companies/${company.id}/bank/transactions`;
  const selection = useSelection<Transaction>();
  const today = todayIn(company.timezone);
  return (
    <>
      <ResourceList
        list="bank.transactions.list"
        noun="transactions"
        title={visibleText(listTitle(search, { today, accountName: (account) => accountName(names, account) }))}
        fixed={{ company_id: company.id }}
        filters={filtersOf(search, bounds)}
        toQuery={(set) => amountFault(bounds) ?? transactionQuery(set, company.timezone, company.base_currency)}
        exports="spreadsheet"
        choosesColumns
        head={(query) => <TransactionTotals query={query} search={search} />}
        actions={filter && <ChangeFiltered filter={filter} />}
        columns={columnsOf(names, selection, search.month !== undefined)}
        empty={{
          title: 'No transactions yet',
          text: (
            <HowToAdd>
              Post them to <code className="wrap-anywhere">/api/v1{path}</code>,{' '}
              <ImportLink>import a bank file</ImportLink>, connect a bank, or add one manually.
            </HowToAdd>
          ),
          filtered: noMatchText(search),
        }}
        detail={(id, close) => <TransactionDialog id={id} onClose={close} />}
      />
      <SelectionBar selection={selection} />
    </>
  );
}

function columnsOf(
  names: ReadonlyMap<string, NamedConnection>,
  { rows, toggle }: Selection,
  hasMonth: boolean,
): readonly Column<Transaction>[] {
  return [
    {
      title: 'Select',
      untitled: true,
      grow: 0.2,
      wide: true,
      nowrap: true,
      fixed: true,
      cell: (row) => (
        <label className="relative z-1 flex size-9 cursor-pointer items-center justify-center">
          <input
            type="checkbox"
            aria-label={`Select ${row.description === '' ? row.external_id : row.description}`}
            checked={rows.has(row.id)}
            onChange={() => toggle(row)}
            className="size-4 accent-accent"
          />
        </label>
      ),
    },
    {
      title: 'Posted',
      grow: 1,
      wide: true,
      nowrap: true,
      sort: 'posted_at',
      zoned: true,
      fixed: true,
      cell: ({ posted_at }) => <ShortInstant at={posted_at} />,
    },
    {
      title: 'Description',
      grow: 2.3,
      fixed: true,
      cell: ({ id, description, external_id, posted_at, category, connection_id }) => (
        <>
          <OpenLink id={id} title={description} className={`${rowLink} block truncate hover:underline`}>
            {description === '' ? external_id : description}
          </OpenLink>
          <RowNote at={posted_at} category={category} account={accountName(names, connection_id)} />
        </>
      ),
    },
    { title: 'Vendor', grow: 1.5, wide: true, cell: (row) => row.counterparty ?? '–' },
    { title: 'Category', grow: 1.2, wide: true, cell: (row) => row.category ?? '–' },
    ...(hasMonth
      ? [{ title: 'Counted as', grow: 1.3, wide: true, cell: (row: Transaction) => countedAsText(row) }]
      : []),
    connectionColumn(names, { grow: 1.4, wide: 'large' }),
    { title: 'Posted category', grow: 1.2, wide: true, extra: true, cell: (row) => row.posted_category ?? '–' },
    {
      title: 'Class',
      grow: 1,
      wide: true,
      extra: true,
      cell: ({ flow_class }) => (flow_class === null ? '–' : sentenceCase(flow_class)),
    },
    { title: 'Source', grow: 1, wide: true, extra: true, cell: ({ source }) => source },
    { title: 'External ID', grow: 1.4, wide: true, extra: true, cell: ({ external_id }) => external_id },
    {
      title: 'Amount',
      sort: 'amount_cents',
      grow: 1.2,
      fixed: true,
      align: 'end',
      cell: ({ amount_cents, currency, voided_at }) =>
        voided_at === null ? (
          <Money cents={amount_cents} currency={currency} coloured />
        ) : (
          <s title="Voided">
            <Money cents={amount_cents} currency={currency} />
          </s>
        ),
    },
  ];
}

interface RowNoteProps {
  at: string;
  category: string | null;
  account: string;
}

/** The values that have no column of their own on a phone or a small screen. */
function RowNote({ at, category, account }: RowNoteProps): React.JSX.Element {
  const zone = useZone();
  return (
    <span className="block truncate text-xs text-muted xl:hidden">
      <span className="md:hidden">
        <time dateTime={at}>{formatShort(at, zone).split(',')[0]}</time> · {category !== null && `${category} · `}
      </span>
      {account}
    </span>
  );
}
