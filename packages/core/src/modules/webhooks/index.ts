/** webhooks: the endpoints of an account and what they subscribe to. */
export { cancelDeliveriesOfDeleted } from './cancel-deleted.ts';
export { completeRotation } from './complete-rotation.ts';
export { createEndpoint } from './create-endpoint.ts';
export { deleteEndpoint } from './delete-endpoint.ts';
export { endSecretOverlaps } from './end-secret-overlaps.ts';
export { readHeaders } from './endpoint-headers.ts';
export { eventFilterFaults } from './event-filter.ts';
export { expediteFirst } from './expedite-first.ts';
export { pingEndpoint } from './ping-endpoint.ts';
export {
  assertEndpoint,
  findEndpoint,
  getEndpoint,
  listEndpoints,
  lockEndpoint,
  shownUrl,
  writesEndpoints,
} from './read-endpoints.ts';
export { rotateSecret } from './rotate-secret.ts';
export { updateEndpoint } from './update-endpoint.ts';
export { headersPlace, privateKeyPlace, secretPlace, WebhookEndpoint } from './webhook-endpoint.entity.ts';
