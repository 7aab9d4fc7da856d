import { z } from 'zod';
import { id, timestamp } from '../scalars.ts';

export const deliveryStatus = z.enum(['pending', 'succeeded', 'retrying', 'failed', 'cancelled']);

/** Milliseconds; null for a step that was not needed, not reached, or was done before by another attempt. */
const milliseconds = z.int().nullable();

export const attemptTimings = z
  .object({
    dns_ms: milliseconds,
    connect_ms: milliseconds,
    tls_ms: milliseconds,
    first_byte_ms: milliseconds.meta({ description: 'From the start of the request to the status line of the answer' }),
    total_ms: z.int().meta({ description: 'Everything, also the wait for a free connection' }),
  })
  .meta({ id: 'AttemptTimings' });

const headers = z.record(z.string(), z.string()).nullable();

export const deliveryAttempt = z
  .object({
    n: z.int(),
    at: timestamp,
    trigger: z.enum(['automatic', 'manual', 'test', 'replay']),
    status_code: z.int().nullable(),
    error: z.string().nullable(),
    error_message: z.string().nullable(),
    hint: z.string().nullable().meta({ description: 'What to do about a failure, in one sentence' }),
    duration_ms: z.int(),
    url: z.string().nullable().meta({ description: 'Where it was sent; null when it was not recorded or is purged' }),
    remote_address: z.string().nullable().meta({ description: 'The address that it was sent to, or was to be' }),
    connection_reused: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether an open connection carried it; null when none was made' }),
    timings: attemptTimings,
    request_headers: headers.meta({
      description: 'As they were sent; values of headers set on the endpoint are masked',
    }),
    response_headers: headers.meta({
      description: 'Of a failure at most 32, without cookies, redacted; of a success those that name the request',
    }),
    response_snippet: z.string().nullable().meta({ description: 'The start of the body, at most 4 KiB, redacted' }),
    evidence_purged_at: timestamp.nullable().meta({ description: 'When headers, body and address were deleted' }),
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
    replay_id: id('rpl').nullable().meta({ description: 'The replay that made it; null when the event itself did' }),
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

/** As lists tell it: with what it waits for, and how long its last attempt took. */
export const listedDelivery = delivery
  .extend({
    reason: z.string().nullable().meta({
      description:
        'Why it is not delivered yet, or never will be, in plain words, moments in UTC; null when it is over',
    }),
    last_duration_ms: z
      .int()
      .nullable()
      .meta({ description: 'Milliseconds that the last attempt took; null before the first' }),
  })
  .meta({ id: 'ListedDelivery' });
export type ListedDelivery = z.output<typeof listedDelivery>;

export const deliveryWithAttempts = delivery
  .extend({ attempts: z.array(deliveryAttempt) })
  .meta({ id: 'DeliveryWithAttempts' });

export const attemptCurl = z
  .object({
    object: z.literal('attempt_curl'),
    delivery_id: id('dlv'),
    attempt: z.int(),
    command: z.string().meta({ description: 'For a POSIX shell; its signature is the one that was sent' }),
    masked_headers: z.array(z.string()).meta({ description: 'Headers whose value you have to put in yourself' }),
  })
  .meta({ id: 'AttemptCurl' });
