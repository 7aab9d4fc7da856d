import type { Outputs } from '../../data/trpc.ts';
import { parseMoney } from '../../ui/parse-money.ts';

export type Balance = Outputs['cash']['balances']['list']['data'][number];

/** The filters of the page as they stand in the address. */
export interface BalanceSearch {
  as_of_from?: string;
  as_of_to?: string;
  connection_id?: string;
  source?: string;
  currency?: string;
  min?: string;
  max?: string;
  latest?: string;
}

/** The names of all filters: what "Clear filters" clears. */
export const filterNames = [
  'as_of_from',
  'as_of_to',
  'connection_id',
  'source',
  'currency',
  'min',
  'max',
  'latest',
] as const satisfies ReadonlyArray<keyof BalanceSearch>;

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
  const faults: { min?: string; max?: string } = {};
  const cents = (name: 'min' | 'max', text: string | undefined): number | undefined => {
    if (text === undefined) return undefined;
    const parsed = parseMoney(text, currency);
    if (!('fault' in parsed)) return parsed.cents;
    faults[name] = parsed.fault;
    return undefined;
  };
  const filters = {
    as_of_from,
    as_of_to,
    connection_id,
    source,
    currency: search.currency ?? (min !== undefined || max !== undefined ? base : undefined),
    min_balance_cents: cents('min', min),
    max_balance_cents: cents('max', max),
    latest: latest === 'true' ? true : undefined,
  };
  return { filters, faults, currency };
}
