import { amountBounds, parseMoney } from '../../lib/parse-money.ts';
import { fieldOf } from '../../lib/problem.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { dayStart } from '../../lib/zoned-time.ts';
import type { TransactionSearch } from './transaction-search.ts';

export type Transaction = Outputs['bank']['transactions']['list']['data'][number];

/** Filters of the list and its exports from those in the URL. Days are in `zone`, the last one included. */
export function transactionQuery(search: TransactionSearch, zone: string, base: string) {
  const { posted_from, posted_to } = search;
  const { cents, only } = amountBounds(search, base);
  return {
    ...search,
    posted_from: posted_from && (dayStart(posted_from, zone) ?? posted_from),
    posted_to: posted_to && (dayStart(posted_to, zone, 1) ?? posted_to),
    currency: only,
    min: undefined,
    max: undefined,
    min_amount_cents: cents.min,
    max_amount_cents: cents.max,
  };
}

export interface AmountInput {
  amount: string | undefined;
  currency: string;
  direction: string;
}

/** Parses an unsigned amount and applies the direction: signed minor units, or an error. */
export function signedAmount({ amount, currency, direction }: AmountInput): { cents: number } | { fault: string } {
  if (amount === undefined) return { fault: 'Enter an amount.' };
  const parsed = parseMoney(amount, currency);
  if ('fault' in parsed) return parsed;
  if (/^[+\-\u2212]/.test(amount.trim())) return { fault: 'Enter the amount without a sign and choose a direction.' };
  return { cents: direction === 'out' && parsed.cents !== 0 ? -parsed.cents : parsed.cents };
}

/** True if a `bank.transaction.posted` event's data contains the transaction. */
export function carries(data: unknown, transactionId: string): boolean {
  const rows = fieldOf(data, 'transactions');
  return Array.isArray(rows) && rows.some((row: unknown) => fieldOf(row, 'id') === transactionId);
}
