import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useId } from 'react';
import { ConnectionList } from '../../ui/connection-list.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { FilterBar, FilterText } from '../../ui/filter-bar.tsx';
import { type BalanceFilters, type BalanceSearch, filterNames } from './balances.view.ts';

const cleared = Object.fromEntries(filterNames.map((name) => [name, undefined]));

/** The filters of the balances, as they stand in the address. */
export function BalanceFilterBar({ faults, currency }: Pick<BalanceFilters, 'faults' | 'currency'>): React.JSX.Element {
  const list = useId();
  const search = useSearch({ from: '/shell/balances' });
  const navigate = useNavigate({ from: '/balances' });
  const put = useCallback(
    (next: Partial<BalanceSearch>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true }),
    [navigate],
  );
  const text = (name: keyof BalanceSearch) => ({
    value: search[name],
    onChange: (next: string | undefined) => put({ [name]: next }),
  });
  const picked = (name: keyof BalanceSearch) => ({
    value: search[name] ?? '',
    onChange: (event: { target: { value: string } }) => put({ [name]: event.target.value || undefined }),
  });
  return (
    <div className="flex flex-col gap-3">
      <CheckField
        label="Only the latest of each connection"
        hint="What cash on hand is added up from"
        checked={search.latest === 'true'}
        onChange={(event) => put({ latest: event.target.checked ? 'true' : undefined })}
      />
      <FilterBar
        label="Filter balances"
        isSet={filterNames.some((name) => search[name] !== undefined)}
        onClear={() => put(cleared)}
      >
        <TextField label="From (first day)" type="date" max={search.as_of_to} {...picked('as_of_from')} />
        <TextField label="To (last day)" type="date" min={search.as_of_from} {...picked('as_of_to')} />
        <FilterText
          label="Connection"
          placeholder="Its id, or none"
          list={list}
          className="w-full sm:w-52"
          {...text('connection_id')}
        />
        <ConnectionList id={list} />
        <FilterText label="Source" placeholder="Exactly" className="w-36" {...text('source')} />
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
      </FilterBar>
    </div>
  );
}
