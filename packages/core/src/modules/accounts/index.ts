/** accounts: accounts, API keys and the authentication of requests. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { createApiKey } from './create-api-key.ts';
import { getMe } from './get-me.ts';
import { getApiKey, listApiKeys } from './read-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';

export const me = {
  get: getMe,
} satisfies Handlers<typeof operations.me>;

export const apiKeys = {
  create: createApiKey,
  list: listApiKeys,
  get: getApiKey,
  rotate: rotateApiKey,
  revoke: revokeApiKey,
} satisfies Handlers<typeof operations.apiKeys>;
