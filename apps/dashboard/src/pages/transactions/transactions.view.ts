import { amountBounds, parseMoney } from '../../lib/parse-money.ts';
import { fieldOf } from '../../lib/problem.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { dayStart } from '../../lib/zoned-time.ts';
import type { TransactionSearch } from './transaction-search.ts';

export type Transaction = Outputs['bank']['transactions']['list']['data'][number];

export const moreFilters = [
  'category',
  'counterparty',
  'currency',
  'min',
  'max',
  'source',
  'external_id',
  'order',
] as const;

export interface TransactionFilters {
  /** Query filters; the service validates the URL's values, and the page shows its error. */
  filters: Readonly<Record<string, string | number | undefined>>;
  faults: Readonly<{ min?: string; max?: string }>;
  currency: string;
}

/**
 * Converts the URL's filters for the list and its exports. Days are in `zone`, the last one included. An amount filter
 * needs one currency: the one in the filter, else `base`, and then only rows in that currency are selected.
 */
export function transactionFilters(search: TransactionSearch, zone: string, base: string): TransactionFilters {
  const { q, posted_from, posted_to, direction, category, counterparty, connection_id, source, external_id } = search;
  const currency = search.currency?.toUpperCase() ?? base;
  const { cents, faults } = amountBounds(search, currency);
  const hasAmount = search.min !== undefined || search.max !== undefined;
  return {
    filters: {
      q,
      posted_from: posted_from && (dayStart(posted_from, zone) ?? posted_from),
      posted_to: posted_to && (dayStart(posted_to, zone, 1) ?? posted_to),
      direction,
      category,
      counterparty,
      connection_id,
      currency: search.currency ?? (hasAmount ? base : undefined),
      min_amount_cents: cents.min,
      max_amount_cents: cents.max,
      source,
      external_id,
      order: search.order,
    },
    faults,
    currency,
  };
}

export interface AmountInput {
  amount: string | undefined;
  currency: string;
  direction: string;
}

/** Parses an unsigned amount and applies the direction: signed minor units, or an error. */
export function signedAmount({ amount, currency, direction }: AmountInput): { cents: number } | { fault: string } {
  if (amount === undefined) return { fault: 'Write the amount.' };
  const parsed = parseMoney(amount, currency);
  if ('fault' in parsed) return parsed;
  if (/^[+\-\u2212]/.test(amount.trim()))
    return { fault: 'Write the amount without a sign, and choose its direction.' };
  return { cents: direction === 'out' && parsed.cents !== 0 ? -parsed.cents : parsed.cents };
}

/** True if a `bank.transaction.posted` event's data contains the transaction. */
export function carries(data: unknown, transactionId: string): boolean {
  const rows = fieldOf(data, 'transactions');
  return Array.isArray(rows) && rows.some((row: unknown) => fieldOf(row, 'id') === transactionId);
}
