import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { CheckField } from '../../components/field.tsx';
import { connectionColumn } from '../../components/links.tsx';
import { ExactAmount, Money } from '../../components/money.tsx';
import { Page } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { HowToAdd, ImportLink } from '../../components/shell/how-to-add.tsx';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Ago, Day } from '../../components/time.tsx';
import { accountName, type NamedConnection, useConnectionNames } from '../../lib/connection-names.ts';
import { amountIn } from '../../lib/exact-cents.ts';
import { formatDay } from '../../lib/format-time.ts';
import { amountBounds } from '../../lib/parse-money.ts';
import { plural } from '../../lib/text.ts';
import { type Input, type Outputs, useTRPC } from '../../lib/trpc.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { ListTotals } from '../../operation/list-totals.tsx';
import { amountFault, amountFilters, dayFilter, oneAccountFilter } from '../../operation/money-filters.tsx';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { OpenLink, ResourceList } from '../../operation/resource-list.tsx';
import { useCash } from '../overview/overview-queries.ts';
import { AddBalanceDialog, BalanceDialog } from './balance-dialog.tsx';
import { type Balance, cashSum, type Excluded, isAllCash } from './cash-sum.view.ts';

export function BalancesPage(): React.JSX.Element {
  return (
    <Page
      title="Balances"
      intro="End-of-day balance per account. Cash on hand is the sum of the latest balances per currency."
      actions={
        <OperationButton variant="primary" operation="cash.balances.upsert" label="Add balance" needsCompany>
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
  const names = useConnectionNames(company.id);
  const cash = useCash(company.id).data;
  const isLatest = search.latest === 'true';
  const until = isLatest ? search.as_of_to : undefined;
  const bounds = amountBounds(search, company.base_currency);
  const path = `/companies/${company.id}/cash/balances`;
  return (
    <ResourceList
      list="cash.balances.list"
      title={
        isLatest ? `Balance of each account${until === undefined ? '' : ` on ${formatDay(until)}`}` : 'All balances'
      }
      noun="balances"
      fixed={{ company_id: company.id }}
      filters={{
        latest: {
          slot: ({ value, onChange }) => (
            <div className="w-full">
              <CheckField
                label="Latest balance per account only"
                hint="Cash on hand is the sum of those that count as cash"
                checked={value === 'true'}
                onChange={({ target }) => onChange(target.checked ? 'true' : undefined)}
              />
            </div>
          ),
        },
        as_of_from: dayFilter('From', { max: search.as_of_to }),
        as_of_to: dayFilter('To', { min: search.as_of_from }),
        connection_id: oneAccountFilter,
        source: { placeholder: 'Exact match', className: 'w-36' },
        ...amountFilters(bounds, false),
      }}
      toQuery={({ latest, ...set }) =>
        amountFault(bounds) ?? {
          ...set,
          min: undefined,
          max: undefined,
          currency: bounds.only,
          min_balance_cents: bounds.cents.min,
          max_balance_cents: bounds.cents.max,
          latest: latest === 'true' || undefined,
        }
      }
      exports
      columns={[...columnsOf(names), ...(isLatest ? [cashColumn(cash?.excluded ?? [])] : [])]}
      {...(isLatest && cash && { head: (query: Selection) => <CashTotals query={query} cash={cash} /> })}
      empty={{
        title: 'No balances yet',
        text: (
          <HowToAdd>
            Post them to <code className="wrap-anywhere">/api/v1{path}</code>,{' '}
            <ImportLink>import a bank file</ImportLink>, connect a bank, or add one manually.
          </HowToAdd>
        ),
      }}
      detail={(id, close) => <BalanceDialog id={id} onClose={close} />}
    />
  );
}

type Selection = Input<'cash.balances.list'>;

const MOST_ACCOUNTS = 200;

interface CashTotalsProps {
  query: Selection;
  cash: Outputs['cash']['onHand'];
}

/** The cash that the balances add up to. */
function CashTotals({ query, cash }: CashTotalsProps): React.JSX.Element | null {
  const trpc = useTRPC();
  const { timezone } = useCompany();
  const { data } = useQuery(trpc.cash.balances.list.queryOptions({ ...query, limit: MOST_ACCOUNTS }));
  if (data === undefined || data.has_more) return null;
  const sum = cashSum(data.data, cash.excluded, query.as_of_to === undefined || query.as_of_to >= todayIn(timezone));
  const accounts = plural(data.data.length, 'account');
  if (sum === undefined) return <ListTotals>{accounts}</ListTotals>;
  return (
    <ListTotals>
      {accounts}
      {sum.cash.map(([currency, cents], i) => (
        <span key={currency}>
          {i === 0 ? ' · Cash ' : ' · '}
          {currency} <Money cents={`${cents}`} currency={currency} />
        </span>
      ))}
      {cash.total !== null && sum.cash.length > 1 && isAllCash(sum, cash) && (
        <>
          {' '}
          · All, in {cash.total.currency}{' '}
          <ExactAmount {...amountIn(cash.total, 'balance')} currency={cash.total.currency} />
        </>
      )}
      {sum.leftOut > 0 && ` · ${sum.leftOut} ${sum.leftOut === 1 ? 'is' : 'are'} not cash`}
    </ListTotals>
  );
}

const reasons: Readonly<Record<Excluded['reason'], string>> = {
  user: 'Excluded in settings',
  disconnected: 'Disconnected',
  restricted: 'Restricted',
  credit_card: 'Owed on a card',
  loan: 'Owed on a loan',
};

function cashColumn(excluded: readonly Excluded[]): Column<Balance> {
  const reasonOf = new Map(excluded.map(({ connection_id, reason }) => [connection_id, reasons[reason]]));
  return { title: 'Counts as', grow: 1, cell: ({ connection_id }) => reasonOf.get(connection_id) ?? 'Cash' };
}

function columnsOf(names: ReadonlyMap<string, NamedConnection>): readonly Column<Balance>[] {
  return [
    {
      title: 'As of',
      grow: 1.1,
      nowrap: true,
      cell: ({ id, as_of, connection_id }) => (
        <>
          <OpenLink id={id}>
            <Day day={as_of} />
          </OpenLink>
          {/* On a phone the account is below the day. */}
          <span className="block w-0 min-w-full truncate text-xs text-muted md:hidden">
            {accountName(names, connection_id)}
          </span>
        </>
      ),
    },
    connectionColumn(names, { grow: 1.5, wide: true }),
    {
      title: 'Balance',
      grow: 1.4,
      align: 'end',
      cell: ({ balance_cents, currency }) => <Money cents={balance_cents} currency={currency} />,
    },
    { title: 'Currency', grow: 0.7, wide: true, cell: (row) => row.currency },
    { title: 'Source', wide: true, cell: (row) => row.source },
    { title: 'Received', wide: true, nowrap: true, cell: (row) => <Ago at={row.updated_at} /> },
  ];
}
