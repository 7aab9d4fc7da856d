import { z } from 'zod';
import { id, timestamp } from '../scalars.ts';
import { apiKey, scope } from './api-key.ts';

/** The caller as the service sees it. */
export const me = z
  .object({
    object: z.literal('me'),
    account: z.object({
      id: id('acct'),
      object: z.literal('account'),
      name: z.string(),
      mode: z.enum(['live', 'test']),
      created_at: timestamp,
    }),
    api_key: z.object({
      id: id('key'),
      name: z.string(),
      scope,
      company_ids: apiKey.shape.company_ids,
      permissions: apiKey.shape.permissions,
      agent_id: apiKey.shape.agent_id,
      expires_at: timestamp.nullable(),
    }),
  })
  .meta({ id: 'Me' });
