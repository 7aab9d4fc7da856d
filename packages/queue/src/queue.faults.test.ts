// Risk: after an outage the queue stays unusable, floods the log, or keeps a process from starting or ending.
import { queueBackends, redisGroups, startQueueBackend } from '@finhook/testing';
import { describe, expect, test } from 'vitest';
import { isReady, slowCallMs, useQueue, wake } from '../test/queue-fixture.ts';
import { createQueueProducer, QueueUnavailableError } from './producer.ts';

describe.each([...queueBackends(), ...redisGroups()])('the queue on %s', (name) => {
  const queue = useQueue(() => startQueueBackend(name));

  test('a backend that goes away and comes back is picked up again, with a handful of log lines', async () => {
    const heard = queue.listen();
    await queue.wakeUntilHeard('we_before', heard);
    const linesBefore = queue.lines.length;
    await queue.backend.stop();
    const wakeAway = () => wake(queue.producer, 'we_away').catch((error) => error);
    await expect.poll(wakeAway).toBeInstanceOf(QueueUnavailableError);
    // Each fails at once; timeouts would take a quarter of an hour.
    for (let count = 0; count < 50; count += 1) expect(await wakeAway()).toBeInstanceOf(QueueUnavailableError);
    await expect(queue.producer.ping()).rejects.toThrow(QueueUnavailableError);
    await queue.backend.start();
    await queue.wakeUntilHeard('we_after', heard);
    const news = queue.lines.slice(linesBefore);
    expect(news.length).toBeLessThan(15);
    expect(news.some((line) => line.includes('the queue is away'))).toBe(true);
    expect(news.some((line) => line.includes('the queue is back'))).toBe(true);
  });

  test('a consumer and a producer that start before their backend wait for it', async () => {
    await queue.backend.stop();
    const { url } = queue.backend;
    const hasty = createQueueProducer(url, { logger: queue.logger, timeoutMs: 100 });
    await expect(wake(hasty, 'we_hasty')).rejects.toThrow(QueueUnavailableError);
    const early = createQueueProducer(url, { logger: queue.logger, timeoutMs: slowCallMs });
    const heard = queue.listen();
    const woken = wake(early, 'we_early');
    await queue.backend.start();
    await woken;
    await heard.has('we_early');
    await Promise.all([hasty.close(), early.close()]);
  });

  test('close ends while the backend is away', async () => {
    const closing = queue.consume({});
    await expect.poll(closing.isUp, { timeout: 10_000 }).toBe(true);
    await queue.backend.stop();
    await closing.close({ timeoutMs: 1_000 });
    await queue.backend.start();
    await expect.poll(() => isReady(queue.producer)).toBe(true);
  });
});
