import type { FinancialSnapshot, LineItem } from '@finhook/contracts';
import { type Rational, rational, roundHalfEven } from '../../../input/exact-arithmetic.ts';

export type StatementContent = Pick<
  FinancialSnapshot,
  'statement_type' | 'period_start' | 'period_end' | 'currency' | 'totals' | 'line_items'
>;

/** Keys of the income tax; the first one in a statement counts. */
export const TAX_KEYS: readonly string[] = [
  'income_tax',
  'income_taxes',
  'income_tax_expense',
  'provision_for_income_taxes',
  'corporate_tax',
  'corporation_tax',
  'tax_expense',
  'taxes',
  'tax',
];

/** Keys of costs: negative as line items, positive as totals (some senders use negative totals). */
export const COST_KEYS: ReadonlySet<string> = new Set([
  'cogs',
  'opex',
  'other_expense',
  'interest_expense',
  ...TAX_KEYS,
]);

export const LIABILITY_KEYS: readonly string[] = [
  'accounts_payable',
  'credit_cards',
  'other_current_liabilities',
  'current_liabilities',
  'long_term_liabilities',
  'total_liabilities',
];

export interface StatementValues {
  of(key: string): bigint | undefined;
  /** Two amounts if a cost total is negative: it may be a credit, or the sender's sign for all costs. */
  costsOf(key: string): readonly bigint[];
  negativeCosts: readonly string[];
  total(key: string): bigint | undefined;
  line(key: string): bigint | undefined;
}

export function readValues({ totals, line_items }: Pick<StatementContent, 'totals' | 'line_items'>): StatementValues {
  const total = (key: string): bigint | undefined =>
    Object.hasOwn(totals, key) ? toMinorUnits(totals[key]) : undefined;
  const line = (key: string): bigint | undefined => lineAmount(line_items, key);
  const negativeCosts = [...COST_KEYS].filter((key) => (total(key) ?? 0n) < 0n);
  return {
    total,
    line,
    of: (key) => total(key) ?? line(key),
    costsOf(key) {
      const [posted, amount] = [total(key), line(key)];
      if (posted !== undefined) return negativeCosts.length > 0 ? [posted, -posted] : [posted];
      return amount === undefined ? [] : [-amount];
    },
    negativeCosts,
  };
}

function lineAmount(items: readonly LineItem[], key: string): bigint | undefined {
  const counted = countedLines(items.filter((item) => item.key === key));
  if (counted.length === 0) return undefined;
  return counted.reduce((sum, item) => sum + BigInt(item.amount_cents), 0n);
}

/** The first total of lines with the same key, else all. */
export function countedLines(lines: readonly LineItem[]): readonly LineItem[] {
  const total = lines.find((item) => item.is_total);
  return total === undefined ? lines : [total];
}

/** A fraction is rounded half-even; the request that stored it got a warning. */
function toMinorUnits(value: number | undefined): bigint | undefined {
  return value === undefined || !Number.isFinite(value) ? undefined : roundHalfEven(exactFraction(value));
}

function exactFraction(value: number): Rational {
  let [n, d] = [value, 1n];
  while (!Number.isInteger(n)) [n, d] = [n * 2, d * 2n];
  return rational(BigInt(n), d);
}
