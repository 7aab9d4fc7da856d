import { normalizeCurrency } from '@finhook/contracts/currency';
import { useState } from 'react';
import { TextField } from '../../components/field.tsx';

export interface CurrencyFieldProps {
  value: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** Called with complete codes only. */
  onChange: (currency: string) => void;
}

export function CurrencyField({ value, error, hint, onChange }: CurrencyFieldProps): React.JSX.Element {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      label="Currency"
      value={typed ?? value}
      maxLength={3}
      hint={hint}
      error={typed === undefined ? error : 'Enter a currency code such as EUR.'}
      onChange={({ target }) => {
        const text = target.value.toUpperCase();
        const code = normalizeCurrency(text);
        setTyped(code === undefined ? text : undefined);
        if (code !== undefined) onChange(code);
      }}
    />
  );
}
