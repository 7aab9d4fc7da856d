import { z } from 'zod';
import { id, timestamp } from '../scalars.ts';
import { actor } from './api-key.ts';

/** How the deliveries of one event went, over all endpoints and redeliveries. */
export const deliverySummary = z
  .object({
    total: z.int(),
    succeeded: z.int(),
    pending: z.int().meta({ description: 'Not sent yet, or waiting for the next attempt' }),
    failed: z.int(),
    cancelled: z.int(),
  })
  .meta({ id: 'DeliverySummary' });
export type DeliverySummary = z.output<typeof deliverySummary>;

/** One row of the audit log: who did what to which record, and what was told of it. */
export const activity = z
  .object({
    id: id('aud'),
    object: z.literal('activity'),
    account_id: id('acct'),
    created_at: timestamp,
    actor,
    action: z.string().meta({ description: 'The operation or job, or `access.denied` for refused requests of a key' }),
    resource_id: z.string(),
    company_id: id('co').nullable(),
    request_id: z.string(),
    ip: z.string().nullable(),
    before: z.unknown().meta({ description: 'What was before, where something was; its shape depends on the action' }),
    after: z.unknown().meta({ description: 'What is now; its shape depends on the action' }),
    events: z.array(z.object({ id: id('evt'), type: z.string(), deliveries: deliverySummary })),
  })
  .meta({ id: 'Activity' });
export type Activity = z.output<typeof activity>;
