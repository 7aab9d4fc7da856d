import type { Outputs } from '../../data/trpc.ts';
import { amountBounds } from '../../ui/amount-bounds.ts';
import type { BalanceSearch } from './balance-search.ts';

export type Balance = Outputs['cash']['balances']['list']['data'][number];

export interface BalanceFilters {
  /** As the service takes them: it checks what the address says, and the page shows its refusal. */
  filters: Readonly<Record<string, string | number | boolean | undefined>>;
  /** What is wrong with an amount, by the name of its field. */
  faults: Readonly<{ min?: string; max?: string }>;
  /** The currency in which amounts are meant. */
  currency: string;
}

/**
 * The filters as the list and its exports take them. An amount means one currency: the one that is filtered by, else
 * `base`, and then only balances of that currency are selected.
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
