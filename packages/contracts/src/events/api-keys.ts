import { z } from 'zod';
import { type ApiKey, apiKey } from '../records/api-key.ts';
import { at, defineEvent, sampleActor, sampleId } from './define-event.ts';

const group = 'API keys';

const sample: ApiKey = {
  id: sampleId('key'),
  object: 'api_key',
  account_id: sampleId('acct'),
  name: 'Bank sync',
  scope: 'human',
  prefix: 'sk_live_AbCd',
  last4: 'x9Zq',
  status: 'active',
  company_ids: null,
  permissions: null,
  ip_allowlist: null,
  agent_id: null,
  unused: false,
  expires_at: null,
  last_used_at: null,
  last_used_ip: null,
  created_by: sampleActor,
  person_id: sampleId('key'),
  revoked_at: null,
  revoked_by: null,
  rotated_to: null,
  created_at: at,
  updated_at: at,
};

export const apiKeyEvents = {
  'api_key.created': defineEvent({ group, description: 'A new API key is created.', data: apiKey, sample }),
  'api_key.revoked': defineEvent({
    group,
    description: 'An API key is revoked.',
    data: apiKey.extend({
      revoked_reason: z.string().optional().describe('Why the key was revoked; absent if no reason was given.'),
    }),
    sample: { ...sample, status: 'revoked', revoked_at: at, revoked_by: sampleActor },
  }),
};
