import { type Cents, exactOf } from '../lib/exact-cents.ts';
import { Money } from './money.tsx';

interface ExactAmountProps {
  /** The fields of an amount in a response: cents, and digits beyond the safe integer range. */
  cents: Cents;
  digits?: string | undefined;
  currency: string;
  coloured?: boolean;
  className?: string;
}

export function ExactAmount({ cents, digits, currency, ...rest }: ExactAmountProps): React.JSX.Element {
  const value = exactOf(cents, digits);
  return value === null ? <span className="text-muted">–</span> : <Money cents={value} currency={currency} {...rest} />;
}
