import { z } from 'zod';
import { currency, date, exactCents, id, objectType, timestamp } from '../scalars.ts';
import { rulesAppliedAt } from './figure-settings.ts';
import { ratesMissing, usedRates } from './fx-rates.ts';

export const month = z.string().meta({
  description: 'Calendar month (`YYYY-MM`) in the time zone of the company.',
  pattern: '^\\d{4}-\\d{2}$',
  examples: ['2026-02'],
});

export const monthlyFlow = z
  .object({
    currency,
    ...exactCents('money_in', 'Money in.'),
    ...exactCents('money_out', 'Money out, as a positive amount.'),
    ...exactCents('net', 'Money in less money out.'),
    ...exactCents('excluded_in', 'Money in that is left out, for example transfers and financing.'),
    ...exactCents('excluded_out', 'Money out that is left out, for example transfers.'),
    transactions: z.int().describe('Number of transactions counted.'),
  })
  .meta({
    id: 'MonthlyFlow',
    description: 'Money in and out of one currency in one month, without the rows that are left out of burn.',
  });
export type MonthlyFlow = z.output<typeof monthlyFlow>;

const monthlyLine = monthlyFlow
  .extend({
    ...exactCents(
      'closing_cash',
      'Cash at the end of the month, by the rules of cash on hand and its history; that of the current month is cash on hand. Null while an account that has transactions by then has no balance yet.',
    ),
    ...exactCents(
      'net_burn_3m',
      'Mean of the net burn of the three months that end with this one, without those before a main account was known. Null if fewer than three are covered or none is left, and for the current month.',
    ),
    runway_months: z
      .number()
      .nullable()
      .describe(
        'Months that the closing cash lasts at `net_burn_3m_cents`, one decimal, rounded down; null if either is unknown, or if the net burn is not positive. 0 without cash.',
      ),
  })
  .meta({
    id: 'MonthlyLine',
    description:
      'Money in and out of one currency in one month, with the cash at its end and the burn and runway at that time.',
  });
export type MonthlyLine = z.output<typeof monthlyLine>;

export const monthlyFlows = z
  .object({
    object: objectType('monthly_flows'),
    company_id: id('co'),
    timezone: z.string().describe('IANA time zone of the company, in which the months begin and end.'),
    months: z
      .array(
        z.object({
          month,
          from: timestamp.describe('Start of the month (UTC), inclusive.'),
          to: timestamp.describe('End of the month (UTC), exclusive.'),
          partial: z.boolean().describe('True for the current month, which is never used for burn.'),
          covered: z
            .boolean()
            .describe('True if the month lies inside the coverage; without transactions it then counts as zero.'),
          flows: z
            .array(monthlyLine)
            .describe(
              'Money in and out and cash, one entry per currency with transactions in the month or cash at its end.',
            ),
          total: monthlyLine
            .extend({ rates: usedRates })
            .meta({
              id: 'MonthlyTotal',
              description:
                'Money in and out of all currencies in one month, with the cash at its end, in the base currency at the current rates.',
            })
            .nullable()
            .describe(
              'All entries in the base currency; null if a rate is missing, and without flows and cash in any month. What is left out is null if only that has no rate.',
            ),
        }),
      )
      .describe('The months, oldest first.'),
    rates_missing: ratesMissing,
    rules_applied_at: rulesAppliedAt,
    windows: z
      .array(
        z
          .object({
            months: z.int().describe('The last so many complete months: 1, 3, 6 or 12.'),
            ...exactCents('net_burn', 'Mean of their net burn.'),
            runway_months: z
              .number()
              .nullable()
              .describe('Months that the cash lasts at it, one decimal, rounded down; null if unknown.'),
          })
          .meta({ id: 'ComparedWindow', description: 'The runway over a number of months.' }),
      )
      .describe(
        'Net burn and runway of the `headline` of the runway, in its currency, over other numbers of months, for comparison. Only those whose months are all covered and in which every main account was known.',
      ),
  })
  .meta({ id: 'MonthlyFlows', description: 'Money in and out per month and currency, with the cash at its end.' });

