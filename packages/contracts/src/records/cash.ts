import { z } from 'zod';
import {
  amount,
  connectionId,
  currency,
  currencyInput,
  date,
  exactCents,
  id,
  identity,
  localDate,
  objectType,
  optional,
  source,
  timestamp,
  timestamps,
  withDescriptionsOf,
} from '../scalars.ts';
import { freshnessGrade } from './freshness.ts';
import { ratesMissing, usedRates } from './fx-rates.ts';
import { warnings } from './list.ts';

export const accountType = z.enum(['depository', 'investment', 'restricted', 'credit_card', 'loan']);
export type AccountType = z.output<typeof accountType>;

export const cashBalance = z
  .object({
    ...identity('bal', 'cash_balance'),
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
    account_type: accountType
      .nullable()
      .describe(
        'What the account is, as the sender says. The newest post that names a type decides for the connection, unless the financial settings name one: balances of `depository` and `investment` accounts are cash, those of `restricted` accounts are not, those of `credit_card` and `loan` accounts are owed. Null if the post named none.',
      ),
    ...timestamps,
  })
  .meta({ id: 'CashBalance', description: 'The cash balance of one connection on one day.' });
export type CashBalance = z.output<typeof cashBalance>;

export const cashBalanceInput = withDescriptionsOf(cashBalance, {
  as_of: localDate,
  balance_cents: amount,
  currency: currencyInput,
  source: optional(source),
  connection_id: optional(connectionId),
  account_type: optional(accountType),
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

const cashOnHandLine = z
  .object({
    currency,
    ...exactCents('balance', 'Sum of the balances.'),
    ...exactCents('investment', 'Part of the sum that `investment` accounts hold.'),
    streams: z.int().describe('Number of connections that the sum consists of.'),
    oldest_as_of: date.describe('Day of the oldest balance in the sum.'),
    newest_as_of: date.describe('Day of the newest balance in the sum.'),
    as_of_spread_days: z.int().describe('Calendar days between the oldest and the newest balance.'),
    ...exactCents('stale', 'Part of the sum that comes from stale connections.'),
    stale_streams: z.int().describe('Number of connections whose balance is stale.'),
    freshness: freshnessGrade.describe('Grade of the oldest data in the sum.'),
  })
  .meta({
    id: 'CashOnHandLine',
    description: 'Cash on hand in one currency: the newest balance of each connection, added up. Never converted.',
  });
export type CashOnHandLine = z.output<typeof cashOnHandLine>;

const cashSeries = z
  .object({
    connection_id: z.string().nullable().describe('Connection of the balance; null for rows that name none.'),
    currency,
    balance_cents: z.int().describe('Newest balance in minor currency units.'),
    as_of: date.describe('Calendar day that the balance applies to.'),
    received_at: timestamp.describe('When the balance was received (UTC).'),
    freshness: freshnessGrade.describe('How recent the balance is, compared with the expected hourly cadence.'),
  })
  .meta({ id: 'CashStream', description: 'The newest balance of one connection.' });
export type CashSeries = z.output<typeof cashSeries>;

const exclusionReason = z.enum(['disconnected', 'user', 'restricted', 'credit_card', 'loan']);
export type ExclusionReason = z.output<typeof exclusionReason>;

export const cashOnHand = z
  .object({
    object: objectType('cash_on_hand'),
    company_id: id('co'),
    as_of: date.describe("Today in the company's time zone."),
    headline: z
      .object({ currency, ...exactCents('balance', 'Cash on hand.') })
      .nullable()
      .describe("The first line: the company's base currency if it has cash in it; null without any balance."),
    lines: z.array(cashOnHandLine).describe('Cash on hand, one entry per currency.'),
    total: cashOnHandLine
      .extend({ rates: usedRates })
      .meta({ id: 'CashOnHandTotal', description: 'Cash on hand of all currencies, in the base currency.' })
      .nullable()
      .describe('All lines in the base currency; null if a rate is missing, and without lines.'),
    rates_missing: ratesMissing,
    streams: z.array(cashSeries).describe('The balances that are counted.'),
    excluded: z
      .array(
        cashSeries.extend({
          reason: exclusionReason.describe(
            '`disconnected` connections, those that the settings exclude (`user`), and accounts whose type is not cash.',
          ),
          owed_cents: z
            .int()
            .optional()
            .describe(
              'What the account owes in minor currency units, whatever the sign of its balances: negative if the bank owes the company. Only with the reasons `credit_card` and `loan`.',
            ),
        }),
      )
      .describe('The balances that are not counted.'),
    warnings,
  })
  .meta({ id: 'CashOnHand', description: 'Cash on hand of a company per currency.' });
export type CashOnHand = z.output<typeof cashOnHand>;

/** The newest balance per connection at the end of each day, carried forward, never interpolated. */
export const cashHistory = z
  .object({
    object: objectType('cash_history'),
    company_id: id('co'),
    from: date.describe('First day of the history.'),
    to: date.describe("Last day of the history: today in the company's time zone."),
    lines: z
      .array(
        z.object({
          currency,
          points: z
            .array(
              z.object({
                date: date.describe('The day.'),
                ...exactCents('balance', 'Sum of the balances at the end of the day.'),
                streams: z.int().describe('Number of connections that the sum consists of.'),
              }),
            )
            .describe('The days, oldest first.'),
        }),
      )
      .describe('Sum per day, one entry per currency.'),
    streams: z
      .array(
        z.object({
          connection_id: z.string().nullable().describe('Connection of the balances; null for rows that name none.'),
          excluded: exclusionReason
            .nullable()
            .describe('Why the connection is not counted in the sums; null if it is.'),
          points: z
            .array(
              z.object({
                date: date.describe('The day that the balance is shown for.'),
                as_of: date.describe('Day of the balance, which is carried forward until a newer one.'),
                balance_cents: z.int().describe('Balance at the end of the day in minor currency units.'),
                currency,
              }),
            )
            .describe('The days, oldest first.'),
        }),
      )
      .describe('Balance per day, one entry per connection.'),
  })
  .meta({ id: 'CashHistory', description: 'Cash per day. Balances are carried forward, never interpolated.' });
export type CashHistory = z.output<typeof cashHistory>;
