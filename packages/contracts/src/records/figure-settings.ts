import { z } from 'zod';
import { describedAs, id, objectType, optional, text, timestamp } from '../scalars.ts';
import { accountType } from './cash.ts';

const labels = z.array(text(1, 100).regex(/[A-Za-z0-9]/, 'needs a letter from a to z or a digit')).max(200);

const ofConnection = 'Connection, or `none` for rows that name no connection.';
const ofType = 'What the account is; it decides what of its balances and rows counts.';

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

/** Absent fields don't change; `null` restores the default list. */
export const figureSettingsInput = describedAs(figureSettings, {
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
  exclude_suspected_transfers: optional(z.boolean()),
});
