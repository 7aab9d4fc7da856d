import { z } from 'zod';
import { eventTypes } from '../events/index.ts';
import { defineOperation } from '../operation.ts';
import { delivery, deliveryStatus, deliveryWithAttempts } from '../records/delivery.ts';
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
      event_type: z.enum(eventTypes).optional(),
      company_id: idParameter.optional(),
      status: deliveryStatus.optional(),
      ...timeFilters,
    }),
    output: listOf(delivery),
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
