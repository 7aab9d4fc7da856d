import { useId } from 'react';
import { useConnectionNames } from '../lib/connection-names.ts';
import { FilterText } from './filter-bar.tsx';
import { useCompany } from './shell/company-context.ts';

interface Field {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A filter by connection; `none` selects rows without one. */
export function ConnectionFilter(field: Field): React.JSX.Element {
  const list = useId();
  return (
    <>
      <FilterText label="Connection" placeholder="ID, or none" list={list} className="w-full sm:w-52" {...field} />
      <ConnectionList id={list} />
    </>
  );
}

export function CurrencyFilter(field: Field): React.JSX.Element {
  return <FilterText label="Currency" placeholder="USD" maxLength={3} className="w-28" {...field} />;
}

interface AmountFiltersProps {
  currency: string;
  faults: { min?: string | undefined; max?: string | undefined };
  min: Field;
  max: Field;
}

export function AmountFilters({ currency, faults, min, max }: AmountFiltersProps): React.JSX.Element {
  const shared = { placeholder: '-100', inputMode: 'decimal', className: 'w-36' } as const;
  return (
    <>
      <FilterText label={`At least (${currency})`} {...shared} error={faults.min} {...min} />
      <FilterText label={`At most (${currency})`} {...shared} error={faults.max} {...max} />
    </>
  );
}

/** The `list` of a `connection_id` field: suggests the company's connections, but any text is valid. */
export function ConnectionList({ id }: { id: string }): React.JSX.Element {
  const names = useConnectionNames(useCompany().id);
  return (
    <datalist id={id}>
      {[...names.values()].map((connection) => (
        <option key={connection.id} value={connection.id} label={connection.name} />
      ))}
    </datalist>
  );
}
