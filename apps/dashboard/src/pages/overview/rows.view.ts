import type { TransactionSearch } from '../transactions/transaction-search.ts';

/** The transactions that a figure consists of. */
export interface RowFilter {
  /** Months (`YYYY-MM`), without gaps and oldest first. */
  months: readonly string[];
  /** Undefined for a figure of all currencies. */
  currency?: string | undefined;
  direction?: 'in' | 'out' | undefined;
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

/** The filters of the page of transactions. */
export function transactionSearch({ months, currency, direction }: RowFilter): TransactionSearch {
  const [first, last] = [months[0], months.at(-1)];
  return {
    ...(first !== undefined && last !== undefined && { posted_from: `${first}-01`, posted_to: lastDayOf(last) }),
    ...(currency !== undefined && { currency }),
    ...(direction !== undefined && { direction }),
  };
}

/** The filters of the page of balances: the newest one of each account. */
export function balanceSearch(currency?: string): { latest: string; currency?: string } {
  return { latest: 'true', ...(currency !== undefined && { currency }) };
}
