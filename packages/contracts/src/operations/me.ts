import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { me } from '../records/account.ts';

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
