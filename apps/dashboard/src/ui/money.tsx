import { formatMoney } from '@finhook/contracts/currency';
import { Fragment } from 'react';

export interface MoneyProps {
  /** Minor units; a string where the amount is beyond what JSON's numbers hold exactly. */
  cents: number | string;
  currency: string;
  /** Green and red by sign, beside the sign itself. */
  coloured?: boolean;
  className?: string;
}

/** The class of a place in which an amount that is too long for it wraps. */
export const breaksFigures = 'wrap-anywhere [&_span]:whitespace-normal [&_wbr]:inline!';

/** An amount with its currency's own number of digits, in figures that stand under each other. */
export function Money({ cents, currency, coloured = false, className = '' }: MoneyProps): React.JSX.Element {
  const negative = String(cents).startsWith('-');
  const colour = coloured ? (negative ? 'text-bad' : 'text-good') : '';
  const [first = '', ...groups] = formatMoney(cents, currency).split(',');
  return (
    <span className={`tabular-nums whitespace-nowrap [&_wbr]:hidden ${colour} ${className}`}>
      {first}
      {/* Where a long one may wrap (`breaksFigures`), it does so between its groups of digits. */}
      {groups.map((group, i) => (
        <Fragment key={`${i} ${group}`}>
          ,<wbr />
          {group}
        </Fragment>
      ))}
    </span>
  );
}
