import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { deliveryWithAttempts } from '../records/delivery.ts';
import { flowOptions } from '../records/endpoint-options.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { receivedHeaders, signatureVerification } from '../records/signature-verification.ts';
import {
  deliveryHealth,
  endpointOptions,
  endpointStatus,
  endpointUrl,
  eventFilter,
  webhookEndpoint,
  webhookPing,
} from '../records/webhook-endpoint.ts';
import { exactInput, idParameter, instant, optional, text } from '../scalars.ts';

const endpointWithSecret = writeResult(
  webhookEndpoint
    .extend({
      secret: z
        .string()
        .describe('Signing secret, beginning with `whsec_`. It is returned once and cannot be read again.'),
    })
    .meta({ id: 'WebhookEndpointWithSecret' }),
);
const webhookEndpointResult = writeResult(webhookEndpoint);

/** Bytes of the largest event, which a request of at most 2 MiB causes. */
const maxEventBytes = 4_000_000;

const description = optional(text(0, 500)).describe('Description for your own use.');
const includeInternal = z
  .boolean()
  .describe('Whether internal comments on cases are sent too. The default is `false`.');

export const webhookEndpointOperations = {
  create: defineOperation({
    summary: 'Create a webhook endpoint',
    description:
      'The `secret` is in this response only; store it to verify signatures. With an empty or absent `events` the endpoint receives every type of the catalogue except operational ones. A key limited to some companies must send `company_id`. An account has at most 50 endpoints, unless its operator sets another quota (409 `limit_reached`).',
    http: { method: 'POST', path: '/webhook-endpoints', success: 201 },
    permission: 'webhooks:write',
    input: z.object({
      url: endpointUrl,
      events: eventFilter,
      description,
      company_id: optional(idParameter).describe(
        'ID of the only company whose events are sent. By default those of every company.',
      ),
      include_internal: optional(includeInternal),
      ...endpointOptions,
      ...flowOptions,
    }),
    output: endpointWithSecret,
    errors: ['limit_reached'],
    secretOutput: true,
    example: { url: 'https://example.com/webhooks', events: ['bank.balance.updated'] },
  }),
  get: defineOperation({
    summary: 'Read a webhook endpoint',
    description:
      'The secret is never returned, and header values are masked. A key without `webhooks:write` gets the `url` without its query.',
    http: { method: 'GET', path: '/webhook-endpoints/{endpoint_id}' },
    input: z.object({ endpoint_id: idParameter }),
    output: webhookEndpoint,
  }),
  list: defineOperation({
    summary: 'List webhook endpoints, newest first',
    description:
      'Deleted endpoints are not included. A key without `webhooks:write` gets each `url` without its query.',
    http: { method: 'GET', path: '/webhook-endpoints' },
    input: z.object({
      ...pageParameters,
      status: endpointStatus.optional().describe('Only endpoints with this status.'),
      company_id: idParameter.optional().describe('Only endpoints for events of this company.'),
      q: text(1, 200).optional().describe('Only endpoints whose URL or description contains this text, in any case.'),
      ...timeFilters,
    }),
    output: listOf(webhookEndpoint),
  }),
  health: defineOperation({
    summary: 'Read the delivery health of the last 24 hours',
    description:
      'Counts the deliveries that began in the last 24 hours by outcome, in total and per hour, with the latency of successful ones. Of an account with more than 20,000 deliveries only the newest are counted, also for one company; `counted_from` then says from when.',
    http: { method: 'GET', path: '/webhook-health' },
    replica: true,
    input: z.object({ company_id: idParameter.optional().describe('Only deliveries of events of this company.') }),
    output: deliveryHealth,
  }),
  update: defineOperation({
    summary: 'Update a webhook endpoint',
    description:
      'Changes only the fields that are sent; `null` restores a default. `status: "paused"` holds deliveries back, and `"active"` resumes a paused or disabled endpoint. A new `url` requires `headers` to be sent again if the endpoint has any. A changed `filter` or `payload` applies to later events; what is already due is sent as it is. Emits no event.',
    http: { method: 'PATCH', path: '/webhook-endpoints/{endpoint_id}' },
    permission: 'webhooks:write',
    input: z.object({
      endpoint_id: idParameter,
      url: endpointUrl
        .optional()
        .describe('New URL. If the endpoint has `headers`, send them again with it, or `null`.'),
      events: eventFilter,
      description,
      company_id: optional(idParameter).describe(
        'ID of the only company whose events are sent; `null` for those of every company.',
      ),
      include_internal: optional(includeInternal),
      ...endpointOptions,
      ...flowOptions,
      status: z
        .enum(['active', 'paused'])
        .optional()
        .describe('`paused` holds deliveries back; `active` resumes a paused or disabled endpoint.'),
    }),
    output: webhookEndpointResult,
    errors: ['invalid_state_transition'],
    example: { description: 'Treasury events' },
  }),
  delete: defineOperation({
    summary: 'Delete a webhook endpoint',
    description:
      'Deletes the secrets, cancels the outstanding deliveries and ends its replays. Past deliveries stay readable. Emits no event.',
    http: { method: 'DELETE', path: '/webhook-endpoints/{endpoint_id}' },
    permission: 'webhooks:write',
    input: z.object({ endpoint_id: idParameter }),
    output: z.null(),
  }),
  test: defineOperation({
    summary: 'Send a test event',
    description:
      'Sends a sample of an event type once, with the header `x-service-test: true`; it is not retried and not part of the feed. The endpoint must be `active` (409 `invalid_state_transition`). Unknown body fields are rejected.',
    http: { method: 'POST', path: '/webhook-endpoints/{endpoint_id}/test', success: 202 },
    permission: 'webhooks:write',
    input: exactInput(
      { endpoint_id: idParameter },
      {
        event: optional(text(1, 100)).describe(
          'Event type to send. The default is the first type in the `events` of the endpoint, or `bank.balance.updated`.',
        ),
      },
    ),
    output: writeResult(deliveryWithAttempts),
    errors: ['invalid_state_transition'],
    example: { event: 'bank.balance.updated' },
  }),
  rotateSecret: defineOperation({
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'The new `secret` is in this response only. Until the overlap ends, `x-service-signature` is made with the old secret and `webhook-signature` has both signatures. While an earlier overlap is running the request is 409 `invalid_state_transition`, unless `overlap_seconds` is 0, which ends every earlier secret at once.',
    http: { method: 'POST', path: '/webhook-endpoints/{endpoint_id}/rotate-secret' },
    permission: 'webhooks:write',
    input: z.object({
      endpoint_id: idParameter,
      overlap_seconds: optional(z.int().min(0).max(604_800)).meta({
        description: 'How long the old secret still signs, at most 7 days. The default is one day; 0 ends it at once.',
      }),
    }),
    output: endpointWithSecret,
    errors: ['invalid_state_transition'],
    secretOutput: true,
    example: { overlap_seconds: 3_600 },
  }),
  completeRotation: defineOperation({
    summary: 'Complete the rotation of a secret',
    description:
      'Ends the overlap now: the old secret is deleted and only the new one signs. Without an overlap nothing changes.',
    http: { method: 'POST', path: '/webhook-endpoints/{endpoint_id}/rotate-secret/complete' },
    permission: 'webhooks:write',
    input: z.object({ endpoint_id: idParameter }),
    output: webhookEndpointResult,
  }),
  ping: defineOperation({
    summary: 'Ping a webhook endpoint',
    description:
      'Sends one signed request with a random `data.challenge`, waits at most ten seconds and returns what came back; `challenge_answered` says whether the response repeats the challenge. Works in every status of the endpoint and does not affect its health. Allowed once in ten seconds (429 `rate_limited`). No event or delivery is recorded.',
    http: { method: 'POST', path: '/webhook-endpoints/{endpoint_id}/ping' },
    permission: 'webhooks:write',
    input: z.object({ endpoint_id: idParameter }),
    output: writeResult(webhookPing),
  }),
  verifySignature: defineOperation({
    kind: 'query',
    summary: 'Verify a received signature',
    description:
      'Takes the headers and the raw body as the receiver got them, and checks them against the secret of the endpoint. If they do not verify, `reason` and `hint` say what is wrong. Nothing is sent or stored.',
    http: { method: 'POST', path: '/webhook-endpoints/{endpoint_id}/verify-signature' },
    scopes: ['human', 'agent'],
    // JSON doubles quotes and backslashes of the body; the headers are extra.
    bodyLimit: 2 * maxEventBytes + 1_000_000,
    input: z.object({
      endpoint_id: idParameter,
      headers: receivedHeaders,
      body: text(0, maxEventBytes).describe('The raw body of the request as text.'),
      at: optional(instant).describe('When the request was received. The default is now.'),
    }),
    output: signatureVerification,
    example: { headers: { 'x-service-signature': `t=1767225600,v1=${'0'.repeat(64)}` }, body: '{}' },
  }),
};
