import { z } from 'zod';
import { createdAt, id, identity } from '../scalars.ts';

export const loggedRequest = z
  .object({
    ...identity('req', 'request'),
    created_at: createdAt.describe('When the request began (UTC).'),
    method: z.string().describe('HTTP method.'),
    path: z.string().describe('Path without the query. tRPC calls begin with `/trpc/`.'),
    operation: z
      .string()
      .nullable()
      .describe('ID of the operation, for example `companies.create`; null for a batch and for a path without one.'),
    status: z
      .int()
      .describe(
        'Status of the response; 499 if the connection was closed before the response had ended. For a failed call over MCP, whose response has status 200, the status of the problem.',
      ),
    code: z.string().nullable().describe('`code` of the problem that was returned; null if there was none.'),
    duration_ms: z
      .number()
      .describe('Milliseconds from the headers of the request to the end of the response, with one decimal.'),
    key_id: id('key'),
    ip: z.string().nullable().describe('IP address of the caller.'),
    user_agent: z.string().nullable().describe('`User-Agent` of the request.'),
    idempotency_key: z
      .string()
      .nullable()
      .describe('`Idempotency-Key` of the request, or `idempotency_key` of a call over MCP.'),
    idempotency_replayed: z
      .boolean()
      .describe('Whether the response was that of an earlier request with the same `Idempotency-Key`.'),
  })
  .meta({
    id: 'LoggedRequest',
    description:
      'One request to the API with a key. Bodies and queries are not kept, and API keys and other secrets in the other fields are masked. The log is written after the response, and a process that ends abruptly loses its last second.',
  });
export type LoggedRequest = z.output<typeof loggedRequest>;
