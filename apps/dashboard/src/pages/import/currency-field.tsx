import { normalizeCurrency } from '@finhook/contracts/currency';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';

export interface CurrencyFieldProps {
  value: string;
  error?: string | undefined;
  hint?: string | undefined;
  suggestion?: string | undefined;
  onChange: (currency: string) => void;
}

export function CurrencyField({ value, error, hint, suggestion, onChange }: CurrencyFieldProps): React.JSX.Element {
  const [typed, setTyped] = useState<string>();
  return (
    <div className="flex flex-col items-start gap-2">
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
      {suggestion !== undefined && (
        <Button size="small" onClick={() => onChange(suggestion)}>
          Use {suggestion}
        </Button>
      )}
    </div>
  );
}
