import { z } from 'zod';
import { apiKey } from '../records/api-key.ts';
import { at, defineEvent, sampleActor, sampleOf } from './define-event.ts';

const group = 'API keys';

const sample = sampleOf(apiKey, {
  name: 'Bank sync',
  scope: 'human',
  prefix: 'sk_live_AbCd',
  last4: 'x9Zq',
  status: 'active',
  unused: false,
  created_by: sampleActor,
});

export const apiKeyEvents = {
  'api_key.created': defineEvent({
    group,
    description: 'A new API key is created.',
    data: apiKey,
    thin: ['object', 'id', 'agent_id', 'status'],
    sample,
  }),
  'api_key.revoked': defineEvent({
    group,
    description: 'An API key is revoked.',
    data: apiKey.extend({
      revoked_reason: z.string().optional().describe('Why the key was revoked; absent if no reason was given.'),
    }),
    thin: ['object', 'id', 'agent_id', 'status'],
    sample: { ...sample, status: 'revoked', revoked_at: at, revoked_by: sampleActor },
  }),
};
