import { z } from 'zod';
import {
  countryInput,
  currency,
  currencyInput,
  id,
  metadata,
  optional,
  placeInput,
  text,
  timestamp,
  timeZone,
} from '../scalars.ts';
import { formation } from './formation.ts';

export const entityType = z.enum(['c_corp', 's_corp', 'llc', 'lp', 'nonprofit', 'sole_prop', 'other']);

const monthDay = z
  .string()
  .regex(
    /^(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|[12]\d))$/,
    'must be a month and a day that it has, like 12-31',
  );
const wireThreshold = z.int().min(0);

/** Fields that a company may be without: absent and `null` mean none at creation, and `null` clears them later. */
const clearableFields = {
  legal_name: optional(text(1, 200)),
  entity_type: optional(entityType),
  jurisdiction: optional(placeInput(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'must be an ISO 3166-2 code like US-DE')),
  tax_id_last4: optional(z.string().regex(/^\d{4}$/, 'must be four digits')),
  fiscal_year_end: optional(monthDay),
  metadata: optional(metadata),
};

/** The fields of a company that its owner sets. */
export const companyFields = {
  name: text(1, 200),
  ...clearableFields,
  country: optional(countryInput),
  base_currency: optional(currencyInput),
  timezone: optional(timeZone),
  wire_approval_threshold_cents: optional(wireThreshold),
};

/** What a change of a company may carry; absent fields stay as they are. `metadata` is replaced as a whole. */
export const companyChanges = {
  ...clearableFields,
  name: companyFields.name.optional(),
  country: countryInput.optional(),
  base_currency: currencyInput.optional(),
  timezone: timeZone.optional(),
  wire_approval_threshold_cents: wireThreshold.optional(),
  status: z.enum(['active']).optional().meta({ description: 'Ends the formation, whatever steps are left' }),
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
    formation,
    wire_approval_threshold_cents: z.int().meta({
      description: 'Minor units of base_currency; a wire of this or more waits for approval',
    }),
    metadata: z.record(z.string(), z.string()),
    dissolved_at: timestamp.nullable(),
    dissolution_reason: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Company' });
export type Company = z.output<typeof company>;
