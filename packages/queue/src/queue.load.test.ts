// Risk: wake-ups are lost under load, or late because the queue is polled.
import { setTimeout } from 'node:timers/promises';
import { openQueue, queueBackends } from '@finhook/testing';
import { describe, expect, inject, test } from 'vitest';
import { onWake, slowCallMs, useQueue, wake } from '../test/queue-fixture.ts';
import { createQueueProducer } from './producer.ts';

describe.each(queueBackends())('under load, the queue on %s', (name) => {
  const queue = useQueue(() => openQueue(name, inject('pgUrl')));

  test('no wake-up is lost under 5 000 random ones of two processes', async () => {
    const due = new Map<string, number>();
    const done = new Map<string, number>();
    queue.consume(onWake((id) => done.set(id, due.get(id) ?? 0)));
    const second = createQueueProducer(queue.backend.url, { logger: queue.logger, timeoutMs: slowCallMs });
    const wakes: Promise<void>[] = [];
    for (let count = 0; count < 5_000; count += 1) {
      const id = `we_${Math.floor(Math.random() * 25)}`;
      due.set(id, (due.get(id) ?? 0) + 1);
      wakes.push(wake(count % 2 === 0 ? queue.producer : second, id));
      if (count % 20 === 0) await setTimeout(1);
    }
    await Promise.all(wakes);
    await expect.poll(() => done, { timeout: 20_000, interval: 20 }).toEqual(due);
    await second.close();
  });

  test('a wake-up starts its handler within ten round trips on an idle queue', async () => {
    const heardAt = new Map<string, number>();
    queue.consume(onWake((id) => heardAt.set(id, performance.now())));
    const ratios: number[] = [];
    for (let round = 0; round < 11; round += 1) {
      const asked = performance.now();
      await queue.producer.ping();
      const started = performance.now();
      await wake(queue.producer, `we_${round}`);
      await expect.poll(() => heardAt.has(`we_${round}`), { timeout: 10_000, interval: 1 }).toBe(true);
      ratios.push(((heardAt.get(`we_${round}`) ?? 0) - started) / Math.max(5, started - asked));
    }
    // With polling every two seconds, half would take a hundred times as long.
    expect(ratios.toSorted((a, b) => a - b)[5]).toBeLessThan(10);
  });
});
