import { useState } from 'react';
import { SuggestField, type SuggestFieldProps } from '../../components/suggest-field.tsx';
import { useTransactionLabels } from '../../lib/transaction-labels.ts';

interface CategoryFieldProps extends Omit<SuggestFieldProps, 'label' | 'onFocus' | 'suggestions' | 'maxLength'> {
  companyId: string;
}

/** A category of the company or a new one. Those that it has are read once the field is used. */
export function CategoryField({ companyId, ...rest }: CategoryFieldProps): React.JSX.Element {
  const [isUsed, setUsed] = useState(false);
  const { labels, isError } = useTransactionLabels(companyId, isUsed);
  return (
    <SuggestField
      {...rest}
      label="Category"
      onFocus={() => setUsed(true)}
      suggestions={labels?.categories.map(({ category }) => category) ?? (isError ? [] : undefined)}
      maxLength={100}
    />
  );
}
