/**
 * The webhook engine: prepare, send, classify, schedule, health, and the rules for target URLs.
 * Owns every outgoing socket of the project and what an answer means. It knows no database and no queue, reads no
 * environment, and must not decide who receives what.
 */
export type { UrlPolicy } from './address-policy.ts';
export { checkWebhookHost } from './check-webhook-host.ts';
export { type ClassifyContext, classify, deservesSecondTry, type Outcome } from './classify.ts';
export { createJsonFetcher, type FetchJson, type JsonRequest } from './create-json-fetcher.ts';
export {
  type AttemptFacts,
  maskedHeaderValue,
  maskSignatures,
  sentHeaders,
} from './evidence.ts';
export { failureOf } from './failure-of.ts';
export type { FetchFault, FetchResult } from './fetch-result.ts';
export {
  defaultFlowConfig,
  type EndpointFlow,
  evaluateFlow,
  type FlowConfig,
  type FlowOutcome,
  flowOutcomeOf,
} from './flow.ts';
export { decideGate, type GateState, type GateVerdict } from './gate.ts';
export {
  type AttemptOutcome,
  attemptOutcomeOf,
  defaultHealthConfig,
  type EndpointHealth,
  evaluateHealth,
  evaluateHealthAt,
  type HealthConfig,
  type HealthSignal,
  type HealthVerdict,
  willDisableAt,
} from './health.ts';
export { createHostLookup, type HostLookup } from './host-lookup.ts';
export {
  type DeliveryTarget,
  type DeliveryToSend,
  type PreparedRequest,
  prepareRequest,
  signersOf,
} from './prepare-request.ts';
export { type ProxyServer, parseProxyUrl } from './proxy-server.ts';
export { redactPath, redactUrl } from './redact-url.ts';
export { defaultMaxAttempts, type RetryTiming, retryScheduleMs } from './retry-schedule.ts';
export type { AttemptEvidence, ErrorClass, SendFailure, SendResponse, SendResult, SendTimings } from './send-result.ts';
export { toCurl } from './to-curl.ts';
export { createTransport, defaultConnectionsPerOrigin, type Transport, type TransportOptions } from './transport.ts';
export { isProxyFault } from './tunnel-error.ts';
export type { UrlCheck } from './url-policy.ts';
