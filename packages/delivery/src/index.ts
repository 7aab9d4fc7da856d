/**
 * The webhook engine: prepare, send, classify, schedule, health, and the rules for target URLs.
 * Owns every outgoing socket of the project and what an answer means. It knows no database and no queue, reads no
 * environment, and must not decide who receives what.
 */

export { type ClassifyContext, classify, deservesSecondTry, type Outcome } from './policy/classify.ts';
export { failureOf } from './policy/failure-of.ts';
export {
  defaultFlowConfig,
  type EndpointFlow,
  evaluateFlow,
  type FlowConfig,
  type FlowOutcome,
  flowOutcomeOf,
} from './policy/flow.ts';
export { decideGate, type GateState, type GateVerdict } from './policy/gate.ts';
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
} from './policy/health.ts';
export { defaultMaxAttempts, type RetryTiming, retryScheduleMs } from './policy/retry-schedule.ts';
export { redactPath, redactUrl } from './redact/redact-url.ts';
export type { UrlPolicy } from './ssrf/address-policy.ts';
export { checkWebhookHost } from './ssrf/check-webhook-host.ts';
export { createHostLookup, type HostLookup } from './ssrf/host-lookup.ts';
export type { UrlCheck } from './ssrf/url-policy.ts';
export { createJsonFetcher, type FetchJson, type JsonRequest } from './transport/create-json-fetcher.ts';
export {
  type AttemptFacts,
  maskedHeaderValue,
  maskSignatures,
  sentHeaders,
} from './transport/evidence.ts';
export type { FetchFault, FetchResult } from './transport/fetch-result.ts';
export {
  type DeliveryTarget,
  type DeliveryToSend,
  type PreparedRequest,
  prepareRequest,
  signersOf,
} from './transport/prepare-request.ts';
export { type ProxyServer, parseProxyUrl } from './transport/proxy-server.ts';
export type {
  AttemptEvidence,
  ErrorClass,
  SendFailure,
  SendResponse,
  SendResult,
  SendTimings,
} from './transport/send-result.ts';
export { toCurl } from './transport/to-curl.ts';
export {
  createTransport,
  defaultConnectionsPerOrigin,
  type Transport,
  type TransportOptions,
} from './transport/transport.ts';
export { isProxyFault } from './transport/tunnel-error.ts';
