import { currencyExponent } from '@finhook/contracts/currency';
import { type Amount, amountIn, bigOf, exactOf } from '../../lib/exact-cents.ts';
import { formatCount, formatPercent } from '../../lib/format-number.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { labelOf } from '../financials/statement.view.ts';

type Statements = Outputs['financials']['statements'];

export interface StatementLine {
  key: string;
  label: string;
  isTotal: boolean;
  /** In the order of the columns; null where the statement of the month does not have the row. */
  amounts: ReadonlyArray<Amount | null>;
  yearToDate: Amount;
}

const MOST_LINES = 14;

/**
 * The rows of the table: all if they are few, else the totals and the rows that are not nested, else the totals. `hidden`
 * counts the rest.
 */
export function statementLines({ months, rows }: Statements): { lines: StatementLine[]; hidden: number } {
  const outer = rows.filter(({ is_total, indent }) => is_total || indent === 0);
  const fitting = [rows, outer, rows.filter(({ is_total }) => is_total)].find((some) => some.length <= MOST_LINES);
  const shown = fitting ?? outer.slice(0, MOST_LINES);
  const lines = shown.map((row): StatementLine => {
    const byMonth = new Map(row.months.map((cell) => [cell.month, amountIn(cell, 'amount')]));
    return {
      key: row.key,
      label: row.label === '' ? labelOf(row.key) : row.label,
      isTotal: row.is_total,
      amounts: months.map(({ month }) => byMonth.get(month) ?? null),
      yearToDate: amountIn(row, 'year_to_date'),
    };
  });
  return { lines, hidden: rows.length - shown.length };
}

/** An amount in whole units of the currency, rounded half away from zero, with a minus sign; `–` without one. */
export function wholeUnits(amount: Amount | null, currency: string): string {
  if (amount === null || exactOf(amount.cents, amount.digits) === null) return '–';
  const value = bigOf(amount.cents, amount.digits);
  const unit = 10n ** BigInt(currencyExponent(currency));
  const size = ((value < 0n ? -value : value) + unit / 2n) / unit;
  return `${value < 0n && size > 0n ? '-' : ''}${formatCount(size)}`;
}

/** `72.5 %`; `–` if it is unknown. */
export function percentText(percent: number | null | undefined): string {
  return percent == null ? '–' : formatPercent(percent);
}

/** The class of a column; `before` is the number of newer columns. Narrow screens show only the newest ones. */
export function columnClass(before: number): string {
  if (before < 2) return '';
  if (before < 4) return 'hidden sm:table-cell';
  if (before < 6) return 'hidden lg:table-cell';
  if (before < 8) return 'hidden xl:table-cell';
  return 'hidden 2xl:table-cell';
}
