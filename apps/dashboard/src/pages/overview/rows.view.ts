import type { TransactionSearch } from '../../search-names.ts';
import type { Transaction } from '../transactions/transactions.view.ts';

/** The transactions that a figure consists of. */
export interface RowFilter {
  /** Months (`YYYY-MM`), oldest first. */
  months: readonly string[];
  /** Undefined for a figure of all currencies. */
  currency?: string | undefined;
  direction?: 'in' | 'out' | undefined;
  /** The class of transactions that the figures leave out. By default, the rows are the transactions that count. */
  countedAs?: NonNullable<Transaction['counted_as']>['flow_class'];
  /** Those that the figures leave out, of all classes. */
  leftOut?: boolean;
  /** Keys of the breakdown; `NONE` for transactions without one. */
  category_key?: string;
  counterparty_key?: string;
  /** `none` for transactions without one. */
  connection_id?: string;
}

/** The last day of a month (`YYYY-MM`). */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** The filters of the page of transactions. What a transaction counts as is known by month. */
export function transactionSearch(rows: RowFilter): TransactionSearch {
  const { months, currency, direction, countedAs, leftOut = false, ...keys } = rows;
  const [month, last] = [months[0], months.at(-1)];
  const inFigures = countedAs === undefined ? { counts: `${!leftOut}` } : { counted_as: countedAs };
  return {
    ...(month !== undefined && { month, ...inFigures }),
    ...(last !== month && { month_to: last }),
    ...(currency !== undefined && { currency }),
    ...(direction !== undefined && { direction }),
    ...keys,
  };
}

export interface BalanceFilter {
  currency?: string | undefined;
  /** Each account's balance at the end of this month (`YYYY-MM`); without it, the current one. */
  until?: string | undefined;
}

/** The filters of the page of balances. */
export function balanceSearch({ currency, until }: BalanceFilter): Record<string, string> {
  return {
    latest: 'true',
    ...(until !== undefined && { as_of_to: lastDayOf(until) }),
    ...(currency !== undefined && { currency }),
  };
}
