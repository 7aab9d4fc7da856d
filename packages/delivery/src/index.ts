/**
 * @finhook/delivery: prepares, sends and classifies webhook requests, schedules retries, tracks endpoint health, and
 * checks target URLs. Owns every outgoing socket. Must not know a database or a queue, read the environment, or decide
 * who receives what.
 */
export { classify, deservesImmediateRetry, failureOf, type Outcome } from './policy/classify.ts';
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
  type EndpointHealth,
  evaluateHealth,
  evaluateHealthAt,
  type HealthSignal,
  healthConfig,
  willDisableAt,
} from './policy/health.ts';
export { defaultMaxAttempts, type RetryTiming, retryScheduleMs } from './policy/retry-delay.ts';
export { redactPath, redactUrl } from './redact/redact-text.ts';
export { type IpRange, includesRange, parseIpRange } from './ssrf/ip-range.ts';
export { createHostLookup } from './ssrf/resolve-host.ts';
export { checkWebhookHost, type UrlCheck } from './ssrf/url-policy.ts';
export { createJsonFetcher, type FetchJson, type FetchResult } from './transport/fetch-json.ts';
export {
  type DeliveryTarget,
  type PreparedRequest,
  prepareRequest,
  signersOf,
  toCurl,
} from './transport/prepare-request.ts';
export { isProxyError, parseProxyUrl } from './transport/proxy-tunnel.ts';
export type { AttemptEvidence, ErrorClass, SendResult } from './transport/send-result.ts';
export { type AttemptFacts, maskedHeaderValue, maskSignatures, sentHeaders } from './transport/send-result.ts';
export { createTransport, type SendOptions, type Transport, type TransportOptions } from './transport/transport.ts';
export { NotBegunError, type WaitLimits, Waits, waitForTurn } from './transport/waits.ts';
