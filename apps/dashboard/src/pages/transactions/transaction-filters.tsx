import { useNavigate, useSearch } from '@tanstack/react-router';
import { FilterBar, FilterChoice, FilterDay, FilterText, filterFields } from '../../components/filter-bar.tsx';
import { AmountFilters, ConnectionFilter, CurrencyFilter } from '../../components/money-filters.tsx';
import { type TransactionSearch, transactionFilterNames } from './transaction-search.ts';
import { moreFilters, type TransactionFilters } from './transactions.view.ts';

const cleared = Object.fromEntries(transactionFilterNames.map((name) => [name, undefined]));

export function TransactionFilterBar({ faults, currency }: Pick<TransactionFilters, 'faults' | 'currency'>) {
  const search = useSearch({ from: '/shell/transactions' });
  const navigate = useNavigate({ from: '/transactions' });
  const put = (next: Partial<TransactionSearch>): void =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true });
  const field = filterFields(search, put);
  const isMore = moreFilters.some((name) => search[name] !== undefined);
  return (
    <div className="flex flex-col gap-3">
      <FilterBar
        label="Filter transactions"
        isSet={transactionFilterNames.some((name) => search[name] !== undefined)}
        onClear={() => put(cleared)}
      >
        <FilterText
          label="Search"
          placeholder="Description, counterparty, external id"
          className="w-full sm:w-64"
          {...field('q')}
        />
        <FilterDay label="From (first day)" max={search.posted_to} {...field('posted_from')} />
        <FilterDay label="To (last day)" min={search.posted_from} {...field('posted_to')} />
        <FilterChoice
          label="Direction"
          none="In and out"
          choices={[
            ['in', 'Money in'],
            ['out', 'Money out'],
          ]}
          {...field('direction')}
        />
        <ConnectionFilter {...field('connection_id')} />
      </FilterBar>
      <details open={isMore || undefined}>
        <summary className="w-fit rounded text-sm font-medium text-accent">More filters</summary>
        <div className="mt-3 flex flex-wrap items-start gap-3">
          <FilterText label="Category" placeholder="Exactly" {...field('category')} />
          <FilterText label="Counterparty" placeholder="Exactly" {...field('counterparty')} />
          <CurrencyFilter {...field('currency')} />
          <AmountFilters currency={currency} faults={faults} min={field('min')} max={field('max')} />
          <FilterText label="Source" placeholder="Exactly" {...field('source')} />
          <FilterText label="External id" placeholder="Exactly" {...field('external_id')} />
          <FilterChoice label="Order" none="Newest first" choices={[['asc', 'Oldest first']]} {...field('order')} />
        </div>
      </details>
    </div>
  );
}
