import { z } from 'zod';
import { currency, date, id, timestamp } from '../scalars.ts';
import { exactCents } from './exact-cents.ts';

/** A calendar month in the company's time zone, `YYYY-MM`. */
export const month = z.string().meta({ pattern: '^\\d{4}-\\d{2}$', examples: ['2026-02'] });

/** Money in and out of one currency in one month; transfers, replaced rows and the like are left out and told beside. */
export const monthlyFlow = z
  .object({
    currency,
    ...exactCents('money_in'),
    ...exactCents('money_out', 'Positive'),
    ...exactCents('net', 'money_in − money_out'),
    ...exactCents('excluded_in'),
    ...exactCents('excluded_out'),
    transactions: z.int(),
  })
  .meta({ id: 'MonthlyFlow' });
export type MonthlyFlow = z.output<typeof monthlyFlow>;

export const monthlyFlows = z
  .object({
    object: z.literal('monthly_flows'),
    company_id: id('co'),
    timezone: z.string(),
    months: z.array(
      z.object({
        month,
        from: timestamp,
        to: timestamp.meta({ description: 'Exclusive' }),
        partial: z.boolean().meta({ description: 'The current month: never used for burn' }),
        covered: z
          .boolean()
          .meta({ description: 'Lies inside the coverage; a month without transactions is then zero' }),
        flows: z.array(monthlyFlow),
      }),
    ),
  })
  .meta({ id: 'MonthlyFlows' });
export type MonthlyFlows = z.output<typeof monthlyFlows>;

/** Burn of one currency over the window: mean (the figure that runway uses), median, least and most. */
export const burnLine = z
  .object({
    currency,
    ...exactCents('net_burn', 'Mean of money out − money in'),
    ...exactCents('net_burn_median'),
    ...exactCents('net_burn_min'),
    ...exactCents('net_burn_max'),
    net_burn_stddev_cents: z.int().nullable().meta({ description: 'Sample deviation of the months; null below two' }),
    ...exactCents('gross_burn', 'Mean of money out'),
    ...exactCents('gross_burn_median'),
    ...exactCents('gross_burn_min'),
    ...exactCents('gross_burn_max'),
    months: z.array(z.object({ month, ...exactCents('net_burn'), ...exactCents('gross_burn') })),
  })
  .meta({ id: 'BurnLine' });
export type BurnLine = z.output<typeof burnLine>;

/**
 * A connection that another one replaces, or that waits to replace another one: the same account's rows, so that each day
 * counts under one of the two.
 */
export const replacedStream = z
  .object({
    connection_id: id('conn'),
    replaced_by: id('conn'),
    from: date.meta({
      description:
        'Rows of `connection_id` count before this day: that of the first row of `replaced_by`, or its own first one while its backfill is not complete',
    }),
    transactions: z.int().meta({ description: 'Rows that are left out' }),
  })
  .meta({ id: 'ReplacedStream' });
export type ReplacedStream = z.output<typeof replacedStream>;

export const burn = z
  .object({
    object: z.literal('burn'),
    company_id: id('co'),
    as_of: date,
    coverage_from: month.nullable().meta({ description: 'First complete month; null without transactions' }),
    window: z.array(month).meta({ description: 'The last complete months inside the coverage, three at most' }),
    lines: z.array(burnLine),
    replaced: z.array(replacedStream).meta({ description: 'What is left out of all figures because it came again' }),
  })
  .meta({ id: 'Burn' });
export type Burn = z.output<typeof burn>;

export const runwayStatus = z.enum([
  'ok',
  'out_of_cash',
  'cash_flow_positive',
  'no_outflow',
  'no_transactions',
  'insufficient_history',
  'no_cash_data',
]);
export type RunwayStatus = z.output<typeof runwayStatus>;

export const runwayBasis = z.enum(['transactions', 'balance_delta', 'cash_flow_statement']);
export type RunwayBasis = z.output<typeof runwayBasis>;

/** How long the cash of one currency lasts at its burn. Zero months never mean "unknown": that is null. */
export const runwayLine = z
  .object({
    currency,
    status: runwayStatus,
    text: z.string().meta({ description: 'The figure or the reason that there is none, for people' }),
    basis: runwayBasis.nullable(),
    runway_months: z.number().nullable().meta({ description: 'One decimal, rounded down' }),
    runway_gross_months: z.number().nullable().meta({ description: 'The same as if nothing came in' }),
    cash_out_date: date.nullable(),
    capped: z.boolean().meta({ description: 'More than 120 months: shown as "10+ years"' }),
    ...exactCents('cash'),
    ...exactCents('net_burn'),
    ...exactCents('gross_burn'),
    window: z.array(month),
    flags: z.object({
      stale: z.boolean().meta({ description: 'Balances or transactions of a stream of this currency are stale' }),
      mixed_currency: z.boolean(),
      low_confidence: z.boolean().meta({
        description:
          'Fewer than three months, or one without rows of a stream that had some in each of the months before it',
      }),
      unexplained: z.boolean(),
    }),
  })
  .meta({ id: 'RunwayLine' });
export type RunwayLine = z.output<typeof runwayLine>;

export const runway = z
  .object({
    object: z.literal('runway'),
    company_id: id('co'),
    as_of: date,
    headline: runwayLine.nullable().meta({ description: 'The currency that runs out first' }),
    lines: z.array(runwayLine),
  })
  .meta({ id: 'Runway' });
export type Runway = z.output<typeof runway>;
