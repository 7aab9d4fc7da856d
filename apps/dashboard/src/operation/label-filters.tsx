import { useMemo, useState } from 'react';
import { sentenceCase } from '../components/badge.tsx';
import { FilterSeveral } from '../components/filter-several.tsx';
import { useCompany } from '../components/shell/company-context.ts';
import { useConnectionNames } from '../lib/connection-names.ts';
import { joinValues, valuesOf } from '../lib/several.ts';
import { useTransactionLabels } from '../lib/transaction-labels.ts';
import type { FilterOptions } from './resource-list.tsx';

interface Field {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export const categoryFilter: FilterOptions = { slot: (field) => <CategoryFilter {...field} /> };
export const accountFilter: FilterOptions = { slot: (field) => <AccountFilter {...field} /> };
export const classFilter: FilterOptions = { slot: (field) => <ClassFilter {...field} /> };

function CategoryFilter({ value, onChange }: Field): React.JSX.Element {
  const [isUsed, setUsed] = useState(false);
  const labels = useTransactionLabels(useCompany().id, isUsed);
  const choices = useMemo(
    () => labels?.categories.map(({ category }) => ({ value: category, label: category })),
    [labels],
  );
  return (
    <FilterSeveral
      label="Category"
      values={valuesOf(value)}
      onChange={(values) => onChange(joinValues(values))}
      choices={choices}
      onOpen={() => setUsed(true)}
    />
  );
}

/** The value that the service has for rows without a connection. */
const NONE = 'none';

function AccountFilter({ value, onChange }: Field): React.JSX.Element {
  const [isUsed, setUsed] = useState(false);
  const { id } = useCompany();
  const names = useConnectionNames(id);
  const labels = useTransactionLabels(id, isUsed);
  const ids = new Set([
    ...names.keys(),
    ...(labels?.connections ?? []).map(({ connection_id }) => connection_id ?? NONE),
  ]);
  const choices = [...ids].map((account) => ({
    value: account,
    label: account === NONE ? 'No account' : (names.get(account)?.name ?? account),
  }));
  return (
    <FilterSeveral
      label="Account"
      values={valuesOf(value)}
      onChange={(values) => onChange(joinValues(values))}
      choices={choices}
      onOpen={() => setUsed(true)}
    />
  );
}

const classes = ['counted', 'financing', 'transfer', 'excluded'].map((value) => ({
  value,
  label: sentenceCase(value),
}));

function ClassFilter({ value, onChange }: Field): React.JSX.Element {
  return (
    <FilterSeveral
      label="In the figures"
      values={valuesOf(value)}
      onChange={(values) => onChange(joinValues(values))}
      choices={classes}
    />
  );
}
