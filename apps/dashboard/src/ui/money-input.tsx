import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';
import { moneyText } from './parse-money.ts';

export interface MoneyInputProps extends Omit<ComponentProps<typeof TextField>, 'type' | 'inputMode' | 'placeholder'> {
  /** Decides how many digits follow the point; its code stands in the label. */
  currency: string;
}

/** A field for an amount as decimal text. `parseMoney` of what it holds says the minor units, or what is wrong. */
export function MoneyInput({ label, currency, ...rest }: MoneyInputProps): React.JSX.Element {
  return (
    <TextField
      {...rest}
      label={currency === '' ? label : `${label} (${currency.toUpperCase()})`}
      placeholder={moneyText(0, currency.toUpperCase())}
      inputMode="decimal"
      spellCheck={false}
    />
  );
}
