import { z } from 'zod';
import {
  amount,
  currency,
  currencyInput,
  date,
  exactCents,
  id,
  monthInput,
  objectType,
  optional,
  text,
} from '../scalars.ts';
import { month } from './burn.ts';

const forecastChange = z
  .object({
    label: text(1, 100).describe('Name of the change for people; it does not affect the result.'),
    amount_cents: amount.describe(
      'Signed amount in minor units of the currency of the forecast; positive is money in.',
    ),
    every: z
      .enum(['month', 'once'])
      .describe('`month`: in each month, spread over its days. `once`: on the first day of `from`.'),
    from: monthInput.describe(
      'First month that has the change. A month in the past or the current one counts from today; a change of a past month with `once` is rejected.',
    ),
    until: optional(monthInput).describe(
      'Last month that has the change; without it, there is no end. Not with `once`.',
    ),
  })
  .meta({ id: 'ForecastChange', description: 'Money that a forecast adds to the burn.' });

export const forecastFields = {
  currency: optional(currencyInput).describe(
    'Continues the total of the runway if it has this currency, else the line of this currency. The default is the headline.',
  ),
  months: optional(z.int().min(1).max(36)).describe(
    'How many month ends to return, that of the current month first. The default is 18.',
  ),
  basis_months: optional(z.int().min(1).max(12)).describe(
    'The burn is the mean of the last so many complete months that are known. The default is 3.',
  ),
  lead_months: optional(z.int().min(0).max(24)).describe(
    'How many months before the cash runs out `raise_by_date` is. The default is 6.',
  ),
  changes: optional(z.array(forecastChange).max(20)).describe('What changes, at most 20 entries. The default is none.'),
};

export const forecast = z
  .object({
    object: objectType('forecast'),
    company_id: id('co'),
    currency: currency.nullable().describe('Currency of all amounts; null without cash or burn.'),
    ...exactCents('base_net_burn', 'Monthly money out less money in, before the changes.'),
    months: z
      .array(
        z.object({
          month,
          ...exactCents('change', 'Sum of the changes in the month; in the current one, from today on.'),
          ...exactCents('closing', 'Cash at the end of the month; negative after it has run out.'),
        }),
      )
      .describe('The month ends, the current month first; empty without cash or burn.'),
    cash_out_date: date
      .nullable()
      .describe(
        'The day before the first one on which cash is negative, even if later money made it positive again; today if there is no cash now; null if cash lasts for more than 120 months.',
      ),
    runway_months: z
      .number()
      .nullable()
      .describe(
        'Months until the cash is zero, with the changes, one decimal, rounded down. Null if `cash_out_date` is null; 0 without cash.',
      ),
    raise_by_date: date
      .nullable()
      .describe('The day `lead_months` before `cash_out_date`; it may have passed. Null if that is null.'),
  })
  .meta({ id: 'Forecast', description: 'Cash at the end of each month, if burn goes on and the changes are made.' });
