import { z } from 'zod';
import { id, optional, text, timestamp } from '../scalars.ts';

const labels = z.array(text(1, 100)).max(200);

/** What a change of the settings may carry: absent leaves as it is, `null` goes back to the service's own list. */
export const surfaceSettingsInput = {
  excluded_categories: optional(labels),
  excluded_inflow_categories: optional(labels),
  excluded_connections: optional(z.array(text(1, 255)).max(200)),
  exclude_suspected_transfers: optional(z.boolean()),
};

/** What a company's figures leave out. Categories are compared in lower case, other characters than a–z, 0–9 as `_`. */
export const surfaceSettings = z
  .object({
    object: z.literal('surface_settings'),
    account_id: id('acct'),
    company_id: id('co'),
    excluded_categories: z.array(z.string()).meta({ description: 'Left out of money in and out' }),
    excluded_inflow_categories: z.array(z.string()).meta({ description: 'Left out of money in' }),
    excluded_connections: z.array(z.string()).meta({
      description: 'Left out of cash, burn and runway; `none` stands for rows that name no connection',
    }),
    exclude_suspected_transfers: z.boolean(),
    created_at: timestamp.nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'SurfaceSettings' });
export type SurfaceSettings = z.output<typeof surfaceSettings>;
