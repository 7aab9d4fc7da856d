/** webhooks: the endpoints of an account and what they subscribe to. */
export { cancelDeliveriesOfDeleted } from './cancel-deleted.ts';
export { createEndpoint } from './create-endpoint.ts';
export { deleteEndpoint } from './delete-endpoint.ts';
export { findEndpoint, getEndpoint, listEndpoints } from './read-endpoints.ts';
export { updateEndpoint } from './update-endpoint.ts';
export { secretPlace, WebhookEndpoint } from './webhook-endpoint.entity.ts';
