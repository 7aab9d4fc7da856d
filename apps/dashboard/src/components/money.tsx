import { formatMoney } from '@finhook/contracts/currency';
import { Fragment } from 'react';
import { type Cents, exactOf } from '../lib/exact-cents.ts';

export interface MoneyProps {
  /** Minor units; a string beyond the safe integer range. */
  cents: number | string;
  currency: string;
  coloured?: boolean;
  className?: string;
}

export const breaksFigures = 'wrap-anywhere [&_span]:whitespace-normal [&_wbr]:inline!';

export function Money({ cents, currency, coloured = false, className = '' }: MoneyProps): React.JSX.Element {
  const negative = String(cents).startsWith('-');
  const colour = coloured ? (negative ? 'text-bad' : 'text-good') : '';
  const [first = '', ...groups] = formatMoney(cents, currency).split(',');
  return (
    <span className={`tabular-nums whitespace-nowrap [&_wbr]:hidden ${colour} ${className}`}>
      {first}
      {/* A long amount wraps between its digit groups where the container allows it (`breaksFigures`). */}
      {groups.map((group, i) => (
        <Fragment key={`${i} ${group}`}>
          ,<wbr />
          {group}
        </Fragment>
      ))}
    </span>
  );
}

interface ExactAmountProps {
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
