/**
 * @finhook/contracts: the four tables that everything is derived from (operations, events, errors, jobs) and the zod
 * schemas of every record. Owns the wire format. Browser-safe, JSON-native; imports only zod and has no behaviour
 * beyond validation.
 */
export * from './connection-name.ts';
export * from './currency.ts';
export * from './delivery-hints.ts';
export * from './errors.ts';
export { eventGroupTags } from './events/define-event.ts';
export * from './events/index.ts';
export * from './field-error.ts';
export * from './fields.ts';
export * from './jobs.ts';
export * from './json-schema.ts';
export * from './json-text.ts';
export * from './number-error.ts';
export {
  type Deprecation,
  deprecatedField,
  deprecationNotice,
  type HttpMethod,
  type HttpRoute,
  maxBatchCalls,
  type Operation,
  pathParameterDescriptions,
  pathParameterExamples,
  pathParameters,
  type RowsLimit,
} from './operation.ts';
export { type DeviceLogin, deviceLoginOperations } from './operations/device-login.ts';
export { operationGroups } from './operations/groups.ts';
export * from './operations/index.ts';
export * from './records/account.ts';
export * from './records/activity.ts';
export { type Agent, type AgentBinding, agent, agentBinding, agentStatus } from './records/agent.ts';
export {
  type AgentAction,
  type AgentApproval,
  type AgentApprovalDecision,
  type AgentFlag,
  agentAction,
  agentApproval,
  agentFlag,
  jsonBytes,
  MAX_PAYLOAD_BYTES,
  type RuntimeSnapshot,
  runtimeSnapshot,
} from './records/agent-runtime.ts';
export {
  type Actor,
  type ApiKey,
  type ApprovalActor,
  actor,
  apiKey,
  type Permission,
  permission,
  type Scope,
  scope,
} from './records/api-key.ts';
export {
  type ApprovalReview,
  type ApprovalStatus,
  type BankApproval,
  type Beneficiary,
  bankApproval,
  wireFields,
} from './records/bank-approval.ts';
export {
  type BankConnection,
  bankConnection,
  type ConnectionOwner,
  connectionOwner,
  MIN_SECRET_FOR_LAST4,
  type SyncError,
  type SyncOutcome,
  type SyncRun,
  type SyncStats,
  syncRun,
} from './records/bank-connection.ts';
export {
  type BankTransaction,
  type BankTransactionInput,
  type BankTransactionRow,
  bankTransaction,
  bankTransactionInput,
  bankTransactionRow,
  type ContentTransactionInput,
  type CountedAs,
  type FlowClass,
  type FlowReason,
  MAX_LABELS,
  MAX_TRANSACTIONS,
  type SkippedTransaction,
  type UpdatedTransaction,
} from './records/bank-transaction.ts';
export { MAX_BREAKDOWN_KEYS, MAX_BREAKDOWN_MONTHS } from './records/breakdown.ts';
export {
  type Burn,
  type BurnLine,
  burn,
  type ConfidenceReason,
  type CountedTwice,
  type MonthlyFlow,
  type MonthlyLine,
  month,
  type Runway,
  type RunwayBasis,
  type RunwayLine,
  type RunwayStatus,
  runway,
  type SupersededSeries,
} from './records/burn.ts';
export { type Case, type Comment, caseRecord, comment } from './records/case.ts';
export {
  type AccountType,
  type CashBalance,
  type CashHistory,
  type CashOnHand,
  type CashOnHandLine,
  type CashSeries,
  cashBalance,
  cashBalanceInput,
  type ExclusionReason,
} from './records/cash.ts';
export {
  type Company,
  company,
  entityType,
  type Formation,
  type FormationStep,
  formation,
  formationStep,
} from './records/company.ts';
export {
  type ComplianceDueDate,
  type ComplianceItem,
  type ComplianceMatrix,
  type ComplianceResync,
  type ComplianceStatus,
  complianceDueDate,
  complianceItem,
  type ObligationBasis,
  type ObligationFrequency,
  type PlannedFiling,
} from './records/compliance.ts';
export * from './records/data-quality.ts';
export {
  attemptTimings,
  type Delivery,
  type DeliveryCounts,
  delivery,
  deliveryAttempt,
  type ListedDelivery,
  listedDelivery,
} from './records/delivery.ts';
export { type Directive, directive } from './records/directive.ts';
export { type BlockedBy } from './records/endpoint-options.ts';
export { type FigureSettings, type FlowRule, figureSettings } from './records/figure-settings.ts';
export { type Filing, type FilingType, filing } from './records/filing.ts';
export {
  type CheckedSnapshot,
  type CheckId,
  checkedSnapshot,
  type FinancialSnapshot,
  financialSnapshot,
  type LineItem,
  type SnapshotCheck,
  snapshotRevision,
  statementType,
} from './records/financial-snapshot.ts';
export { type FinancialSummary } from './records/financial-summary.ts';
export { type Freshness, type FreshnessEntry, type FreshnessGrade, freshness } from './records/freshness.ts';
export { type FxRates, fxRates } from './records/fx-rates.ts';
export { listOf, timeFilters, type Warning, warnings } from './records/list.ts';
export { type LoggedRequest, loggedRequest } from './records/logged-request.ts';
export { type FilterCondition, filterSizeError, type PayloadFilter, payloadFilter } from './records/payload-filter.ts';
export { type Problem, problem } from './records/problem.ts';
export { maxCountedMatches, type Replay, type ReplayStatus, replay, replayEstimate } from './records/replay.ts';
export {
  type SchemeVerification,
  type VerificationReason,
  verificationHints,
} from './records/signature-verification.ts';
export { type WaitingApproval, waitingApproval } from './records/waiting-approval.ts';
export {
  type DeliveryHealth,
  defaultTimeoutMs,
  endpointStatus,
  maxTimeoutMs,
  type WebhookEndpoint,
  webhookEndpoint,
} from './records/webhook-endpoint.ts';
export type { WireContext } from './records/wire-context.ts';
export {
  amount,
  connectionId,
  createdAt,
  currency,
  currencyInput,
  date,
  type IdPrefix,
  id,
  idParameter,
  instant,
  isSecret,
  keyLimit,
  localDate,
  metadata,
  optional,
  parseInstant,
  secret,
  source,
  text,
  timestamp,
  timeZone,
} from './scalars.ts';
