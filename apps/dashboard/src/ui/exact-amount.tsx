import { type Cents, exactOf } from './exact-cents.ts';
import { Money } from './money.tsx';

interface ExactAmountProps {
  /** Fields of a sum as answers carry them: its cents, and its digits where it is beyond what numbers hold. */
  cents: Cents;
  digits?: string | undefined;
  currency: string;
  coloured?: boolean;
  className?: string;
}

/** A sum of any size; a dash where there is no value. */
export function ExactAmount({ cents, digits, currency, ...rest }: ExactAmountProps): React.JSX.Element {
  const value = exactOf(cents, digits);
  return value === null ? <span className="text-muted">–</span> : <Money cents={value} currency={currency} {...rest} />;
}
