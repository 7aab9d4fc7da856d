import { Options, SelectField } from '../../components/field.tsx';
import { FilterBar, FilterChoice, FilterMonth } from '../../components/filter-bar.tsx';
import { useListSearch } from '../../operation/resource-list.tsx';
import {
  comparisons,
  DEFAULT_COMPARISON,
  DEFAULT_PERIOD,
  knownRange,
  type MonthRange,
  periods,
} from './period.view.ts';

const filterNames = ['period', 'from', 'to', 'compare', 'currency', 'account'] as const;

interface SpendingFiltersProps {
  range: MonthRange;
  today: string;
  currencies: readonly string[];
  accounts: ReadonlyArray<readonly [id: string, name: string]>;
  baseCurrency: string;
}

/** Period, comparison, currency and account, all of which are in the address. */
export function SpendingFilters(props: SpendingFiltersProps): React.JSX.Element {
  const { range, today, currencies, accounts, baseCurrency } = props;
  const { search, setSearch } = useListSearch();
  const { from: min, to: max } = knownRange(today);
  const choose = (name: string, value: string, usual: string): void =>
    setSearch({ [name]: value === usual ? undefined : value });
  const choosePeriod = (period: string): void =>
    setSearch({
      period: period === DEFAULT_PERIOD ? undefined : period,
      // A custom period begins as the one that was shown.
      from: period === 'custom' ? range.from : undefined,
      to: period === 'custom' ? range.to : undefined,
    });
  return (
    <FilterBar
      label="Filter spending"
      active={filterNames.filter((name) => search[name] !== undefined).length}
      onClear={() => setSearch(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
    >
      <SelectField
        label="Period"
        value={search['period'] ?? DEFAULT_PERIOD}
        onChange={({ target }) => choosePeriod(target.value)}
      >
        <Options values={periods} />
      </SelectField>
      {search['period'] === 'custom' && (
        <>
          <FilterMonth
            label="First month"
            min={min}
            max={range.to}
            value={range.from}
            onChange={(from) => setSearch({ from })}
          />
          <FilterMonth
            label="Last month"
            min={range.from}
            max={max}
            value={range.to}
            onChange={(to) => setSearch({ to })}
          />
        </>
      )}
      <SelectField
        label="Compare with"
        value={search['compare'] ?? DEFAULT_COMPARISON}
        onChange={({ target }) => choose('compare', target.value, DEFAULT_COMPARISON)}
      >
        <Options values={comparisons} />
      </SelectField>
      <SelectField
        label="Currency"
        value={search['currency'] ?? baseCurrency}
        onChange={({ target }) => choose('currency', target.value, baseCurrency)}
      >
        {currencies.map((code) => (
          <option key={code}>{code}</option>
        ))}
      </SelectField>
      <FilterChoice
        label="Account"
        none="All accounts"
        className="max-w-full sm:max-w-60"
        value={search['account']}
        onChange={(account) => setSearch({ account })}
        choices={accounts}
      />
    </FilterBar>
  );
}
