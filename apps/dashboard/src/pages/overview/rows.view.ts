import type { TransactionSearch } from '../../search-names.ts';

/** The transactions that a figure consists of. */
export interface RowFilter {
  /** Months (`YYYY-MM`), oldest first. */
  months: readonly string[];
  /** Undefined for a figure of all currencies. */
  currency?: string | undefined;
  direction?: 'in' | 'out' | undefined;
  /** Exact labels. */
  category?: string;
  counterparty?: string;
}

/** The last day of a month (`YYYY-MM`). */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** The month so many months after another one (`YYYY-MM`). */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/**
 * The filters of the page of transactions: those that count, of the newest of the months. What a transaction counts as is known
 * by month, and a list of all that was posted would show others beside them.
 */
export function transactionSearch({ months, currency, direction, ...labels }: RowFilter): TransactionSearch {
  const month = months.at(-1);
  return {
    ...(month !== undefined && { month, counted_as: 'counted' }),
    ...(currency !== undefined && { currency }),
    ...(direction !== undefined && { direction }),
    ...labels,
  };
}

export interface BalanceFilter {
  currency?: string | undefined;
  /** The balances that stood at the end of this month (`YYYY-MM`), the newest first; without it, the current ones. */
  until?: string | undefined;
}

/** The filters of the page of balances. */
export function balanceSearch({ currency, until }: BalanceFilter): Record<string, string> {
  return {
    ...(until === undefined ? { latest: 'true' } : { as_of_to: lastDayOf(until) }),
    ...(currency !== undefined && { currency }),
  };
}
