import { z } from 'zod';
import { id, metadata, optional, secret, text, timestamp } from '../scalars.ts';
import { flowFields } from './endpoint-flow.ts';
import { endpointHeaders } from './endpoint-headers.ts';
import { payloadFilter } from './payload-filter.ts';

export const endpointStatus = z.enum(['active', 'paused', 'disabled']);

/** Milliseconds a request may take unless its endpoint says otherwise (decisions D45). */
export const defaultTimeoutMs = 15_000;

/** The longest timeout that an endpoint may ask for. */
export const maxTimeoutMs = 30_000;

const timeoutMs = z.int().min(1_000).max(maxTimeoutMs);
const retrySchedule = z.array(z.int().min(1).max(86_400)).max(15);
const signatureVersion = z.enum(['v1', 'v1a']);

const describe = {
  operational:
    'Whether it is sent the operational events too (GET /event-types marks them), but for those about itself',
  timeout_ms: 'Milliseconds a request may take in all; null: 15 000',
  retry_schedule:
    'Seconds to wait before the second, third, … attempt (±20 %); an empty list: one attempt; null: ten attempts over 75 hours',
  filter: 'Only events that it accepts are sent',
  signature_versions:
    'Entries of webhook-signature: v1 always, v1a (Ed25519) when it is named; taking v1a out destroys its key',
};

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
    operational: z.boolean().meta({ description: describe.operational }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'Sent along with every delivery; of a value at most the last four characters are shown' }),
    timeout_ms: timeoutMs.nullable().meta({ description: describe.timeout_ms }),
    retry_schedule: retrySchedule.nullable().meta({ description: describe.retry_schedule }),
    filter: payloadFilter.nullable().meta({ description: describe.filter }),
    metadata,
    signature_versions: z.array(signatureVersion).meta({ description: describe.signature_versions }),
    public_key: z.string().nullable().meta({ description: 'Verifies v1a signatures (whpk_…); null without them' }),
    rotation_ends_at: timestamp
      .nullable()
      .meta({ description: 'While a rotation overlaps: when the previous secret ends' }),
    ...flowFields,
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
export const endpointUrl = secret(z.string().min(1).max(2048));

/** Names are checked against the catalogue in the verb, so that the refusal can name the nearest ones. */
export const eventFilter = optional(z.array(text(1, 100)).max(200));

/** Options of an endpoint; null is the default. In a change, a field that is absent stays as it is. */
export const endpointOptions = {
  operational: optional(z.boolean()).meta({ description: describe.operational }),
  headers: optional(endpointHeaders).meta({
    description: 'Sent along with every delivery; replaces all. A value sent back as it was read is kept.',
  }),
  timeout_ms: optional(timeoutMs).meta({ description: describe.timeout_ms }),
  retry_schedule: optional(retrySchedule).meta({ description: describe.retry_schedule }),
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
    object: z.literal('webhook_ping'),
    endpoint_id: id('we'),
    ok: z.boolean().meta({ description: 'Whether it answered 2xx' }),
    challenge: z.string().meta({ description: 'Stands in the body at data.challenge' }),
    challenge_answered: z.boolean().meta({ description: 'Whether the beginning of the answer repeats the challenge' }),
    status_code: z.int().nullable(),
    error: z.string().nullable().meta({ description: 'Why it is not ok, as in attempts' }),
    error_message: z.string().nullable(),
    duration_ms: z.int(),
    at: timestamp,
  })
  .meta({ id: 'WebhookPing' });
