import { useState } from 'react';
import { SuggestField, type SuggestFieldProps } from '../../components/suggest-field.tsx';
import { useTransactionLabels } from '../../lib/transaction-labels.ts';

interface CategoryFieldProps extends Omit<SuggestFieldProps, 'label' | 'onFocus' | 'suggestions' | 'maxLength'> {
  companyId: string;
}

/** A category, which is any text. The company's own ones are read and suggested once the field is used. */
export function CategoryField({ companyId, ...rest }: CategoryFieldProps): React.JSX.Element {
  const [isUsed, setUsed] = useState(false);
  const labels = useTransactionLabels(companyId, isUsed);
  return (
    <SuggestField
      {...rest}
      label="Category"
      onFocus={() => setUsed(true)}
      suggestions={labels?.categories.map(({ category }) => category) ?? []}
      maxLength={100}
    />
  );
}
