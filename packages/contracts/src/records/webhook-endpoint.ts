import { z } from 'zod';
import {
  id,
  identity,
  metadata,
  objectType,
  optional,
  secret,
  storedMetadata,
  text,
  timestamp,
  timestamps,
} from '../scalars.ts';
import { endpointHeaders, flowFields } from './endpoint-options.ts';
import { payloadFilter } from './payload-filter.ts';

export const endpointStatus = z.enum(['active', 'paused', 'disabled']);

export const payloadForm = z.enum(['full', 'thin']);

export const defaultTimeoutMs = 15_000;

export const maxTimeoutMs = 30_000;

const timeoutMs = z.int().min(1_000).max(maxTimeoutMs);
const retrySchedule = z.array(z.int().min(1).max(86_400)).max(15);
const signatureVersion = z.enum(['v1', 'v1a']);

const describe = {
  operational:
    'True if operational events are sent as well, except those about the endpoint itself. `GET /event-types` marks them.',
  timeout_ms: 'Time limit of a request in milliseconds; null for the default of 15 000.',
  retry_schedule:
    'Seconds to wait before the second, third and later attempts (±20 %). An empty list means one attempt; null means the default of ten attempts over 75 hours.',
  payload:
    '`full` for whole events; `thin` for events whose `data` has only the IDs, the status and the counts of the record, at most 24 KiB. Events that are emitted later have the new form.',
  filter: 'Condition that an event must meet to be sent; null for no condition.',
  signature_versions:
    'Signatures in the `webhook-signature` header: `v1` (HMAC-SHA256) always, `v1a` (Ed25519) if listed. Removing `v1a` destroys its key.',
};

export const webhookEndpoint = z
  .object({
    ...identity('we', 'webhook_endpoint'),
    url: z
      .string()
      .describe('HTTPS URL that events are posted to, without its query string for keys that may not write endpoints.'),
    events: z
      .array(z.string())
      .describe('Event types that the endpoint receives; an empty list means all, including future ones.'),
    description: z.string().nullable().describe('Note of your own; null if there is none.'),
    company_id: id('co').nullable().describe('ID of the only company whose events are sent (`co_…`); null for all.'),
    include_internal: z.boolean().describe('True if events about internal comments are sent as well.'),
    operational: z.boolean().meta({ description: describe.operational }),
    headers: z
      .record(z.string(), z.string())
      .describe('Extra headers sent with each delivery. At most the last four characters of a value are shown.'),
    timeout_ms: timeoutMs.nullable().meta({ description: describe.timeout_ms }),
    retry_schedule: retrySchedule.nullable().meta({ description: describe.retry_schedule }),
    payload: payloadForm.meta({ description: describe.payload }),
    filter: payloadFilter.nullable().meta({ description: describe.filter }),
    metadata: storedMetadata,
    signature_versions: z.array(signatureVersion).meta({ description: describe.signature_versions }),
    public_key: z
      .string()
      .nullable()
      .describe('Public key (`whpk_…`) that verifies `v1a` signatures; null without them.'),
    rotation_ends_at: timestamp
      .nullable()
      .describe('When the previous secret stops signing (UTC), while a rotation overlaps; null otherwise.'),
    ...flowFields,
    status: endpointStatus.describe(
      '`active`, `paused` by a caller, or `disabled` after failures or by a caller. Deliveries wait unless it is active.',
    ),
    disabled_reason: z
      .enum(['gone', 'failing', 'manual'])
      .nullable()
      .describe(
        'Why the endpoint is disabled: it returned 410 (`gone`), failed for five days (`failing`), or a caller disabled it (`manual`). Null unless disabled.',
      ),
    consecutive_failures: z.int().describe('Failed attempts since the last success.'),
    last_success_at: timestamp.nullable().describe('When a delivery last succeeded (UTC); null if none did.'),
    last_failure_at: timestamp.nullable().describe('When an attempt last failed (UTC); null if none did.'),
    api_version: z.string().describe('Version of the event format.'),
    ...timestamps,
  })
  .meta({ id: 'WebhookEndpoint', description: 'A URL that receives events as signed webhooks.' });
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** `packages/delivery` validates the URL on save, and its address on connect. */
export const endpointUrl = secret(z.string().min(1).max(2048)).describe('HTTPS URL that events are posted to.');

