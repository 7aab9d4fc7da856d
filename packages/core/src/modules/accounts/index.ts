/** accounts: accounts, API keys and the authentication of requests. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { getMe } from './account.ts';
import { createApiKey } from './api-keys/create.ts';
import { getApiKey, listApiKeys } from './api-keys/read.ts';
import { revokeApiKey } from './api-keys/revoke.ts';
import { rotateApiKey } from './api-keys/rotate.ts';

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
