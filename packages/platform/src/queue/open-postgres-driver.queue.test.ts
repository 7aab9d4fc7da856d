// Risk: a process that ends while its database hangs dies of an error that nobody can catch, instead of ending.
import { setTimeout } from 'node:timers/promises';
import { type QueueBackend, startFaultProxy, startQueueBackend } from '@finhook/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../create-logger.ts';
import { createQueueConsumer } from './create-queue-consumer.ts';
import { createQueueProducer } from './create-queue-producer.ts';

let backend: QueueBackend;
const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);
beforeEach(async () => {
  backend = await startQueueBackend('postgres');
  process.on('uncaughtException', note);
});
afterEach(async () => {
  process.off('uncaughtException', note);
  await backend.close();
});

test('a queue is closed while its statements hang, and they are refused', async () => {
  const proxy = await startFaultProxy(backend.url);
  const logger = createLogger({ level: 'silent', name: 'test' });
  const producer = createQueueProducer(proxy.url, { logger });
  const woken: string[] = [];
  const consumer = createQueueConsumer(proxy.url, {
    logger,
    concurrency: { 'endpoint.deliver': 5, 'connection.sync': 1, 'maintenance.run': 1 },
    handlers: {
      'endpoint.deliver': async ({ endpoint_id }) => void woken.push(endpoint_id),
      'connection.sync': async () => undefined,
      'maintenance.run': async () => undefined,
    },
  });
  const wake = async () => {
    await producer.wake(['we_one']).catch(() => undefined);
    return woken.length;
  };
  await expect.poll(wake, { timeout: 10_000 }).toBeGreaterThan(0);
  proxy.silenceAll();
  const hanging = Promise.allSettled([producer.ping(), producer.wake(['we_late'])]);
  await Promise.all([producer.close(), consumer.close({ timeoutMs: 200 })]);
  expect((await hanging).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await proxy.close();
  await setTimeout(500);
  expect(uncaught).toEqual([]);
});
