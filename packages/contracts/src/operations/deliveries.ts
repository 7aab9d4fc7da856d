import { z } from 'zod';
import { allEventTypes } from '../events/index.ts';
import { defineOperation } from '../operation.ts';
import { attemptCurl, delivery, deliveryStatus, deliveryWithAttempts, listedDelivery } from '../records/delivery.ts';
import { listOf, pageParameters, timeFilters, warnings } from '../records/list.ts';
import { idParameter } from '../scalars.ts';

export const deliveryOperations = {
  list: defineOperation({
    id: 'deliveries.list',
    kind: 'query',
    summary: 'List deliveries, newest first',
    http: {
      method: 'GET',
      path: '/deliveries',
      success: 200,
      aliases: [{ method: 'GET', path: '/webhook-endpoints/{endpoint_id}/deliveries', success: 200 }],
    },
    scopes: ['human', 'agent', 'read'],
    input: z.object({
      ...pageParameters,
      endpoint_id: idParameter.optional(),
      event_id: idParameter.optional(),
      event_type: z.enum(allEventTypes).optional(),
      company_id: idParameter.optional(),
      replay_id: idParameter.optional(),
      status: z
        .enum([...deliveryStatus.options, 'undelivered'])
        .optional()
        .meta({ description: '`undelivered`: everything that did not arrive yet: pending, retrying, or given up' }),
      ...timeFilters,
    }),
    output: listOf(listedDelivery),
    errors: ['invalid_cursor', 'not_found'],
    emits: [],
    example: {},
  }),
  get: defineOperation({
    id: 'deliveries.get',
    kind: 'query',
    summary: 'Read a delivery with each of its attempts',
    http: { method: 'GET', path: '/deliveries/{delivery_id}', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({ delivery_id: idParameter }),
    output: deliveryWithAttempts,
    errors: ['not_found'],
    emits: [],
    example: {},
  }),
  curl: defineOperation({
    id: 'deliveries.curl',
    kind: 'query',
    summary: 'A shell command that repeats one attempt: the same url, headers and body',
    http: { method: 'GET', path: '/deliveries/{delivery_id}/attempts/{attempt}/curl', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({
      delivery_id: idParameter,
      attempt: idParameter.meta({ description: 'The `n` of the attempt, in digits' }),
    }),
    output: attemptCurl,
    errors: ['not_found'],
    emits: [],
    example: {},
  }),
  retry: defineOperation({
    id: 'deliveries.retry',
    kind: 'mutation',
    summary: 'Try a delivery again now; the automatic schedule stays as it is',
    http: { method: 'POST', path: '/deliveries/{delivery_id}/retry', success: 202 },
    scopes: ['human'],
    permission: 'events:write',
    input: z.object({ delivery_id: idParameter }),
    output: delivery.extend({ warnings: warnings.optional() }),
    errors: ['not_found', 'invalid_state_transition'],
    emits: [],
    example: {},
  }),
};
