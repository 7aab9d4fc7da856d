import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { me } from '../records/account.ts';

export const meOperations = {
  get: defineOperation({
    id: 'me.get',
    kind: 'query',
    summary: 'Who am I: the account and the key of this request',
    http: { method: 'GET', path: '/me', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({}),
    output: me,
    errors: [],
    emits: [],
    example: {},
  }),
};
