import { z } from 'zod';
import {
  countryInput,
  currency,
  currencyInput,
  id,
  identity,
  jurisdictionInput,
  metadata,
  objectType,
  optional,
  secret,
  storedMetadata,
  text,
  timestamp,
  timestamps,
  timeZone,
  withDescriptionsOf,
} from '../scalars.ts';
import { actor } from './api-key.ts';

export const formationStep = z
  .object({
    object: objectType('formation_step'),
    account_id: id('acct'),
    company_id: id('co'),
    key: z
      .string()
      .meta({ examples: ['bylaws_adopted'] })
      .describe('Stable name of the step within its company, for example `bylaws_adopted`.'),
    label: z.string().describe('Text to display.'),
    position: z.int().describe('Position in the order of the steps, from 1.'),
    required: z.boolean().describe('True if the company stays `forming` until the step is completed.'),
    status: z.enum(['pending', 'completed']).describe('`pending` until the step is completed, which is final.'),
    completed_at: timestamp.nullable().describe('When the step was completed (UTC); null while pending.'),
    completed_by: actor.nullable().describe('Who completed the step; null while pending.'),
    evidence_url: z
      .string()
      .nullable()
      .describe('Web address of a document that proves completion; null if not given. It is stored and never fetched.'),
    note: z.string().nullable().describe('Free text about the completion; null if not given.'),
    ...timestamps,
  })
  .meta({ id: 'FormationStep', description: 'A milestone in the formation of a company.' });
export type FormationStep = z.output<typeof formationStep>;

const formationProgress = z.object({
  completed_steps: z.int().describe('Number of completed steps, required and optional ones.'),
  total_steps: z.int().describe('Number of steps in all; 0 for a company that was created active.'),
});

/** Empty for a company that was created active. */
export const formation = formationProgress
  .extend({ steps: z.array(formationStep).describe('The steps, ordered by position.') })
  .meta({ id: 'Formation', description: 'The formation steps of a company with their progress.' });
export type Formation = z.output<typeof formation>;

export const stepWithProgress = formationStep
  .extend({
    formation: formationProgress.describe("Progress of the company's formation after the step."),
  })
  .meta({ id: 'FormationStepWithProgress', description: 'A formation step, with how far the company has come.' });

/** The service never fetches it. */
export const evidenceUrl = secret(
  text(1, 2048).regex(
    /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i,
    'must be a web address like https://example.com/certificate.pdf, without user name or password',
  ),
);

export const entityType = z.enum(['c_corp', 's_corp', 'llc', 'lp', 'nonprofit', 'sole_prop', 'other']);

const monthDay = z
  .string()
  .regex(
    /^(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|[12]\d))$/,
    'must be a month and a day that it has, like 12-31',
  );
const wireThreshold = z.int().min(0);

export const company = z
  .object({
    ...identity('co', 'company'),
    name: z.string().describe('Display name of the company.'),
    legal_name: z.string().nullable().describe('Registered name; null if not given.'),
    entity_type: entityType
      .nullable()
      .describe('Legal form; null if not given. It selects the formation steps and the compliance obligations.'),
    country: z.string().describe('ISO 3166-1 alpha-2 code of the country of incorporation; `US` by default.'),
    jurisdiction: z
      .string()
      .nullable()
      .describe('ISO 3166-2 code of the state of incorporation, for example `US-DE`; null if not given.'),
    tax_id_last4: z
      .string()
      .nullable()
      .describe('Last four digits of the tax ID; null if not given. The full number is never accepted.'),
    base_currency: currency.describe(
      'ISO 4217 code of the currency that the company reports in; `USD` by default. Changing it converts nothing.',
    ),
    timezone: z
      .string()
      .describe(
        'IANA time zone in which days and months of the company begin, for example `America/New_York`; `UTC` by default.',
      ),
    fiscal_year_end: z.string().nullable().describe('Last day of the fiscal year as `MM-DD`; null if not given.'),
    status: z
      .enum(['forming', 'active', 'dissolved'])
      .describe('`forming` until the required formation steps are completed, `active`, or `dissolved` permanently.'),
    formation: formation.describe('Progress of the formation.'),
    wire_approval_threshold_cents: z
      .int()
      .describe(
        'Wires of at least this amount wait for approval. In minor units of `base_currency`; 1 000 000 by default.',
      ),
    metadata: storedMetadata,
    dissolved_at: timestamp.nullable().describe('When the company was dissolved (UTC); null unless it is.'),
    dissolution_reason: z
      .string()
      .nullable()
      .describe('Why the company was dissolved; null if it was not or no reason was given.'),
    ...timestamps,
  })
  .meta({ id: 'Company', description: 'A company whose financial data the account keeps.' });
export type Company = z.output<typeof company>;

const clearableFields = {
  legal_name: optional(text(1, 200)),
  entity_type: optional(entityType),
  jurisdiction: optional(jurisdictionInput(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'must be an ISO 3166-2 code like US-DE')),
  tax_id_last4: optional(z.string().regex(/^\d{4}$/, 'must be four digits')),
  fiscal_year_end: optional(monthDay),
  metadata: optional(metadata),
};

export const companyFields = withDescriptionsOf(company, {
  name: text(1, 200),
  ...clearableFields,
  country: optional(countryInput),
  base_currency: optional(currencyInput),
  timezone: optional(timeZone),
  wire_approval_threshold_cents: optional(wireThreshold),
});

export const companyChanges = withDescriptionsOf(company, {
  ...clearableFields,
  name: companyFields.name.optional(),
  country: countryInput.optional(),
  base_currency: currencyInput.optional(),
  timezone: timeZone.optional(),
  wire_approval_threshold_cents: wireThreshold.optional(),
  status: z.enum(['active']).optional().meta({ description: '`active` ends the formation, whatever steps are left.' }),
});
