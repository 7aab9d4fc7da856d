import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { listOf, pageParameters, warnings } from '../records/list.ts';
import { session } from '../records/session.ts';
import { idParameter, instant } from '../scalars.ts';

export const sessionOperations = {
  list: defineOperation({
    id: 'sessions.list',
    kind: 'query',
    summary: 'List sign-ins to the dashboard, newest first; an ended one is kept for 90 days',
    http: { method: 'GET', path: '/sessions', success: 200 },
    scopes: ['human', 'read'],
    input: z.object({
      ...pageParameters,
      status: session.shape.status.optional(),
      key_id: idParameter.optional(),
      created_from: instant.optional(),
      created_to: instant.optional(),
    }),
    output: listOf(session),
    errors: ['invalid_cursor'],
    emits: [],
    example: {},
  }),
  revoke: defineOperation({
    id: 'sessions.revoke',
    kind: 'mutation',
    summary: 'End a session; it stops working everywhere within a second',
    http: { method: 'POST', path: '/sessions/{session_id}/revoke', success: 200 },
    scopes: ['human'],
    permission: 'keys:write',
    input: z.object({ session_id: idParameter }),
    output: session.extend({ warnings: warnings.optional() }),
    errors: ['not_found'],
    emits: [],
    example: {},
  }),
};
