import { z } from 'zod';
import { id, timestamp } from '../scalars.ts';

export const deliveryStatus = z.enum(['pending', 'succeeded', 'retrying', 'failed', 'cancelled']);

export const deliveryAttempt = z
  .object({
    n: z.int(),
    at: timestamp,
    trigger: z.enum(['automatic', 'manual', 'test']),
    status_code: z.int().nullable(),
    error: z.string().nullable(),
    error_message: z.string().nullable(),
    duration_ms: z.int(),
    response_snippet: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });

export const delivery = z
  .object({
    id: id('dlv'),
    object: z.literal('delivery'),
    account_id: id('acct'),
    event_id: id('evt'),
    event_type: z.string(),
    endpoint_id: id('we'),
    company_id: id('co').nullable(),
    status: deliveryStatus,
    attempt_count: z.int(),
    next_attempt_at: timestamp.nullable(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.output<typeof delivery>;

export const deliveryWithAttempts = delivery
  .extend({ attempts: z.array(deliveryAttempt) })
  .meta({ id: 'DeliveryWithAttempts' });
