/**
 * @finhook/platform: what every process needs around the domain: configuration, logs, lifecycle, the wake-up queue,
 * metrics and traces.
 *
 * Owns: BullMQ and its drivers, log masking, signals. It is the only package that imports bullmq, ioredis, pino,
 * prom-client and OpenTelemetry.
 * Must not: know an entity, decide what is due, or keep state that can't be lost; jobs are wake-ups only.
 */
export {
  createLogger,
  type LogFields,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  logLevels,
} from './create-logger.ts';
export {
  cidrList,
  flag,
  logLevel,
  observabilityEnv,
  observabilityOf,
  opsEnv,
  retentionEnv,
  retryScale,
  sharedEnv,
  wholeNumber,
} from './env-fields.ts';
export { envOrExit } from './env-or-exit.ts';
export { limitHeapGrowth } from './limit-heap-growth.ts';
export { EnvError, type EnvSource, loadEnv } from './load-env.ts';
export { maskText } from './mask-secrets.ts';
export {
  type CounterMetric,
  createMetrics,
  type GaugeReading,
  type HistogramMetric,
  type Metrics,
} from './metrics/create-metrics.ts';
export { sampleRegularly } from './metrics/sample-regularly.ts';
export { createServiceMetrics } from './metrics/service-metrics.ts';
export { type Observability, type ObservabilityOptions, openObservability } from './open-observability.ts';
export { defaultQueueTiming, type QueueTiming } from './queue/bullmq-options.ts';
export {
  createQueueConsumer,
  type JobHandler,
  type JobHandlers,
  type QueueConsumer,
  type QueueConsumerOptions,
} from './queue/create-queue-consumer.ts';
export { createQueueProducer, type QueueProducer, QueueUnavailableError } from './queue/create-queue-producer.ts';
export { createRedisClient, type RedisClient } from './queue/create-redis-client.ts';
export { openQueueBoard, type QueueBoard } from './queue/open-queue-board.ts';
export { parseQueueUrl, type QueueTarget } from './queue/parse-queue-url.ts';
export type { JobCounts } from './queue/queue-driver.ts';
export { isExpected, type RunOptions, runUntilSignal } from './run-until-signal.ts';
export { serviceVersion } from './service-version.ts';
export { createTracing, type SpanAttributes, type TraceSpan, type Tracing } from './tracing/create-tracing.ts';
