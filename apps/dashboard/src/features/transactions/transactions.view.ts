import { fieldOf } from '../../data/field-of.ts';
import type { Outputs } from '../../data/trpc.ts';
import { amountBounds } from '../../ui/amount-bounds.ts';
import { parseMoney } from '../../ui/parse-money.ts';
import { dayStart } from '../../ui/zoned-time.ts';
import type { TransactionSearch } from './transaction-search.ts';

export type Transaction = Outputs['bank']['transactions']['list']['data'][number];

/** Filters that are looked for less often stand behind "More filters". */
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
  /** As the service takes them: it checks what the address says, and the page shows its refusal. */
  filters: Readonly<Record<string, string | number | undefined>>;
  /** What is wrong with an amount, by the name of its field. */
  faults: Readonly<{ min?: string; max?: string }>;
  /** The currency in which amounts are meant. */
  currency: string;
}

/**
 * The filters as the list and its exports take them. Days are those of `zone`, the last one included. An amount means
 * one currency: the one that is filtered by, else `base`, and then only rows of that currency are selected.
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

/** Signed minor units of an amount that is typed without its sign, or what is wrong with it. */
export function signedAmount({ amount, currency, direction }: AmountInput): { cents: number } | { fault: string } {
  if (amount === undefined) return { fault: 'Write the amount.' };
  const parsed = parseMoney(amount, currency);
  if ('fault' in parsed) return parsed;
  if (/^[+\-\u2212]/.test(amount.trim()))
    return { fault: 'Write the amount without a sign, and choose its direction.' };
  return { cents: direction === 'out' && parsed.cents !== 0 ? -parsed.cents : parsed.cents };
}

/** Whether the data of a `bank.transaction.posted` event carries the transaction. */
export function carries(data: unknown, transactionId: string): boolean {
  const rows = fieldOf(data, 'transactions');
  return Array.isArray(rows) && rows.some((row: unknown) => fieldOf(row, 'id') === transactionId);
}
