import { z } from 'zod';
import { currency, currencyInput, date, id, metadata, optional, text, timestamp, timeZone } from '../scalars.ts';

export const entityType = z.enum(['c_corp', 's_corp', 'llc', 'lp', 'nonprofit', 'sole_prop', 'other']);

const monthDay = z.string().regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'must be a month and day like 12-31');

/** The fields of a company that its owner sets. */
export const companyFields = {
  name: text(1, 200),
  legal_name: optional(text(1, 200)),
  entity_type: optional(entityType),
  country: optional(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code like US')),
  jurisdiction: optional(z.string().regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'must be an ISO 3166-2 code like US-DE')),
  tax_id_last4: optional(z.string().regex(/^\d{4}$/, 'must be four digits')),
  base_currency: optional(currencyInput),
  timezone: optional(timeZone),
  fiscal_year_end: optional(monthDay),
  wire_approval_threshold_cents: optional(z.int().min(0)),
  metadata: optional(metadata),
};

export const company = z
  .object({
    id: id('co'),
    object: z.literal('company'),
    account_id: id('acct'),
    name: z.string(),
    legal_name: z.string().nullable(),
    entity_type: entityType.nullable(),
    country: z.string(),
    jurisdiction: z.string().nullable(),
    tax_id_last4: z.string().nullable(),
    base_currency: currency,
    timezone: z.string(),
    fiscal_year_end: z.string().nullable(),
    status: z.enum(['forming', 'active', 'dissolved']),
    wire_approval_threshold_cents: z.int(),
    metadata: z.record(z.string(), z.string()),
    dissolved_at: timestamp.nullable(),
    dissolution_reason: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Company' });
export type Company = z.output<typeof company>;

/** Cash per currency on a day; never converted, never added across currencies. */
export const cashOnHandLine = z
  .object({
    currency,
    balance_cents: z.int().nullable().meta({ description: 'null when beyond 2^53−1: read balance_string' }),
    balance_string: z.string().optional(),
    streams: z.int(),
    oldest_as_of: date,
    newest_as_of: date,
  })
  .meta({ id: 'CashOnHandLine' });
export type CashOnHandLine = z.output<typeof cashOnHandLine>;

export const cashOnHand = z
  .object({
    object: z.literal('cash_on_hand'),
    company_id: id('co'),
    as_of: date,
    lines: z.array(cashOnHandLine),
  })
  .meta({ id: 'CashOnHand' });
