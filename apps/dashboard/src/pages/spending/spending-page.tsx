import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { buttonClass } from '../../components/button.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { EmptyState, Loaded } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { formatLongMonth } from '../../lib/format-time.ts';
import { type Inputs, useTRPC } from '../../lib/trpc.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { asFilter, useListSearch } from '../../operation/resource-list.tsx';
import { monthsText } from '../overview/burn.view.ts';
import { useMonthly, useSeriesName } from '../overview/overview-queries.ts';
import { type Breakdown, breakdownLines } from './breakdown.view.ts';
import { monthsToTell, spendingHeadline } from './headline.view.ts';
import { type MonthRange, rangeOf, trendRange } from './period.view.ts';
import { type Sort, searchOf, sortOf } from './sort.view.ts';
import { SpendingFilters } from './spending-filters.tsx';
import { BiggestChange, SpendingTable } from './spending-table.tsx';
import { currenciesOf, trendsOf } from './trend.view.ts';

type BreakdownInput = Inputs['financials']['breakdown'];
type By = NonNullable<BreakdownInput['by']>;

const tabs: ReadonlyArray<readonly [By, string]> = [
  ['category', 'Category'],
  ['counterparty', 'Vendor'],
  ['connection', 'Account'],
];

export function SpendingPage(): React.JSX.Element {
  const { id, timezone, base_currency: base } = useCompany();
  const search = useSearch({ from: '/shell/company/spending' });
  const { setSearch } = useListSearch();
  const today = todayIn(timezone);
  const range = rangeOf(search, today);
  const input: BreakdownInput & MonthRange = {
    company_id: id,
    ...range,
    compare: asFilter<NonNullable<BreakdownInput['compare']>>(search.compare),
    currency: search.currency,
    connection_id: search.account,
  };
  const lastYear = useMonthly(id, 0).data;
  const accounts = useAccounts({ ...input, ...trendRange(range, today) });
  const by = tabs.find(([name]) => name === search.by)?.[0] ?? 'category';
  return (
    <Page
      title="Spending"
      intro="What you spent in one currency, without transfers and excluded accounts. Each row opens its transactions."
      actions={
        <Link to="/reports/$month" params={{ month: range.to }} className={buttonClass()}>
          Report for {formatLongMonth(range.to)}
        </Link>
      }
    >
      <SpendingFilters
        range={range}
        today={today}
        currencies={currenciesOf(lastYear, search.currency === undefined ? [base] : [base, search.currency])}
        accounts={accounts}
        baseCurrency={base}
      />
      <Headline input={input} today={today} />
      <Tabs
        label="Spending by"
        value={by}
        onChange={(next) => setSearch({ by: next === 'category' ? undefined : next })}
        tabs={tabs.map(([name, title]) => ({
          id: name,
          title,
          content: (
            <Spending input={{ ...input, by: name }} trend={trendRange(range, today)} account={search.account} />
          ),
        }))}
      />
    </Page>
  );
}

/** The accounts that money went out of in the twelve months, by their ids. */
function useAccounts(input: BreakdownInput): ReadonlyArray<readonly [id: string, name: string]> {
  const trpc = useTRPC();
  const nameOf = useSeriesName(input.company_id);
  const all = { ...input, by: 'connection', compare: 'none', connection_id: undefined } as const;
  const { data } = useQuery(trpc.financials.breakdown.queryOptions(all, keeping));
  return (data?.rows ?? []).map(({ key }) => [key ?? 'none', nameOf(key)] as const);
}

/** Kept while the next figures are read, so that the page does not jump. */
const keeping = { placeholderData: keepPreviousData } as const;

function Headline({ input, today }: { input: BreakdownInput & MonthRange; today: string }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.financials.breakdown.queryOptions({ ...input, by: 'counterparty' }, keeping));
  const months = monthsToTell(input, today);
  const monthly = useMonthly(input.company_id, months ?? 0).data;
  return (
    <Loaded query={query} label="Loading the headline" lines={1}>
      {(vendors) => (
        <p role="status" className={`max-w-prose text-lg font-medium ${query.isPlaceholderData ? 'opacity-60' : ''}`}>
          {spendingHeadline(vendors, today, months === undefined ? undefined : monthly)}
        </p>
      )}
    </Loaded>
  );
}

interface SpendingProps {
  input: BreakdownInput;
  trend: { from: string; to: string };
  account: string | undefined;
}

function Spending({ input, trend, account }: SpendingProps): React.JSX.Element {
  const trpc = useTRPC();
  const { id } = useCompany();
  const { search, setSearch } = useListSearch();
  const nameOf = useSeriesName(id);
  const query = useQuery(trpc.financials.breakdown.queryOptions(input, keeping));
  const trends = useQuery(trpc.financials.breakdown.queryOptions({ ...input, ...trend, compare: 'none' }, keeping));
  const sort = sortOf(search);
  const onSort = (next: Sort): void => setSearch(searchOf(next));
  return (
    <Panel
      title={query.data === undefined ? 'Spending' : titleOf(query.data)}
      flush
      actions={input.compare !== 'none' && <BiggestChange sort={sort} onSort={onSort} />}
    >
      <Loaded query={query} label="Loading spending" lines={8} flush>
        {(breakdown) => {
          const lines = breakdownLines(breakdown, nameOf);
          return lines.length === 0 ? (
            <EmptyState title="No money went out in these months" />
          ) : (
            <SpendingTable
              breakdown={breakdown}
              lines={lines}
              trends={trends.data && trendsOf(trends.data)}
              account={account}
              sort={sort}
              onSort={onSort}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}

function titleOf({ months, currency }: Breakdown): string {
  return `${monthsText(months.map(({ month }) => month))} in ${currency}`;
}
