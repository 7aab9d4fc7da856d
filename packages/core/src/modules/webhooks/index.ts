/** webhooks: the endpoints of an account. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { createEndpoint } from './create.ts';
import { deleteEndpoint } from './delete.ts';
import { pingEndpoint } from './ping.ts';
import { getEndpoint, listEndpoints } from './read.ts';
import { completeRotation, rotateSecret } from './rotate-secret.ts';
import { updateEndpoint } from './update.ts';
import { verifySignature } from './verify-signature.ts';

export const webhookEndpoints = {
  create: createEndpoint,
  get: getEndpoint,
  list: listEndpoints,
  update: updateEndpoint,
  delete: deleteEndpoint,
  rotateSecret,
  completeRotation,
  ping: pingEndpoint,
  verifySignature,
} satisfies Handlers<
  Pick<
    typeof operations.webhookEndpoints,
    'create' | 'get' | 'list' | 'update' | 'delete' | 'rotateSecret' | 'completeRotation' | 'ping' | 'verifySignature'
  >
>;
