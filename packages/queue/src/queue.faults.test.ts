// Risk: a queue that was away stays dead, floods the log, or keeps a process from starting or ending.
import { queueBackends, redisGroups, startQueueBackend } from '@finhook/testing';
import { describe, expect, test } from 'vitest';
import { isReady, useQueue, wake } from '../test/queue-fixture.ts';
import { createQueueProducer, QueueUnavailableError } from './producer.ts';

describe.each([...queueBackends(), ...redisGroups()])('the queue on %s', (name) => {
  const queue = useQueue(() => startQueueBackend(name));

  test('a backend that goes away and comes back is picked up again, with a handful of log lines', async () => {
    const heard = queue.listen();
    await queue.wakeUntilHeard('we_before', heard);
    const linesBefore = queue.lines.length;
    await queue.backend.stop();
    await expect
      .poll(() => wake(queue.producer, 'we_away').catch((error) => error))
      .toBeInstanceOf(QueueUnavailableError);
    const started = performance.now();
    for (let count = 0; count < 50; count += 1) {
      await expect(wake(queue.producer, 'we_away')).rejects.toThrow(QueueUnavailableError);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
    await expect(queue.producer.ping()).rejects.toThrow(QueueUnavailableError);
    // An outage that is long enough for a flood of lines to show.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await queue.backend.start();
    await queue.wakeUntilHeard('we_after', heard);
    const news = queue.lines.slice(linesBefore);
    expect(news.length).toBeLessThan(15);
    expect(news.some((line) => line.includes('the queue is away'))).toBe(true);
    expect(news.some((line) => line.includes('the queue is back'))).toBe(true);
  });

  test('a consumer and a producer that start before their backend wait for it', async () => {
    await queue.backend.stop();
    const early = createQueueProducer(queue.backend.url, { logger: queue.logger });
    const heard = queue.listen();
    await expect(wake(early, 'we_early')).rejects.toThrow(QueueUnavailableError);
    await queue.backend.start();
    await queue.wakeUntilHeard('we_started', heard);
    await expect.poll(() => isReady(early)).toBe(true);
    await wake(early, 'we_early');
    await heard.has('we_early');
    await early.close();
  });

  test('close ends while the backend is away', async () => {
    const closing = queue.consume({});
    await expect.poll(closing.isUp, { timeout: 10_000 }).toBe(true);
    await queue.backend.stop();
    const before = performance.now();
    await closing.close({ timeoutMs: 1_000 });
    expect(performance.now() - before).toBeLessThan(3_000);
    await queue.backend.start();
    await expect.poll(() => isReady(queue.producer)).toBe(true);
  });
});
