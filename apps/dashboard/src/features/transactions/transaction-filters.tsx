import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useId } from 'react';
import { ConnectionList } from '../../ui/connection-list.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FilterBar, FilterText } from '../../ui/filter-bar.tsx';
import { filterNames, moreFilters, type TransactionFilters, type TransactionSearch } from './transactions.view.ts';

const cleared = Object.fromEntries(filterNames.map((name) => [name, undefined]));

/** The filters of the transactions, as they stand in the address. */
export function TransactionFilterBar({ faults, currency }: Pick<TransactionFilters, 'faults' | 'currency'>) {
  const list = useId();
  const search = useSearch({ from: '/shell/transactions' });
  const navigate = useNavigate({ from: '/transactions' });
  const put = useCallback(
    (next: Partial<TransactionSearch>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true }),
    [navigate],
  );
  const text = (name: keyof TransactionSearch) => ({
    value: search[name],
    onChange: (next: string | undefined) => put({ [name]: next }),
  });
  const picked = (name: keyof TransactionSearch) => ({
    value: search[name] ?? '',
    onChange: (event: { target: { value: string } }) => put({ [name]: event.target.value || undefined }),
  });
  const isMore = moreFilters.some((name) => search[name] !== undefined);
  return (
    <div className="flex flex-col gap-3">
      <FilterBar
        label="Filter transactions"
        isSet={filterNames.some((name) => search[name] !== undefined)}
        onClear={() => put(cleared)}
      >
        <FilterText
          label="Search"
          placeholder="Description, counterparty, external id"
          className="w-full sm:w-64"
          {...text('q')}
        />
        <TextField label="From (first day)" type="date" max={search.posted_to} {...picked('posted_from')} />
        <TextField label="To (last day)" type="date" min={search.posted_from} {...picked('posted_to')} />
        <SelectField label="Direction" {...picked('direction')}>
          <option value="">In and out</option>
          <option value="in">Money in</option>
          <option value="out">Money out</option>
        </SelectField>
        <FilterText
          label="Connection"
          placeholder="Its id, or none"
          list={list}
          className="w-full sm:w-52"
          {...text('connection_id')}
        />
        <ConnectionList id={list} />
      </FilterBar>
      <details open={isMore || undefined}>
        <summary className="w-fit rounded text-sm font-medium text-accent">More filters</summary>
        <div className="mt-3 flex flex-wrap items-start gap-3">
          <FilterText label="Category" placeholder="Exactly" {...text('category')} />
          <FilterText label="Counterparty" placeholder="Exactly" {...text('counterparty')} />
          <FilterText label="Currency" placeholder="USD" maxLength={3} className="w-28" {...text('currency')} />
          <FilterText
            label={`At least (${currency})`}
            placeholder="-100"
            inputMode="decimal"
            className="w-36"
            error={faults.min}
            {...text('min')}
          />
          <FilterText
            label={`At most (${currency})`}
            placeholder="-100"
            inputMode="decimal"
            className="w-36"
            error={faults.max}
            {...text('max')}
          />
          <FilterText label="Source" placeholder="Exactly" {...text('source')} />
          <FilterText label="External id" placeholder="Exactly" {...text('external_id')} />
          <SelectField label="Order" {...picked('order')}>
            <option value="">Newest first</option>
            <option value="asc">Oldest first</option>
          </SelectField>
        </div>
      </details>
    </div>
  );
}
