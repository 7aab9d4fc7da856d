import { z } from 'zod';
import { createdAt, id, objectType, timestamp } from '../scalars.ts';
import { apiKey, scope } from './api-key.ts';

/** The caller as the service sees it. */
export const me = z
  .object({
    object: objectType('me'),
    account: z
      .object({
        id: id('acct'),
        object: objectType('account'),
        name: z.string().describe('Display name of the account.'),
        mode: z
          .enum(['live', 'test'])
          .describe('`live` for real data, `test` for a test account. Keys of the two have different prefixes.'),
        created_at: createdAt,
      })
      .describe('The account that the credential belongs to.'),
    api_key: z
      .object({
        id: id('key'),
        name: z.string().describe('Label that the key was created with.'),
        scope,
        company_ids: apiKey.shape.company_ids,
        permissions: apiKey.shape.permissions,
        agent_id: apiKey.shape.agent_id,
        expires_at: timestamp.nullable().describe('When the key expires (UTC); null if it never does.'),
      })
      .describe('The API key of the request, or the key behind the session.'),
  })
  .meta({ id: 'Me', description: 'The account and the API key that a request is authenticated as.' });
