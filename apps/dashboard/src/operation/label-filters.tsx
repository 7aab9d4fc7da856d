import { useMemo, useState } from 'react';
import { FilterSeveral, type FilterSeveralProps } from '../components/filter-several.tsx';
import { useCompany } from '../components/shell/company-context.ts';
import { accountName, useConnectionNames, useSendingAccounts } from '../lib/connection-names.ts';
import { joinValues, valuesOf } from '../lib/several.ts';
import { useTransactionLabels } from '../lib/transaction-labels.ts';
import type { FilterOptions } from './list-filters.tsx';

interface Field {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A filter whose values are one search parameter. */
function Several({ value, onChange, ...rest }: Field & Omit<FilterSeveralProps, 'values' | 'onChange'>) {
  return <FilterSeveral values={valuesOf(value)} onChange={(values) => onChange(joinValues(values))} {...rest} />;
}

export const categoryFilter: FilterOptions = { slot: (field) => <CategoryFilter {...field} /> };
export const accountFilter: FilterOptions = { slot: (field) => <AccountFilter {...field} /> };

function CategoryFilter(field: Field): React.JSX.Element {
  const [isUsed, setUsed] = useState(false);
  const { labels } = useTransactionLabels(useCompany().id, isUsed);
  const choices = useMemo(
    () => labels?.categories.map(({ category }) => ({ value: category, label: category })),
    [labels],
  );
  return <Several label="Category" {...field} choices={choices} onOpen={() => setUsed(true)} />;
}

function AccountFilter(field: Field): React.JSX.Element {
  const [isUsed, setUsed] = useState(false);
  const { id } = useCompany();
  const names = useConnectionNames(id);
  const used = useSendingAccounts(id, isUsed);
  const ids = new Set([...names.keys(), ...used]);
  const choices = [...ids].map((account) => ({
    value: account,
    label: accountName(names, account),
  }));
  return <Several label="Account" {...field} choices={choices} onOpen={() => setUsed(true)} />;
}
