import { z } from 'zod';
import { coded, id, objectType, optional, text, timestamp, withDescriptionsOf } from '../scalars.ts';
import { flowClass, givenCategory } from './bank-transaction.ts';
import { accountType } from './cash.ts';

const labels = z.array(text(1, 100).regex(/[A-Za-z0-9]/, 'needs a letter from a to z or a digit')).max(200);

const ofConnection = 'Connection, or `none` for rows that name no connection.';
const ofType = 'What the account is; it decides what of its balances and rows counts.';

const ofClass =
  '`counted`: income or spending. `financing`: money in is no income, money out counts. `transfer`, `excluded`: neither counts.';
const ofCategory =
  'The category of these transactions, up to 100 characters, in place of the posted one. The figures treat it like a posted one.';
const ofText = 'Text of 3 to 100 characters that the transaction contains. Case and runs of white space do not matter.';
const ofDirection = '`in` or `out`: the rule is for money in, or for money out, only. Absent for both.';

// The limit applies to the normalized text, which is compared.
function isComparable(contains: string): boolean {
  const length = Array.from(contains.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()).length;
  return length >= 3 && length <= 100;
}

const flowRule = z
  .object({
    contains: z.string().describe(ofText),
    direction: z.enum(['in', 'out']).optional().describe(ofDirection),
    flow_class: flowClass.optional().describe(`${ofClass} Absent for a rule that sets a category only.`),
    category: z.string().optional().describe(`${ofCategory} Absent for a rule that sets a class only.`),
  })
  .meta({ id: 'FlowRule', description: 'The class, the category, or both, of transactions with a text.' });
export type FlowRule = z.output<typeof flowRule>;

const flowRuleInput = z
  .object({
    contains: text(1, 400)
      .refine(isComparable, coded('out_of_range', 'must have 3 to 100 characters, without white space at its ends'))
      .describe(ofText),
    direction: optional(z.enum(['in', 'out'])).describe(ofDirection),
    flow_class: optional(flowClass).describe(ofClass),
    category: optional(givenCategory).describe(ofCategory),
  })
  .refine(
    ({ flow_class, category }) => flow_class != null || category != null,
    coded('required', 'must have flow_class or category'),
  )
  .meta({
    id: 'FlowRuleInput',
    description: 'The class, the category, or both, of transactions with a text: at least one of them.',
  });

export const rulesAppliedAt = timestamp
  .nullable()
  .describe(
    'When the figures began to use the flow rules of the settings (UTC), which may be none after some were removed. Null if there never were any, and after a change while the figures still use the earlier ones: the transactions are summed again first.',
  );

/** Categories are compared in lower case, with characters other than a–z and 0–9 as `_`. */
export const figureSettings = z
  .object({
    object: objectType('surface_settings'),
    account_id: id('acct'),
    company_id: id('co'),
    excluded_categories: z
      .array(z.string())
      .describe(
        'Categories left out of money in and out. Compared in lower case, with other characters than a–z and 0–9 as `_`. The default list leaves payments of credit cards out only where the card is connected; a list of your own always.',
      ),
    excluded_inflow_categories: z
      .array(z.string())
      .describe('Categories left out of money in only, for example financing.'),
    excluded_connections: z
      .array(z.string())
      .describe('Connections left out of cash, burn and runway; `none` stands for rows that name no connection.'),
    accounts: z
      .array(z.object({ connection_id: z.string().describe(ofConnection), account_type: accountType.describe(ofType) }))
      .describe('Types of accounts that somebody set. They override what senders of balances say; else `depository`.'),
    distinct_connections: z
      .array(z.array(z.string()))
      .describe(
        'Pairs of connections that somebody called different accounts, although they have the same transactions; `none` stands for rows that name no connection. They are not reported as counted twice.',
      ),
    flow_rules: z
      .array(flowRule)
      .describe(
        'The class and the category of transactions whose posted category, counterparty or description contains a text. Of each, the first rule that applies and sets one decides: a class before the categories do, a category instead of the posted one. What a person said of a single transaction decides before it.',
      ),
    rules_applied_at: rulesAppliedAt,
    exclude_suspected_transfers: z
      .boolean()
      .describe(
        'True if pairs of transactions that look like internal transfers are left out of burn, which is the default.',
      ),
    created_at: timestamp
      .nullable()
      .describe('When the settings were first changed (UTC); null if they are the defaults.'),
    updated_at: timestamp
      .nullable()
      .describe('When the settings were last changed (UTC); null if they are the defaults.'),
  })
  .meta({ id: 'SurfaceSettings', description: 'What the figures of a company leave out.' });
export type FigureSettings = z.output<typeof figureSettings>;

export const figureSettingsInput = withDescriptionsOf(figureSettings, {
  excluded_categories: optional(labels),
  excluded_inflow_categories: optional(labels),
  excluded_connections: optional(z.array(text(1, 255)).max(200)),
  accounts: optional(
    z
      .array(
        z.object({ connection_id: text(1, 255).describe(ofConnection), account_type: accountType.describe(ofType) }),
      )
      .max(200),
  ),
  distinct_connections: optional(z.array(z.array(text(1, 255)).min(2).max(2)).max(100)),
  flow_rules: optional(z.array(flowRuleInput).max(100)),
  exclude_suspected_transfers: optional(z.boolean()),
});
