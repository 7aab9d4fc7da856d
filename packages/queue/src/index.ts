/**
 * @finhook/queue: the wake-up queue, BullMQ on Redis or on PostgreSQL.
 *
 * Owns: the drivers, their connections and their reconnects. It is the only package that imports bullmq and ioredis.
 * Must not: decide which deliveries are due, or keep state that can't be lost. Jobs hold ids only.
 */
export { defaultQueueTiming, type QueueTiming } from './bullmq-options.ts';
export { createQueueConsumer } from './create-queue-consumer.ts';
export { createQueueProducer, type QueueProducer } from './create-queue-producer.ts';
export { createRedisClient } from './create-redis-client.ts';
export { openQueueBoard, type QueueBoard } from './open-queue-board.ts';
export { parseQueueUrl, queueEnv } from './parse-queue-url.ts';
export type { JobCounts } from './queue-driver.ts';