/** The verb validates the names; its error suggests similar ones. */
export const eventFilter = optional(z.array(text(1, 100)).max(200)).describe(
  'Event types that the endpoint receives; an empty list means all, including future ones.',
);

export const endpointOptions = {
  operational: optional(z.boolean()).meta({ description: describe.operational }),
  headers: optional(endpointHeaders).meta({
    description:
      'Extra headers sent with each delivery; replaces all existing ones. A masked value sent back unchanged keeps the stored value.',
  }),
  timeout_ms: optional(timeoutMs).meta({ description: describe.timeout_ms }),
  retry_schedule: optional(retrySchedule).meta({ description: describe.retry_schedule }),
  payload: optional(payloadForm).meta({ description: describe.payload }),
  filter: optional(payloadFilter).meta({ description: describe.filter }),
  metadata: optional(metadata),
  signature_versions: optional(
    z
      .array(signatureVersion)
      .min(1)
      .max(2)
      .refine((versions) => versions.includes('v1'), { error: 'must contain v1, which is always sent' }),
  ).meta({ description: describe.signature_versions }),
};

export const webhookPing = z
  .object({
    object: objectType('webhook_ping'),
    endpoint_id: id('we'),
    ok: z.boolean().describe('True if the endpoint returned a 2xx status.'),
    challenge: z.string().describe('Random text that the request body carries at `data.challenge`.'),
    challenge_answered: z.boolean().describe('True if the start of the response body repeats the challenge.'),
    status_code: z.int().nullable().describe('HTTP status of the response; null if there was none.'),
    error: z.string().nullable().describe('Error class, as in delivery attempts; null if `ok`.'),
    error_message: z.string().nullable().describe('Explanation of the failure; null if `ok`.'),
    duration_ms: z.int().describe('Milliseconds that the request took.'),
    at: timestamp.describe('When the request was sent (UTC).'),
  })
  .meta({ id: 'WebhookPing', description: 'Result of a test request to an endpoint.' });

const counts = {
  succeeded: z.int().describe('Deliveries acknowledged with a 2xx status.'),
  failed: z.int().describe('Deliveries given up after the last attempt.'),
  retrying: z.int().describe('Deliveries attempted at least once that will be attempted again.'),
  waiting: z.int().describe('Deliveries not attempted yet.'),
  cancelled: z.int().describe('Deliveries that will not be attempted.'),
};
const latency = (share: number) =>
  z
    .int()
    .nullable()
    .meta({
      description: `Milliseconds from creation to acknowledgement within which ${share} % of the deliveries succeeded; null if none did.`,
    });
const latencies = { latency_p50_ms: latency(50), latency_p95_ms: latency(95) };

export const deliveryHealth = z
  .object({
    object: objectType('delivery_health'),
    as_of: timestamp.describe('When the figures were computed (UTC).'),
    counted_from: timestamp
      .nullable()
      .describe(
        'Start of the period that was counted (UTC), when the account has too many deliveries to look at all; null if the whole 24 hours were.',
      ),
    ...counts,
    ...latencies,
    hours: z
      .array(z.object({ from: timestamp.describe('Start of the hour (UTC).'), ...counts, ...latencies }))
      .describe(
        'The same figures by the hour in which the deliveries were created (UTC), oldest first. Hours without deliveries are left out.',
      ),
  })
  .meta({
    id: 'DeliveryHealth',
    description: 'Outcomes and latencies of the deliveries created in the last 24 hours.',
  });
export type DeliveryHealth = z.output<typeof deliveryHealth>;
