/**
 * @finhook/core: the domain. Owns the database, every rule about records and every event's cause; a state change, its
 * audit row, its event and its deliveries commit in one transaction here. Must not know HTTP, tRPC or the queue.
 */
export { type Access, fullAccess } from './kernel/access.ts';
export { type Clock, systemClock } from './kernel/clock.ts';
export type { Context, Core, Idempotency, RejectedRow, RowReport } from './kernel/context.ts';
export {
  errorOfCommit,
  isDatabaseUnavailable,
  isLoginRefused,
  isOutcomeUnknown,
  isStatementTimeout,
} from './kernel/database-error.ts';
export { DomainError, type DomainErrorDetails, describeFaults, MAX_FAULTS_TOLD } from './kernel/domain-error.ts';
export { type IsSecretPlace, toFieldErrors, withoutSecret } from './kernel/field-errors.ts';
export type { IsThrottled } from './kernel/hash-lookup.ts';
export { assertIdempotencyKey, beginIdempotent, type Outcome } from './kernel/idempotency.ts';
export { createIdSource, type NewId, readIdTime } from './kernel/ids.ts';
export { createMicroBatch } from './kernel/micro-batch.ts';
export { nearestNames } from './kernel/nearest-names.ts';
export { type ParsedJson, parseJson, parseLongJson } from './kernel/parse-json.ts';
export { ensurePartitions } from './kernel/partitions.ts';
export { pathOf, pointerOf } from './kernel/pointer-of.ts';
export { type Queryable, statement } from './kernel/queryable.ts';
export { shorten } from './kernel/shorten.ts';
export { systemContext } from './kernel/system-context.ts';
export type { InputOf, OutputOf, Verb } from './kernel/verb.ts';
export * from './modules/accounts/index.ts';
export * from './modules/activity/index.ts';
export * from './modules/agent-runtime/index.ts';
export * from './modules/agents/index.ts';
export * from './modules/audit/index.ts';
export * from './modules/bank/index.ts';
export * from './modules/cases/index.ts';
export * from './modules/cash/index.ts';
export * from './modules/companies/index.ts';
export * from './modules/compliance/index.ts';
export * from './modules/connections/index.ts';
export * from './modules/deliveries/index.ts';
export * from './modules/events/index.ts';
export * from './modules/filings/index.ts';
export * from './modules/financials/index.ts';
export * from './modules/housekeeping/index.ts';
export * from './modules/processes/index.ts';
export * from './modules/replays/index.ts';
export * from './modules/sessions/index.ts';
export * from './modules/surface/index.ts';
export * from './modules/webhooks/index.ts';
export * from './modules/wires/index.ts';
export { type CoreOptions, openCore } from './open-core.ts';
