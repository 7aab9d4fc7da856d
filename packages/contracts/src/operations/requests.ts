import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { listOf, pageParameters } from '../records/list.ts';
import { loggedRequest } from '../records/logged-request.ts';
import { idParameter, instant, text } from '../scalars.ts';

const kept =
  'Requests are kept for 30 days, if the operator sets no other time, and removed by whole months. Requests of the dashboard and those without a valid key are not in the log; of those that return 429, it has about ten per key and second. A key that is limited to companies sees its own requests only.';

export const requestOperations = {
  list: defineOperation({
    summary: 'List the requests to the API, newest first',
    description: kept,
    http: { method: 'GET', path: '/requests' },
    scopes: ['human', 'read'],
    input: z.object({
      ...pageParameters,
      outcome: z
        .enum(['succeeded', 'failed'])
        .optional()
        .describe('Only requests with a status below 400, or only those with another.'),
      key_id: idParameter.optional().describe('Only requests of this API key.'),
      operation: text(1, 100).optional().describe('Only requests for this operation, for example `companies.create`.'),
      code: text(1, 100).optional().describe('Only requests that returned a problem with this `code`.'),
      created_from: instant.optional().describe('Only requests at or after this time.'),
      created_to: instant.optional().describe('Only requests before this time.'),
    }),
    output: listOf(loggedRequest),
  }),
  get: defineOperation({
    summary: 'Get a request by the `x-request-id` of its response',
    description: kept,
    http: { method: 'GET', path: '/requests/{request_id}' },
    scopes: ['human', 'read'],
    input: z.object({ request_id: idParameter }),
    output: loggedRequest,
  }),
};
