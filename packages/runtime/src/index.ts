/**
 * @finhook/runtime: what every process needs: configuration, logs, metrics, traces, signals.
 *
 * Owns: the masking of secrets in logs. It is the only package that imports pino, prom-client and OpenTelemetry.
 * Must not: know a record, the database or the queue.
 */
export {
  cidrList,
  flag,
  isPercentEncoded,
  isPostgresUrl,
  logLevel,
  observabilityEnv,
  observabilityOf,
  opsEnv,
  replicaEnv,
  retentionEnv,
  retentionOf,
  retryScale,
  sharedEnv,
  wholeNumber,
} from './env-fields.ts';
export { EnvError, type EnvSource, envOrExit, loadEnv } from './load-env.ts';
export { createLogger, type Logger } from './logger.ts';
export { maskStrings, maskText } from './mask-secrets.ts';
export {
  createMetrics,
  type GaugeReading,
  type Metrics,
  type ServiceMetrics,
  serviceVersion,
} from './metrics.ts';
export { type Observability, openObservability } from './observability.ts';
export { isExpected, limitHeapGrowth, runUntilSignal, startLine } from './process.ts';
export { type SpanAttributes, type TraceSpan, type Tracing } from './tracing.ts';
