import { type ComponentProps, useId } from 'react';
import { ConnectionList } from '../components/connection-list.tsx';
import { FilterDay, FilterText, type FilterTextProps } from '../components/filter-bar.tsx';
import type { AmountBounds } from '../lib/parse-money.ts';
import type { FilterOptions } from './resource-list.tsx';

type Field = Pick<FilterTextProps, 'value' | 'onChange'>;

export function dayFilter(label: string, limits: Pick<ComponentProps<'input'>, 'min' | 'max'>): FilterOptions {
  return { slot: (field) => <FilterDay label={label} {...limits} {...field} /> };
}

export const connectionFilter: FilterOptions = { slot: (field) => <ConnectionFilter {...field} /> };

function ConnectionFilter(field: Field): React.JSX.Element {
  const list = useId();
  return (
    <>
      <FilterText label="Connection" placeholder="ID, or none" list={list} className="w-full sm:w-52" {...field} />
      <ConnectionList id={list} />
    </>
  );
}

export function amountFilters({ currency, faults }: AmountBounds, more: boolean) {
  const amount = (label: string, fault: string | undefined): FilterOptions => ({
    more,
    slot: (field) => (
      <FilterText
        label={`${label} (${currency})`}
        placeholder="-100"
        inputMode="decimal"
        className="w-36"
        error={fault}
        {...field}
      />
    ),
  });
  return {
    currency: {
      more,
      slot: (field: Field) => (
        <FilterText label="Currency" placeholder="USD" maxLength={3} className="w-28" {...field} />
      ),
    },
    min: amount('At least', faults.min),
    max: amount('At most', faults.max),
  };
}

export function amountFault({ faults }: AmountBounds): { fault: string } | undefined {
  const fault = faults.min ?? faults.max;
  return fault === undefined ? undefined : { fault: `The amount filter is invalid. ${fault}` };
}
