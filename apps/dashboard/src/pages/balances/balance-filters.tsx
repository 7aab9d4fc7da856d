import { useNavigate, useSearch } from '@tanstack/react-router';
import { CheckField } from '../../components/field.tsx';
import { FilterBar, FilterDay, FilterText, filterFields } from '../../components/filter-bar.tsx';
import { AmountFilters, ConnectionFilter, CurrencyFilter } from '../../components/money-filters.tsx';
import { type BalanceSearch, balanceFilterNames } from './balance-search.ts';
import type { BalanceFilters } from './balances.view.ts';

const cleared = Object.fromEntries(balanceFilterNames.map((name) => [name, undefined]));

export function BalanceFilterBar({ faults, currency }: Pick<BalanceFilters, 'faults' | 'currency'>): React.JSX.Element {
  const search = useSearch({ from: '/shell/balances' });
  const navigate = useNavigate({ from: '/balances' });
  const put = (next: Partial<BalanceSearch>): void =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  const field = filterFields(search, put);
  return (
    <div className="flex flex-col gap-3">
      <CheckField
        label="Latest balance per connection only"
        hint="The balances that make up cash on hand"
        checked={search.latest === 'true'}
        onChange={(event) => put({ latest: event.target.checked ? 'true' : undefined })}
      />
      <FilterBar
        label="Filter balances"
        isSet={balanceFilterNames.some((name) => search[name] !== undefined)}
        onClear={() => put(cleared)}
      >
        <FilterDay label="From (first day)" max={search.as_of_to} {...field('as_of_from')} />
        <FilterDay label="To (last day)" min={search.as_of_from} {...field('as_of_to')} />
        <ConnectionFilter {...field('connection_id')} />
        <FilterText label="Source" placeholder="Exactly" className="w-36" {...field('source')} />
        <CurrencyFilter {...field('currency')} />
        <AmountFilters currency={currency} faults={faults} min={field('min')} max={field('max')} />
      </FilterBar>
    </div>
  );
}
