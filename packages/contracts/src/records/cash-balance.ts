import { z } from 'zod';
import {
  amount,
  createdAt,
  currency,
  currencyInput,
  date,
  describedAs,
  id,
  localDate,
  objectType,
  optional,
  text,
  updatedAt,
} from '../scalars.ts';

export const connectionId = text(1, 255);
export const source = text(1, 100);

export const cashBalance = z
  .object({
    id: id('bal'),
    object: objectType('cash_balance'),
    account_id: id('acct'),
    company_id: id('co'),
    as_of: date.describe('Calendar day (`YYYY-MM-DD`) that the balance applies to.'),
    balance_cents: z.int().describe('Balance in minor currency units; negative if overdrawn.'),
    currency: currency.describe('ISO 4217 currency code of the balance.'),
    source: z.string().describe('Label of the provider or tool that sent the balance; `api` by default.'),
    connection_id: z
      .string()
      .nullable()
      .describe(
        'Connection the balance belongs to: any label of the provider, or the ID of a bank connection (`conn_…`); null for none. A company has one balance per day and connection.',
      ),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: 'CashBalance', description: 'The cash balance of one connection on one day.' });
export type CashBalance = z.output<typeof cashBalance>;

export const cashBalanceInput = describedAs(cashBalance, {
  as_of: localDate,
  balance_cents: amount,
  currency: currencyInput,
  source: optional(source),
  connection_id: optional(connectionId),
});

export const balanceResult = z
  .enum(['created', 'updated', 'unchanged'])
  .describe('What the request did to the stored balance.');

export const previousBalance = z
  .int()
  .optional()
  .describe(
    'Balance before the request, in minor currency units. Absent if there was none or it was in another currency.',
  );
