import { z } from 'zod';
import {
  currency,
  currencyInput,
  date,
  id,
  identity,
  jurisdictionInput,
  localDate,
  optional,
  text,
  timestamp,
  timestamps,
  withDescriptionsOf,
} from '../scalars.ts';
import { actor } from './api-key.ts';

export const filingType = z.enum([
  'annual_report',
  'franchise_tax',
  'income_tax',
  'sales_tax',
  'payroll_tax',
  'boi_report',
  'registered_agent',
  'license',
  'other',
]);
export type FilingType = z.output<typeof filingType>;

export const filingStatus = z.enum(['open', 'submitted']);

/** A country (ISO 3166-1) or a subdivision (ISO 3166-2). */
const filingJurisdiction = jurisdictionInput(
  /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/,
  'must be an ISO 3166 code like US or US-DE',
).meta({
  examples: ['US-DE'],
});

const notes = text(0, 2000);
const fee = z.int().min(0);

export const filing = z
  .object({
    ...identity('fil', 'filing'),
    company_id: id('co'),
    type: filingType.describe('Kind of filing.'),
    title: z.string().describe('Name of the filing; derived from the type by default.'),
    jurisdiction: z
      .string()
      .nullable()
      .describe("ISO 3166 code of the authority's country or state, for example `US-DE`; null if not given."),
    period_start: date.nullable().describe('First day of the period covered; null if not given.'),
    period_end: date.nullable().describe('Last day of the period covered; null if not given.'),
    due_date: date.describe("Calendar day on which the filing is due in the company's time zone."),
    status: filingStatus.describe('`open` until the filing is `submitted`, which is final after ten minutes.'),
    overdue: z
      .boolean()
      .describe("True if the filing is open and its due date is before today in the company's time zone."),
    submitted_at: timestamp.nullable().describe('When the filing was submitted (UTC); null while open.'),
    submitted_by: actor.nullable().describe('Who marked the filing submitted; null while open.'),
    confirmation_number: z
      .string()
      .nullable()
      .describe('Number that the authority confirmed the submission with; null if not given.'),
    fee_cents: z.int().nullable().describe('Fee in minor units of `currency`; null if not given.'),
    currency: currency.nullable().describe('ISO 4217 currency code of the fee; null without a fee.'),
    notes: z.string().nullable().describe('Free text; null if there is none.'),
    obligation_key: z
      .string()
      .nullable()
      .describe('Obligation of the compliance matrix that opened the filing; null if it was created manually.'),
    ...timestamps,
  })
  .meta({ id: 'Filing', description: 'Something that a company has to file with an authority by a due date.' });
export type Filing = z.output<typeof filing>;

export const filingInput = withDescriptionsOf(filing, {
  type: filingType,
  title: optional(text(1, 200)),
  jurisdiction: optional(filingJurisdiction),
  period_start: optional(localDate),
  period_end: optional(localDate),
  due_date: localDate,
  fee_cents: optional(fee),
  currency: optional(currencyInput),
  notes: optional(notes),
});

export const submissionInput = withDescriptionsOf(filing, {
  confirmation_number: optional(text(1, 200)),
  fee_cents: optional(fee),
  currency: optional(currencyInput),
  notes: optional(notes),
});
