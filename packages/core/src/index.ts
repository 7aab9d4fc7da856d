/**
 * @finhook/core: the domain. Owns the database and every rule about records. A change, its audit row, its event and its
 * deliveries commit in one transaction. Must not depend on HTTP, tRPC or the queue.
 *
 * `modules` has the verbs by area; the other folders know none of them: `verbs` (context, records, idempotency), `outbox`
 * (transactions, audit, events, hand-off to the workers), `lists` (keyset paging), `access` (scopes, quotas, secrets),
 * `input` (JSON, field errors), `time`, `ids` and `db`.
 */

export { fullAccess } from './access/access.ts';
export type { IsThrottled } from './access/credential-lookup.ts';
export {
  errorOfCommit,
  isAccountFrozen,
  isDatabaseAway,
  isDatabaseUnavailable,
  isOutcomeUnknown,
  isStatementTimeout,
} from './db/database-error.ts';
export { ensurePartitions } from './db/partitions.ts';
export { type ReplicaReadResult, replicaReadResults } from './db/replica.ts';
export { readDatabaseRights } from './db/row-security.ts';
export { dropUnusedFunctions } from './db/stored-functions.ts';
export { handlers } from './handlers.ts';
export { createIdSource, readIdTime } from './ids/ids.ts';
export { pathOf, pointerOf, toFieldErrors, truncate, withoutSecret } from './input/field-errors.ts';
export { nearestNames } from './input/nearest-names.ts';
export { freeFields, type ParsedJson, parseJson, parseLongJson } from './input/parse-json.ts';
export { createOnce } from './lists/keyset.ts';
export {
  createAccountKey,
  findFirstCompany,
  hasAccount,
  type NewAccountKey,
  type OpenedAccount,
  openAccount,
} from './modules/accounts/account.ts';
export { cellOf, generateKey, isCellName, wrongCell } from './modules/accounts/api-keys/key-format.ts';
export { endOverlaps } from './modules/accounts/api-keys/rotate.ts';
export { type Authenticator, createAuthenticator, findKnownKey } from './modules/accounts/authenticate.ts';
export { createDenialLog, type DenialLog } from './modules/accounts/denial-log.ts';
export { callerContext, KeyRejected, type Principal } from './modules/accounts/known-key.ts';
export { cancelMove, deleteMovedAccount } from './modules/accounts/move/cancel-move.ts';
export { type CopiedRows } from './modules/accounts/move/copy-account.ts';
export { type MoveStep, moveAccount } from './modules/accounts/move/move-account.ts';
export { MoveError } from './modules/accounts/move/move-state.ts';
export { type MoveStatus, readUnfinishedMoves, type UnfinishedMove } from './modules/accounts/move/read-moves.ts';
export { readMoveStatusOfSource } from './modules/accounts/move/with-cells.ts';
export { expireAgentApprovals } from './modules/agent-runtime/approvals/decide.ts';
export { sealAuditLog } from './modules/audit/seal-audit-log.ts';
export {
  type AuditMismatch,
  type AuditReport,
  type SealHead,
  verifyAuditLog,
} from './modules/audit/verify-audit-log.ts';
export { findOpenSyncs, findSyncAccount } from './modules/bank/connections/claim-sync.ts';
export { runSync } from './modules/bank/connections/run-sync.ts';
export { expireBankApprovals } from './modules/bank/wires/decide.ts';
export {
  applyHealth,
  evaluateTimedHealth,
  type HealthReport,
  type LastFailure,
  recordSuccesses,
  type Success,
} from './modules/deliveries/apply-health.ts';
export type { AttemptRecord, Disposition } from './modules/deliveries/attempt.ts';
export {
  type ClaimedDelivery,
  type ClaimRequest,
  claimDeliveries,
  type EndpointClaims,
  extendLeases,
  toClaims,
} from './modules/deliveries/claim-deliveries.ts';
export { claimGated, releaseClaims } from './modules/deliveries/claim-gated.ts';
export {
  countRecentOutcomes,
  type DueWork,
  type RecentOutcomes,
  readDueWork,
} from './modules/deliveries/count-deliveries.ts';
export { findDueEndpoints } from './modules/deliveries/find-due-endpoints.ts';
export {
  type EventRef,
  loadBody,
  loadTargets,
  type Target,
} from './modules/deliveries/load-targets.ts';
export { createLostDeliveryCheck, type LostDeliveries } from './modules/deliveries/lost-deliveries.ts';
export { readBacklog } from './modules/deliveries/read-backlog.ts';
export { type NextDueRequest, readNextDueInMs } from './modules/deliveries/read-gates.ts';
export {
  readUnhealthyEndpoints,
  type UnhealthyEndpoint,
  type UnhealthyReason,
} from './modules/deliveries/read-unhealthy-endpoints.ts';
export { recordAttempts } from './modules/deliveries/record-attempts.ts';
export { reportBacklogs } from './modules/deliveries/report-backlogs.ts';
export { sampleEnvelope } from './modules/events/event-types.ts';
export {
  currentCursor,
  cursorAt,
  cursorFrom,
  type FeedPosition,
  findFeedNews,
  isFeedCursor,
  readPosition,
} from './modules/events/feed-position.ts';
export { type EventHead, listEventHeads } from './modules/events/read.ts';
export { applyFlowRules } from './modules/financials/rollup/apply-flow-rules.ts';
export {
  defaultRetention,
  dropExpiredPartitions,
  type Retention,
  retentionCutoff,
} from './modules/maintenance/drop-expired-partitions.ts';
export { rewrapSecrets } from './modules/maintenance/rewrap-secrets.ts';
export {
  actOnEndpoint,
  findFailedEvents,
  findOperatedEndpoint,
  type OperatedEndpoint,
  type OperatorAction,
  type OperatorOutcome,
} from './modules/operators/act-on-endpoint.ts';
export { type EndpointFacts, readEndpointFacts } from './modules/operators/read-endpoint-facts.ts';
export { admitProcess } from './modules/processes/admit-process.ts';
export { readSecretsKeys, recordSecretsKeys, retireSecretsKeys } from './modules/processes/secrets-keys.ts';
export {
  announceProcess,
  type Heartbeat,
  listProcesses,
  purgeProcesses,
  type ServiceProcess,
  startHeartbeat,
} from './modules/processes/service-processes.ts';
export { advanceReplay, nextReplayInMs } from './modules/replays/advance-replay.ts';
export { steadyPace } from './modules/replays/plan-step.ts';
export { createRequestLog, type RequestEntry, type RequestLog } from './modules/requests/request-log.ts';
export { type PeerCell, restoreCell } from './modules/restore/restore-cell.ts';
export {
  createSessionAuthenticator,
  type SessionAuthenticator,
  SessionEnded,
} from './modules/sessions/authenticate-session.ts';
export {
  approveDeviceLogin,
  beginDeviceLogin,
  denyDeviceLogin,
  deviceLoginTimes,
  getDeviceLogin,
  pollDeviceLogin,
} from './modules/sessions/device-login.ts';
export { getSessionState } from './modules/sessions/list.ts';
export {
  createSignInLink,
  type OpenedSession,
  openSession,
  openSessionByLink,
} from './modules/sessions/open-session.ts';
export { endSession, isOperatorSignedOut, purgeSessions, signOutOperator } from './modules/sessions/revoke.ts';
export { cancelDeliveriesOfDeleted } from './modules/webhooks/delete.ts';
export { endSecretOverlaps } from './modules/webhooks/rotate-secret.ts';
export { type CoreOptions, openCore } from './open-core.ts';
export {
  type DeliveryQueue,
  type EndpointRef,
  type HandOff,
  newDeliveryLeaseMs,
  openHandOffs,
  toDeliveryQueue,
} from './outbox/delivery-queue.ts';
export { createInProcessQueue, type InProcessQueue } from './outbox/in-process-queue.ts';
export { type Clock, systemClock } from './time/clock.ts';
export { type Repetition, repeat } from './time/repeat.ts';
export { settleWithin } from './time/settle-within.ts';
export { createMicroBatch } from './verbs/batching.ts';
export { type Context, type Core, type Idempotency, type RowReport, systemContext } from './verbs/context.ts';
export { DomainError, describeFieldErrors, MAX_FIELD_ERRORS, rejectFields } from './verbs/domain-error.ts';
export { assertIdempotencyKey, beginIdempotent, isIdempotencyKey, purgeIdempotencyKeys } from './verbs/idempotency.ts';
export type { OutputOf } from './verbs/verb.ts';
