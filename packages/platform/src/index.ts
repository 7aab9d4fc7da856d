/**
 * @finhook/platform: what every process needs around the domain: configuration, logs, lifecycle, the wake-up queue.
 *
 * Owns: BullMQ and its drivers, log masking, signals. It is the only package that imports bullmq, ioredis and pino.
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
export { flag, logLevel, positiveNumber, sharedEnv, wholeNumber } from './env-fields.ts';
export { envOrExit } from './env-or-exit.ts';
export { limitYoungGeneration } from './limit-young-generation.ts';
export { EnvError, type EnvSource, loadEnv } from './load-env.ts';
export { maskText } from './mask-secrets.ts';
export {
  createQueueConsumer,
  type JobHandler,
  type JobHandlers,
  type QueueConsumer,
  type QueueConsumerOptions,
} from './queue/create-queue-consumer.ts';
export { createQueueProducer, type QueueProducer, QueueUnavailableError } from './queue/create-queue-producer.ts';
export { createRedisClient, type RedisClient } from './queue/create-redis-client.ts';
export { parseQueueUrl, type QueueTarget } from './queue/parse-queue-url.ts';
export type { JobCounts } from './queue/queue-driver.ts';
export { type RunOptions, runUntilSignal } from './run-until-signal.ts';
