import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { me, session } from '../records/account.ts';
import { listOf, pageParameters, writeResult } from '../records/list.ts';
import { idParameter, instant } from '../scalars.ts';

export const sessionOperations = {
  list: defineOperation({
    summary: 'List dashboard sessions, newest first',
    description:
      'Ended sessions are kept for 90 days. A key limited to some companies gets the sessions of keys without access to other companies.',
    http: { method: 'GET', path: '/sessions' },
    scopes: ['human', 'read'],
    input: z.object({
      ...pageParameters,
      status: session.shape.status.optional().describe('Only sessions with this status.'),
      key_id: idParameter.optional().describe('Only sessions that were opened with this API key.'),
      created_from: instant.optional().describe('Only sessions opened at or after this time.'),
      created_to: instant.optional().describe('Only sessions opened before this time.'),
    }),
    output: listOf(session),
  }),
  revoke: defineOperation({
    summary: 'End a dashboard session',
    description:
      'The session stops working everywhere within a second. A repeat changes nothing. A session whose key can do more than the key of the request is 403 `insufficient_scope`. Emits no event.',
    http: { method: 'POST', path: '/sessions/{session_id}/revoke' },
    permission: 'keys:write',
    input: z.object({ session_id: idParameter }),
    output: writeResult(session),
  }),
};

export const meOperations = {
  get: defineOperation({
    summary: 'Read the account and the key of this request',
    description:
      'Returns the account with its mode, `live` or `test`, and the API key with its scope, companies, permissions and expiry. Use it to check that a key works and what it may do.',
    http: { method: 'GET', path: '/me' },
    input: z.object({}),
    output: me,
  }),
};
