import { z } from 'zod';
import { MAX_RATES_AGE_DAYS, normalizeCurrency } from '../currency.ts';
import {
  coded,
  currency,
  currencyInput,
  date,
  id,
  localDate,
  objectType,
  openRecord,
  optional,
  source,
  timestamp,
  withDescriptionsOf,
} from '../scalars.ts';

const MAX_RATES = 200;
const codeError = 'must be the ISO 4217 code of a currency, like USD';
const ratePattern = /^\d{1,12}(\.\d{1,12})?$/;
const rateError = 'must be a decimal number above zero as text, like "1.0842", with up to 12 digits on either side';

const rateInput = z
  .string({ error: rateError })
  .regex(ratePattern, { error: rateError, abort: true })
  .refine((rate) => /[1-9]/.test(rate), coded('out_of_range', rateError));

export const fxRates = z
  .object({
    object: objectType('fx_rates'),
    account_id: id('acct'),
    base: currency
      .nullable()
      .describe('ISO 4217 code of the currency that the rates are for: one unit of it. Null without rates.'),
    as_of: date.nullable().describe('Calendar day (`YYYY-MM-DD`) of the rates; null without rates.'),
    rates: z
      .record(z.string(), z.string())
      .describe(
        'Units of each currency for one unit of `base`, as decimal numbers in text, by ISO 4217 code. The rate of `base` is 1. Empty without rates.',
      ),
    source: z.string().nullable().describe('Who published the rates; null if it is not known.'),
    created_at: timestamp.nullable().describe('When the account first got rates (UTC); null without rates.'),
    updated_at: timestamp.nullable().describe('When the rates last changed (UTC); null without rates.'),
  })
  .meta({
    id: 'FxRates',
    description: 'The exchange rates of an account, which convert the figures of its companies into one total.',
  });
export type FxRates = z.output<typeof fxRates>;

export const fxRatesInput = withDescriptionsOf(fxRates, {
  base: currencyInput,
  as_of: localDate,
  rates: openRecord(
    z.string().refine((code) => normalizeCurrency(code) !== undefined, coded('currency_unknown', codeError)),
    rateInput,
    MAX_RATES,
    'currencies',
  ),
  source: optional(source),
});

export const usedRates = z
  .object({ as_of: date.describe('Calendar day of the rates.'), source: fxRates.shape.source })
  .nullable()
  .describe('The rates that the amounts were converted with; null if all of them are in the base currency.');

export const ratesMissing = z
  .array(currency)
  .describe(
    `Currencies without a rate, because of which there is no total. Rates older than ${MAX_RATES_AGE_DAYS} days are not used.`,
  );