const burnLine = z
  .object({
    currency,
    ...exactCents('net_burn', 'Mean of the monthly money out less money in.'),
    ...exactCents('net_burn_median', 'Median of the monthly net burn.'),
    ...exactCents('net_burn_min', 'Lowest monthly net burn.'),
    ...exactCents('net_burn_max', 'Highest monthly net burn.'),
    net_burn_stddev_cents: z.int().nullable().meta({
      description:
        'Sample standard deviation of the monthly net burn, in minor currency units; null with fewer than two months.',
    }),
    ...exactCents('gross_burn', 'Mean of the monthly money out.'),
    ...exactCents('gross_burn_median', 'Median of the monthly money out.'),
    ...exactCents('gross_burn_min', 'Lowest monthly money out.'),
    ...exactCents('gross_burn_max', 'Highest monthly money out.'),
    months: z
      .array(
        z.object({
          month,
          ...exactCents('net_burn', 'Money out less money in.'),
          ...exactCents('gross_burn', 'Money out.'),
        }),
      )
      .describe('The single months of the window.'),
  })
  .meta({
    id: 'BurnLine',
    description: 'Burn of one currency over the window: the mean, which runway uses, with median, minimum and maximum.',
  });
export type BurnLine = z.output<typeof burnLine>;

export const supersededSeries = z
  .object({
    connection_id: id('conn'),
    replaced_by: id('conn'),
    from: date.meta({
      description:
        'Rows of `connection_id` count only before this day: the day of the first row of `replaced_by`, or of its own first row while its backfill is not complete.',
    }),
    transactions: z.int().meta({ description: 'Number of rows that are left out.' }),
  })
  .meta({
    id: 'ReplacedStream',
    description: 'A connection that another one replaces, so that each day counts under only one of the two.',
  });
export type SupersededSeries = z.output<typeof supersededSeries>;

export const burn = z
  .object({
    object: objectType('burn'),
    company_id: id('co'),
    as_of: date.describe("Today in the company's time zone."),
    coverage_from: month
      .nullable()
      .meta({ description: 'First complete month (`YYYY-MM`); null without transactions.' }),
    window: z.array(month).meta({
      description:
        'The last complete months inside the coverage, at most as many as were asked for, without those before a main account was known: one with at least a tenth of the money out of these months, in all currencies if each has a rate, else in the base currency.',
    }),
    lines: z.array(burnLine).describe('Burn, one entry per currency.'),
    total: burnLine
      .extend({ rates: usedRates })
      .meta({
        id: 'BurnTotal',
        description: 'Burn of all currencies in the base currency, each month at the current rates.',
      })
      .nullable()
      .describe(
        'All lines in the base currency; null if a rate is missing, and without lines. Money moved between currencies cancels in net burn; in gross burn only if its category says so.',
      ),
    rates_missing: ratesMissing,
    rules_applied_at: rulesAppliedAt,
    replaced: z.array(supersededSeries).meta({
      description: 'Connections whose later rows are left out of all figures because another connection sends them.',
    }),
  })
  .meta({ id: 'Burn', description: 'Net and gross burn over the last complete months.' });
export type Burn = z.output<typeof burn>;

const runwayStatus = z.enum([
  'ok',
  'out_of_cash',
  'cash_flow_positive',
  'no_outflow',
  'no_transactions',
  'insufficient_history',
  'no_cash_data',
]);
export type RunwayStatus = z.output<typeof runwayStatus>;

const runwayBasis = z.enum(['transactions', 'balance_delta', 'cash_flow_statement']);
export type RunwayBasis = z.output<typeof runwayBasis>;

const confidenceReason = z
  .object({
    code: z
      .enum(['few_months', 'silent_connection', 'spending_jump', 'large_inflow', 'unpaired_transfers'])
      .describe(
        '`few_months`: fewer complete months than three, or than were asked for. `silent_connection`: a month has no rows of a connection that had some in every month before. `spending_jump`: money out this month is already more than twice the mean, and there are fewer than three months or a connection began this month. `large_inflow`: a row of these months or of this month is left out because it is larger than five times the usual monthly inflow and than a quarter of the usual monthly money out. `unpaired_transfers`: the transfers in and out whose other side is in no account of these figures differ by more than a tenth of the money out.',
      ),
    message: z.string().describe('Explanation for people; the wording may change.'),
  })
  .meta({ id: 'ConfidenceReason', description: 'A reason to doubt the runway of a currency.' });
export type ConfidenceReason = z.output<typeof confidenceReason>;

