/**
 * @finhook/queue: the job queue, BullMQ on Redis or on PostgreSQL.
 *
 * Owns: the drivers, their connections and their reconnects. It is the only package that imports bullmq and ioredis.
 * Must not: decide which deliveries are due, or keep state that can't be lost.
 */

export { openQueueBoard, type QueueBoard } from './board.ts';
export { createQueueConsumer } from './consumer.ts';
export { defaultQueueTiming, type JobCounts, type QueueTiming } from './driver.ts';
export { inspectQueue } from './inspect-queue.ts';
export { createQueueProducer, type QueueProducer } from './producer.ts';
export { parseQueueUrl, queueEnv } from './queue-url.ts';
export { createRedisClient } from './redis-connection.ts';
