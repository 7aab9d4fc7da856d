import { DateField, type DateFieldProps } from '../components/date-field.tsx';
import { FilterChoice, FilterText, type FilterTextProps } from '../components/filter-bar.tsx';
import { useCompany } from '../components/shell/company-context.ts';
import { NO_ACCOUNT, UNASSIGNED, useConnectionNames } from '../lib/connection-names.ts';
import type { AmountBounds } from '../lib/parse-money.ts';
import type { FilterOptions } from './list-filters.tsx';

type Field = Pick<FilterTextProps, 'value' | 'onChange'>;

export function dayFilter(label: string, limits: Pick<DateFieldProps, 'min' | 'max'>): FilterOptions {
  return { slot: (field) => <DateField label={label} {...limits} {...field} /> };
}

/** One account, for lists that take no more. */
export const oneAccountFilter: FilterOptions = { slot: (field) => <AccountChoice {...field} /> };

function AccountChoice(field: Field): React.JSX.Element {
  const names = useConnectionNames(useCompany().id);
  const choices = [...names.values()].map(({ id, name }) => [id, name] as const);
  return (
    <FilterChoice
      label="Account"
      choices={[...choices, [NO_ACCOUNT, UNASSIGNED]]}
      className="w-full sm:w-52"
      {...field}
    />
  );
}

export function amountFilters({ currency, faults }: AmountBounds, more: boolean) {
  const amount = (label: string, fault: string | undefined): FilterOptions => ({
    label,
    more,
    slot: (field) => (
      <FilterText label={label} placeholder="0.00" inputMode="decimal" className="w-36" error={fault} {...field} />
    ),
  });
  return {
    currency: {
      more,
      slot: (field: Field) => (
        <FilterText label="Currency" placeholder="USD" maxLength={3} className="w-28" {...field} />
      ),
    },
    min: amount(`At least (${currency})`, faults.min),
    max: amount(`At most (${currency})`, faults.max),
  };
}

export function amountFault({ faults }: AmountBounds): { fault: string } | undefined {
  const fault = faults.min ?? faults.max;
  return fault === undefined ? undefined : { fault: `The amount filter is invalid. ${fault}` };
}