const runwayLine = z
  .object({
    currency,
    status: runwayStatus.describe('`ok` if there is a figure, otherwise the reason that there is none.'),
    text: z.string().describe('The figure, or the reason that there is none, as text for people.'),
    basis: runwayBasis
      .nullable()
      .describe(
        'Data the burn comes from: transactions, differences of balances, or the cash flow statement; null without a figure.',
      ),
    basis_excluded: z
      .array(z.string().nullable())
      .describe('Connections left out of `balance_delta`: their first balance is less than 30 days old. Null is none.'),
    runway_months: z
      .number()
      .nullable()
      .describe('Months that the cash lasts at the net burn, one decimal, rounded down; null if unknown.'),
    runway_gross_months: z
      .number()
      .nullable()
      .describe('Months that the cash lasts if nothing comes in, one decimal, rounded down; null if unknown.'),
    cash_out_date: date.nullable().describe('Day on which the cash runs out; null without a figure.'),
    capped: z.boolean().meta({ description: 'True if the cash lasts more than 120 months, shown as "10+ years".' }),
    ...exactCents('cash', 'Cash on hand.'),
    ...exactCents('net_burn', 'Monthly money out less money in.'),
    ...exactCents('gross_burn', 'Monthly money out.'),
    window: z.array(month).describe('The months that the burn is the mean of.'),
    flags: z
      .object({
        stale: z
          .boolean()
          .meta({ description: 'True if balances or transactions of a connection of this currency are stale.' }),
        mixed_currency: z
          .boolean()
          .describe('True if the company has cash or transactions in several currencies, which are not converted.'),
        low_confidence: z.boolean().meta({
          description: 'True if `confidence_reasons` has an entry.',
        }),
        unexplained: z.boolean().describe('True if balances changed by more than the transactions explain.'),
      })
      .describe('Reasons to read the figure with care.'),
    confidence_reasons: z.array(confidenceReason).describe('Why the figure is of low confidence; empty if it is not.'),
  })
  .meta({
    id: 'RunwayLine',
    description: 'How long the cash of one currency lasts at its burn. Unknown is null, never 0.',
  });
export type RunwayLine = z.output<typeof runwayLine>;

export const runway = z
  .object({
    object: objectType('runway'),
    company_id: id('co'),
    as_of: date.describe("Today in the company's time zone."),
    headline: runwayLine.nullable().meta({
      description: '`total` if there is one, else the line of the currency that runs out first; null without lines.',
    }),
    lines: z.array(runwayLine).describe('Runway, one entry per currency.'),
    total: runwayLine
      .extend({ rates: usedRates })
      .meta({
        id: 'RunwayTotal',
        description:
          'How long the cash of all currencies lasts at the burn of all, in the base currency at the current rates.',
      })
      .nullable()
      .describe('All lines in the base currency; null if a rate is missing, and without lines.'),
    rates_missing: ratesMissing,
    rules_applied_at: rulesAppliedAt,
  })
  .meta({ id: 'Runway', description: 'Runway of a company per currency.' });
export type Runway = z.output<typeof runway>;

export const countedTwice = z
  .object({
    connections: z
      .array(
        z.object({
          connection_id: z
            .string()
            .nullable()
            .describe(
              'Connection that repeats another: the one whose newest row is older. Null for rows that name none.',
            ),
          repeats: z
            .string()
            .nullable()
            .describe('Connection that has the same transactions; null for rows that name none.'),
          transactions: z
            .int()
            .describe('Transactions of the one with fewer of them, on the days of the last year that both have.'),
          repeated_transactions: z
            .int()
            .describe('Those of them on days on which the other has the same sum and number of transactions.'),
        }),
      )
      .describe('The connections that repeat another.'),
    figures: z
      .array(
        z.object({
          currency,
          ...exactCents('cash', 'Cash on hand with all connections, as in `cash`; null without a balance.'),
          ...exactCents('cash_once', 'Cash on hand without those that repeat another; null without a balance.'),
          ...exactCents('gross_burn', 'Gross burn with all connections, as in `burn`; null without burn.'),
          ...exactCents('gross_burn_once', 'Gross burn without those that repeat another; null without burn.'),
        }),
      )
      .describe('Both figures, one entry per currency.'),
  })
  .meta({
    id: 'CountedTwice',
    description:
      'Connections that look like another connection of the same account (at least 80 % of the transactions on the days of the last year that both have), and the figures with and without them. Up to 60 connections that have a month of equal sums are compared. Decide by excluding one of the two in the financial settings, or by connecting the new one with `replaces`.',
  });
export type CountedTwice = z.output<typeof countedTwice>;
