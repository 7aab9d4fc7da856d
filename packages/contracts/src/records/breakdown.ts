import { z } from 'zod';
import { currency, currencyInput, exactCents, id, monthInput, objectType, text } from '../scalars.ts';
import { month } from './burn.ts';
import { rulesAppliedAt } from './figure-settings.ts';

export const MAX_BREAKDOWN_MONTHS = 24;
export const MAX_BREAKDOWN_KEYS = 50;

const breakdownBy = z.enum(['category', 'counterparty', 'connection']);
const direction = z.enum(['in', 'out']);
const comparison = z.enum(['previous', 'year_before', 'none']);

export const breakdownFields = {
  by: breakdownBy.default('category').describe('What the money is broken down by.'),
  direction: direction.default('out').describe('`out`: money out. `in`: money in.'),
  from: monthInput
    .optional()
    .describe(
      'First month, at most 59 before the current one and 23 before `to`. The default is two months before `to`.',
    ),
  to: monthInput
    .optional()
    .describe(
      'Last month, at most the current one. The default is the last complete month, or the current one if it is `from`.',
    ),
  compare: comparison
    .default('previous')
    .describe('`previous`: with as many months just before. `year_before`: with the same months of the year before.'),
  currency: currencyInput.optional().describe('Only money in this currency. The default is the base currency.'),
  connection_id: text(1, 255)
    .optional()
    .describe('Only money of this connection; `none` for that of transactions without one.'),
};

const breakdownAmounts = z.object({
  months: z
    .array(z.object({ month, ...exactCents('amount', 'Sum of the month, positive.') }))
    .describe('The months, oldest first.'),
  ...exactCents('total', 'Sum of the months.'),
  transactions: z
    .int()
    .describe(
      'Number of transactions in these months that the sum is of: those of this direction that count. A refund is money in.',
    ),
  ...exactCents(
    'compared_total',
    'Sum of the months to compare with; null without a comparison, and if one of those months is not covered.',
  ),
});

const breakdownRow = breakdownAmounts
  .extend({
    key: z
      .string()
      .nullable()
      .describe(
        'What the sums are of; null for transactions without it. A category is in lower case, with one underscore for each run of other characters than `a` to `z` and digits. A counterparty is in lower case, with one space for each run of white space. A connection is as in `connection_id`.',
      ),
    name: z
      .string()
      .nullable()
      .describe(
        'Of a counterparty, the name as its newest transaction in these months, or in those to compare with, spells it; otherwise null.',
      ),
  })
  .meta({ id: 'BreakdownRow', description: 'Money in or out of one category, counterparty or connection.' });

export const breakdown = z
  .object({
    object: objectType('breakdown'),
    company_id: id('co'),
    by: breakdownBy.describe('What the money is broken down by.'),
    direction: direction.describe('`out`: money out. `in`: money in.'),
    currency: currency.describe('Currency of all amounts; nothing is converted.'),
    compare: comparison.describe('What the months are compared with.'),
    compared_from: month.nullable().describe('First month to compare with; null without a comparison.'),
    compared_to: month.nullable().describe('Last month to compare with; null without a comparison.'),
    months: z
      .array(
        z.object({
          month,
          partial: z.boolean().describe('True for the current month.'),
          covered: z.boolean().describe('True if the month lies inside the coverage.'),
          ...exactCents('amount', 'Sum of all rows: `money_out_cents` or `money_in_cents` of the monthly figures.'),
        }),
      )
      .describe('The months, oldest first.'),
    ...exactCents('total', 'Sum of the months.'),
    ...exactCents(
      'compared_total',
      'Sum of the months to compare with; null without a comparison, and if one of those months is not covered.',
    ),
    rows: z
      .array(breakdownRow)
      .describe(
        `The ${MAX_BREAKDOWN_KEYS} largest, by the sum of the months. One that has money only in the months to compare with is the last.`,
      ),
    other: breakdownAmounts
      .extend({ keys: z.int().describe('How many are added up.') })
      .meta({ id: 'BreakdownOther', description: 'The sum of all that are not among the largest.' })
      .nullable()
      .describe('All others; null without any.'),
    left_out: z
      .object({
        ...exactCents('transfer', 'Transfers between accounts of the company.'),
        ...exactCents('financing', 'Financing, which is left out as money in only.'),
        ...exactCents(
          'excluded',
          'All else that is left out: accounts that do not count, large inflows that nobody has classified, and what a person or a rule excludes.',
        ),
      })
      .describe('Money of this direction, currency and these months that does not count.'),
    rules_applied_at: rulesAppliedAt,
  })
  .meta({ id: 'Breakdown', description: 'Where the money goes, or comes from, by month.' });
