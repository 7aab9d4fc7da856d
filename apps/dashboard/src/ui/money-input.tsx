import { normalizeCurrency } from '@finhook/contracts/currency';
import { type ComponentProps, useEffect, useRef } from 'react';
import { TextField } from './field.tsx';
import { moneyText, parseMoney } from './parse-money.ts';

export interface MoneyInputProps
  extends Omit<ComponentProps<typeof TextField>, 'type' | 'inputMode' | 'placeholder' | 'ref' | 'onInput'> {
  /** Decides how many digits follow the point; its code stands in the label. */
  currency: string;
}

/** Has the form refuse what is no amount of a known currency, together with everything else that is wrong in it. */
function check(input: HTMLInputElement, currency: string): void {
  const isKnown = normalizeCurrency(currency) !== undefined;
  const parsed = isKnown && input.value.trim() !== '' ? parseMoney(input.value, currency) : undefined;
  input.setCustomValidity(parsed && 'fault' in parsed ? parsed.fault : '');
}

/** A field for an amount as decimal text. `parseMoney` of what it holds says the minor units, or what is wrong. */
export function MoneyInput({ label, currency, ...rest }: MoneyInputProps): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) check(input.current, currency);
  });
  return (
    <TextField
      {...rest}
      ref={input}
      onInput={({ currentTarget }) => check(currentTarget, currency)}
      label={currency === '' ? label : `${label} (${currency.toUpperCase()})`}
      placeholder={moneyText(0, currency.toUpperCase())}
      inputMode="decimal"
      spellCheck={false}
    />
  );
}
