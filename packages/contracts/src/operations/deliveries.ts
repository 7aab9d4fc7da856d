import { z } from 'zod';
import { allEventTypes } from '../events/index.ts';
import { defineOperation } from '../operation.ts';
import {
  attemptCurl,
  delivery,
  deliveryCounts,
  deliveryStatus,
  deliveryWithAttempts,
  listedDelivery,
} from '../records/delivery.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { idParameter } from '../scalars.ts';

const deliveryFilters = {
  endpoint_id: idParameter.optional().describe('Only deliveries to this webhook endpoint.'),
  event_id: idParameter.optional().describe('Only deliveries of this event.'),
  event_type: z.enum(allEventTypes).optional().describe('Only deliveries of events of this type.'),
  company_id: idParameter.optional().describe('Only deliveries of events of this company.'),
  replay_id: idParameter.optional().describe('Only deliveries that this replay created.'),
  status: z
    .enum([...deliveryStatus.options, 'undelivered'])
    .optional()
    .describe(
      'Only deliveries with this status. `undelivered` selects all that have not arrived: pending, retrying, or finally failed.',
    ),
  resource_id: idParameter
    .optional()
    .describe(
      'Only deliveries of the events of actions on this record, such as a balance (`bal_…`), a transaction (`txn_…`) or a case: those of its newest 1,000 events.',
    ),
  response_code: z
    .int()
    .min(100)
    .max(599)
    .optional()
    .describe('Only deliveries whose last attempt got this HTTP status.'),
};

export const deliveryOperations = {
  list: defineOperation({
    summary: 'List deliveries, newest first',
    description:
      'Includes deliveries to deleted endpoints. `reason` says why a delivery has not arrived; use `status=undelivered` to find everything that is outstanding.',
    http: {
      method: 'GET',
      path: '/deliveries',
      aliases: [{ method: 'GET', path: '/webhook-endpoints/{endpoint_id}/deliveries', success: 200 }],
    },
    input: z.object({
      ...pageParameters,
      ...deliveryFilters,
      ...timeFilters,
    }),
    output: listOf(listedDelivery),
    errors: ['not_found'],
  }),
  counts: defineOperation({
    summary: 'Count deliveries per hour',
    description:
      'Counts the deliveries that the filters of the list select, by the hour of their creation (UTC) and by how they went. `created_from` and `created_to` are at most seven days apart; the default is the last 24 hours. A call reads the newest 100,000 deliveries of that time (of the endpoint, event, replay or record, if given) and no more: if there are more, `counted_from` says from when on they are counted.',
    http: { method: 'GET', path: '/deliveries/counts' },
    input: z.object({ ...deliveryFilters, ...timeFilters }),
    output: deliveryCounts,
    errors: ['not_found'],
    replica: true,
  }),
  get: defineOperation({
    summary: 'Read a delivery with each of its attempts',
    description:
      'Attempts are in order, each with its request, response and timings as far as they are kept. Signatures are masked for keys without `webhooks:write`.',
    http: { method: 'GET', path: '/deliveries/{delivery_id}' },
    input: z.object({ delivery_id: idParameter }),
    output: deliveryWithAttempts,
  }),
  curl: defineOperation({
    summary: 'Get an attempt as a curl command',
    description:
      'The command repeats the URL, headers and body of the attempt. It has the original signature, which receivers reject after five minutes. `masked_headers` names the values to fill in. Returns 404 `not_found` if the request of the attempt was not kept.',
    http: { method: 'GET', path: '/deliveries/{delivery_id}/attempts/{attempt}/curl' },
    input: z.object({
      delivery_id: idParameter,
      attempt: idParameter.describe('Number of the attempt: its `n`, beginning with 1.'),
    }),
    output: attemptCurl,
  }),
  retry: defineOperation({
    summary: 'Retry a delivery now',
    description:
      'The automatic schedule does not change. A delivery that succeeded or was cancelled, and an endpoint that is not `active`, are 409 `invalid_state_transition`. The event must still be stored (404 `not_found` otherwise).',
    http: { method: 'POST', path: '/deliveries/{delivery_id}/retry', success: 202 },
    permission: 'events:write',
    input: z.object({ delivery_id: idParameter }),
    output: writeResult(delivery),
    errors: ['invalid_state_transition'],
  }),
};
