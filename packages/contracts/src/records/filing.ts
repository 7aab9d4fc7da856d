import { z } from 'zod';
import { currency, currencyInput, date, id, localDate, optional, placeInput, text, timestamp } from '../scalars.ts';
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

/** Where something is filed: a country (ISO 3166-1) or a part of one (ISO 3166-2). */
export const filingJurisdiction = placeInput(
  /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/,
  'must be an ISO 3166 code like US or US-DE',
).meta({ examples: ['US-DE'] });

const notes = text(0, 2000);
const fee = z.int().min(0);

/** The fields of a filing that its owner sets at creation. */
export const filingInput = {
  type: filingType,
  title: optional(text(1, 200)),
  jurisdiction: optional(filingJurisdiction),
  period_start: optional(localDate),
  period_end: optional(localDate),
  due_date: localDate,
  fee_cents: optional(fee),
  currency: optional(currencyInput),
  notes: optional(notes),
};

/** What is known of a filing once it is submitted. */
export const submissionInput = {
  confirmation_number: optional(text(1, 200)),
  fee_cents: optional(fee),
  currency: optional(currencyInput),
  notes: optional(notes),
};

/** Something that a company owes an authority by a day. */
export const filing = z
  .object({
    id: id('fil'),
    object: z.literal('filing'),
    account_id: id('acct'),
    company_id: id('co'),
    type: filingType,
    title: z.string(),
    jurisdiction: z.string().nullable(),
    period_start: date.nullable(),
    period_end: date.nullable(),
    due_date: date,
    status: filingStatus,
    overdue: z.boolean().meta({ description: "Open, and its due date is before today in the company's time zone" }),
    submitted_at: timestamp.nullable(),
    submitted_by: actor.nullable(),
    confirmation_number: z.string().nullable(),
    fee_cents: z.int().nullable(),
    currency: currency.nullable(),
    notes: z.string().nullable(),
    obligation_key: z.string().nullable().meta({
      description: 'The obligation of the compliance matrix that opened it; null for one that was created by hand',
    }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Filing' });
export type Filing = z.output<typeof filing>;
