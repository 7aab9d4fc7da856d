import { z } from 'zod';
import { id, optional, text, timestamp } from '../scalars.ts';

export const endpointStatus = z.enum(['active', 'paused', 'disabled']);

export const webhookEndpoint = z
  .object({
    id: id('we'),
    object: z.literal('webhook_endpoint'),
    account_id: id('acct'),
    url: z.string(),
    events: z.array(z.string()).meta({ description: 'Event types it receives; empty means all, also future ones' }),
    description: z.string().nullable(),
    company_id: id('co').nullable().meta({ description: 'When set, only events of this company' }),
    include_internal: z.boolean().meta({ description: 'Whether it is sent internal comments on cases too' }),
    status: endpointStatus,
    disabled_reason: z.enum(['gone', 'failing', 'manual']).nullable(),
    consecutive_failures: z.int(),
    last_success_at: timestamp.nullable(),
    last_failure_at: timestamp.nullable(),
    api_version: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** The url's form and address are judged by the delivery engine's policy when it is saved and again at the socket. */
export const endpointUrl = z.string().min(1).max(2048);

/** Names are checked against the catalogue in the verb, so that the refusal can name the nearest ones. */
export const eventFilter = optional(z.array(text(1, 100)).max(200));
