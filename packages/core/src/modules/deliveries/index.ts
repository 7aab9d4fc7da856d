/** deliveries: what is to be sent, what was sent and what came of it; the worker's claims and records. */
export { applyHealth, evaluateTimedHealth, type LastFailure, recordSuccesses } from './apply-health.ts';
export { type ClaimedDelivery, type ClaimRequest, claimDeliveries, releaseClaims } from './claim-deliveries.ts';
export { type DeliveryRow, toDelivery } from './delivery-record.ts';
export { deliverySummary } from './delivery-summary.ts';
export { type DueOutlook, findDueEndpoints, readDueOutlook } from './find-due-endpoints.ts';
export { loadTargets, type Target } from './load-targets.ts';
export { getDelivery, listDeliveries } from './read-deliveries.ts';
export { type AttemptRecord, type Disposition, recordAttempts } from './record-attempts.ts';
export { refuseInactive, retryDelivery } from './retry-delivery.ts';
