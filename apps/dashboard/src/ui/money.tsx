import { formatMoney } from '@finhook/contracts/format-money';

export interface MoneyProps {
  /** Minor units; a string where the amount is beyond what JSON's numbers hold exactly. */
  cents: number | string;
  currency: string;
  /** Green and red by sign, beside the sign itself. */
  coloured?: boolean;
  className?: string;
}

/** An amount with its currency's own number of digits, in figures that stand under each other. */
export function Money({ cents, currency, coloured = false, className = '' }: MoneyProps): React.JSX.Element {
  const negative = String(cents).startsWith('-');
  const colour = coloured ? (negative ? 'text-bad' : 'text-good') : '';
  return (
    <span className={`tabular-nums whitespace-nowrap ${colour} ${className}`}>{formatMoney(cents, currency)}</span>
  );
}
