/** deliveries: what is to be sent, what was sent and what came of it; the worker's claims and records. */
export { applyHealth, evaluateTimedHealth, type LastFailure, recordSuccesses } from './apply-health.ts';
export { type ClaimedDelivery, type ClaimRequest, claimDeliveries, releaseClaims } from './claim-deliveries.ts';
export { claimGated, type GatedClaims } from './claim-gated.ts';
export { countLedgerPage, type LedgerCount, type LedgerPage } from './count-ledger.ts';
export { type DeliveryRow, toDelivery } from './delivery-record.ts';
export { deliverySummary } from './delivery-summary.ts';
export { type DueOutlook, findDueEndpoints, readDueOutlook } from './find-due-endpoints.ts';
export { getCurl } from './get-curl.ts';
export { loadTargets, type Target, type TargetFlow } from './load-targets.ts';
export { type Backlog, readBacklog, type TroubledEndpoint } from './read-backlog.ts';
export { getDelivery, listDeliveries } from './read-deliveries.ts';
export { readGatedOutlook } from './read-gates.ts';
export { readTraceparents } from './read-traces.ts';
export { type AttemptRecord, type Disposition, recordAttempts } from './record-attempts.ts';
export { type BacklogConfig, defaultBacklogConfig, reportBacklogs } from './report-backlogs.ts';
export { refuseInactive, retryDelivery } from './retry-delivery.ts';
export { verifySignature } from './verify-signature.ts';
