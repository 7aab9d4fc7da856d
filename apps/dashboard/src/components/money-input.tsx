import { normalizeCurrency } from '@finhook/contracts/currency';
import { type ComponentProps, useEffect, useRef } from 'react';
import { moneyText, parseMoney } from '../lib/parse-money.ts';
import { TextField } from './field.tsx';

export interface MoneyInputProps
  extends Omit<ComponentProps<typeof TextField>, 'type' | 'inputMode' | 'placeholder' | 'ref' | 'onInput'> {
  currency: string;
}

/** Sets a custom validity error, so that the form reports an invalid amount together with its other errors. */
function check(input: HTMLInputElement, currency: string): void {
  const isKnown = normalizeCurrency(currency) !== undefined;
  const parsed = isKnown && input.value.trim() !== '' ? parseMoney(input.value, currency) : undefined;
  input.setCustomValidity(parsed && 'fault' in parsed ? parsed.fault : '');
}

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
