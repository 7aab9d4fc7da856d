import { amountBounds } from '../../lib/parse-money.ts';
import type { Outputs } from '../../lib/trpc.ts';
import type { BalanceSearch } from './balance-search.ts';

export type Balance = Outputs['cash']['balances']['list']['data'][number];

export interface BalanceFilters {
  /** Query filters; the service validates the URL's values, and the page shows its error. */
  filters: Readonly<Record<string, string | number | boolean | undefined>>;
  faults: Readonly<{ min?: string; max?: string }>;
  currency: string;
}

/**
 * Converts the URL's filters for the list and its exports. An amount filter needs one currency: the one in the filter,
 * else `base`, and then only balances in that currency are selected.
 */
export function balanceFilters(search: BalanceSearch, base: string): BalanceFilters {
  const { as_of_from, as_of_to, connection_id, source, min, max, latest } = search;
  const currency = search.currency?.toUpperCase() ?? base;
  const { cents, faults } = amountBounds(search, currency);
  const filters = {
    as_of_from,
    as_of_to,
    connection_id,
    source,
    currency: search.currency ?? (min !== undefined || max !== undefined ? base : undefined),
    min_balance_cents: cents.min,
    max_balance_cents: cents.max,
    latest: latest === 'true' ? true : undefined,
  };
  return { filters, faults, currency };
}
