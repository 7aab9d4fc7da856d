import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { deliveryWithAttempts } from '../records/delivery.ts';
import { listOf, pageParameters, timeFilters, warnings } from '../records/list.ts';
import { endpointStatus, endpointUrl, eventFilter, webhookEndpoint } from '../records/webhook-endpoint.ts';
import { idParameter, optional, text } from '../scalars.ts';

const description = optional(text(0, 500));
const includeInternal = z.boolean().meta({ description: 'Whether it is sent internal comments on cases too' });

export const webhookEndpointOperations = {
  create: defineOperation({
    id: 'webhookEndpoints.create',
    kind: 'mutation',
    summary: 'Create a webhook endpoint; the secret is in this answer and nowhere else',
    http: { method: 'POST', path: '/webhook-endpoints', success: 201 },
    scopes: ['human'],
    permission: 'webhooks:write',
    input: z.object({
      url: endpointUrl,
      events: eventFilter,
      description,
      company_id: optional(idParameter),
      include_internal: optional(includeInternal),
    }),
    output: webhookEndpoint.extend({ secret: z.string(), warnings: warnings.optional() }),
    errors: ['limit_reached'],
    emits: [],
    secretOutput: true,
    example: { url: 'https://example.com/webhooks', events: ['bank.balance.updated'] },
  }),
  get: defineOperation({
    id: 'webhookEndpoints.get',
    kind: 'query',
    summary: 'Read a webhook endpoint',
    http: { method: 'GET', path: '/webhook-endpoints/{endpoint_id}', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({ endpoint_id: idParameter }),
    output: webhookEndpoint,
    errors: ['not_found'],
    emits: [],
    example: {},
  }),
  list: defineOperation({
    id: 'webhookEndpoints.list',
    kind: 'query',
    summary: 'List webhook endpoints, newest first',
    http: { method: 'GET', path: '/webhook-endpoints', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({
      ...pageParameters,
      status: endpointStatus.optional(),
      company_id: idParameter.optional(),
      q: text(1, 200).optional(),
      ...timeFilters,
    }),
    output: listOf(webhookEndpoint),
    errors: ['invalid_cursor'],
    emits: [],
    example: {},
  }),
  update: defineOperation({
    id: 'webhookEndpoints.update',
    kind: 'mutation',
    summary: 'Change a webhook endpoint; `status: "active"` resumes a paused or disabled one',
    http: { method: 'PATCH', path: '/webhook-endpoints/{endpoint_id}', success: 200 },
    scopes: ['human'],
    permission: 'webhooks:write',
    input: z.object({
      endpoint_id: idParameter,
      url: endpointUrl.optional(),
      events: eventFilter,
      description,
      include_internal: includeInternal.optional(),
      status: z.enum(['active', 'paused']).optional(),
    }),
    output: webhookEndpoint.extend({ warnings: warnings.optional() }),
    errors: ['not_found', 'invalid_state_transition'],
    emits: [],
    example: { description: 'Treasury events' },
  }),
  delete: defineOperation({
    id: 'webhookEndpoints.delete',
    kind: 'mutation',
    summary: 'Delete a webhook endpoint: its secret is wiped and what was due to it is cancelled',
    http: { method: 'DELETE', path: '/webhook-endpoints/{endpoint_id}', success: 204 },
    scopes: ['human'],
    permission: 'webhooks:write',
    input: z.object({ endpoint_id: idParameter }),
    output: z.null(),
    errors: ['not_found'],
    emits: [],
    example: {},
  }),
  test: defineOperation({
    id: 'webhookEndpoints.test',
    kind: 'mutation',
    summary: 'Send a sample event, marked `x-service-test: true`, once',
    http: { method: 'POST', path: '/webhook-endpoints/{endpoint_id}/test', success: 202 },
    scopes: ['human'],
    permission: 'webhooks:write',
    input: z.object({ endpoint_id: idParameter, event: optional(text(1, 100)) }),
    output: deliveryWithAttempts.extend({ warnings: warnings.optional() }),
    errors: ['not_found', 'invalid_state_transition'],
    emits: [],
    example: { event: 'bank.balance.updated' },
  }),
};
