/**
 * @finhook/platform: configuration, logs, process lifecycle, the wake-up queue, metrics and traces.
 *
 * Owns: BullMQ and its drivers, log masking, signals. It is the only package that imports bullmq, ioredis, pino,
 * prom-client and OpenTelemetry.
 * Must not: know an entity, decide what is due, or keep state that can't be lost; jobs are wake-ups only.
 */
export { createLogger, type Logger } from './create-logger.ts';
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
export { limitHeapGrowth } from './limit-heap-growth.ts';
export { EnvError, type EnvSource, envOrExit, loadEnv } from './load-env.ts';
export { maskText } from './mask-secrets.ts';
export { createMetrics, createServiceMetrics, type GaugeReading, type Metrics } from './metrics/create-metrics.ts';
export { sampleRegularly } from './metrics/sample-regularly.ts';
export { type Observability, openObservability } from './open-observability.ts';
export { defaultQueueTiming, type QueueTiming } from './queue/bullmq-options.ts';
export { createQueueConsumer } from './queue/create-queue-consumer.ts';
export { createQueueProducer, type QueueProducer } from './queue/create-queue-producer.ts';
export { createRedisClient } from './queue/create-redis-client.ts';
export { openQueueBoard, type QueueBoard } from './queue/open-queue-board.ts';
export { parseQueueUrl } from './queue/parse-queue-url.ts';
export type { JobCounts } from './queue/queue-driver.ts';
export { isExpected, runUntilSignal } from './run-until-signal.ts';
export { serviceVersion } from './service-version.ts';
export { type SpanAttributes, type TraceSpan, type Tracing } from './tracing/create-tracing.ts';
