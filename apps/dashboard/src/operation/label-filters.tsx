import { useMemo, useState } from 'react';
import { sentenceCase } from '../components/badge.tsx';
import { FilterSeveral } from '../components/filter-several.tsx';
import { useCompany } from '../components/shell/company-context.ts';
import { accountName, useConnectionNames } from '../lib/connection-names.ts';
import { joinValues, valuesOf } from '../lib/several.ts';
import { useTransactionAccounts, useTransactionLabels } from '../lib/transaction-labels.ts';
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

function AccountFilter({ value, onChange }: Field): React.JSX.Element {
  const [isUsed, setUsed] = useState(false);
  const { id } = useCompany();
  const names = useConnectionNames(id);
  const used = useTransactionAccounts(id, isUsed);
  const ids = new Set([...names.keys(), ...used]);
  const choices = [...ids].map((account) => ({
    value: account,
    label: accountName(names, account),
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
