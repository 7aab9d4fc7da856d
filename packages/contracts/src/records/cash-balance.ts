import { z } from 'zod';
import { amount, currency, currencyInput, date, id, localDate, optional, text, timestamp } from '../scalars.ts';

export const connectionId = text(1, 255);
export const source = text(1, 100);

/** One cash balance as a provider posts it. */
export const cashBalanceInput = {
  as_of: localDate,
  balance_cents: amount,
  currency: currencyInput,
  source: optional(source),
  connection_id: optional(connectionId),
};

export const cashBalance = z
  .object({
    id: id('bal'),
    object: z.literal('cash_balance'),
    account_id: id('acct'),
    company_id: id('co'),
    as_of: date,
    balance_cents: z.int(),
    currency,
    source: z.string(),
    connection_id: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CashBalance' });
export type CashBalance = z.output<typeof cashBalance>;

/** What a post did to the stored balance. */
export const balanceResult = z.enum(['created', 'updated', 'unchanged']);

/** What the balance was before the post. */
export const previousBalance = z
  .int()
  .optional()
  .meta({ description: 'Absent when there was no balance before, and when that was of another currency' });
