// Risk: a deployment loses what is under way, sends it twice, or waits for a hanging endpoint until it is killed.
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { workerTest } from './worker-test.ts';

describe.concurrent.each(queueBackends())('a worker on %s that ends', (name) => {
  const test = workerTest(name);

  test('closing waits for what is under way, records it, and gives the other claims back', async ({
    fixture,
    expect,
  }) => {
    await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { delayMs: 400 });
    await fixture.postMany(100);
    const worker = await fixture.startWorker();
    await fixture.received(1);
    await worker.close();
    const tally = await fixture.tally();
    expect(tally).toMatchObject({ accepted: 100, leased: 0, succeeded: fixture.receiver.requests.length });
    expect(tally.scheduled).toBe(100 - tally.succeeded);
    const [untried] = await fixture.query<{ attempts: number }>('SELECT sum(attempt_count)::int AS attempts FROM due');
    expect(untried?.attempts).toBe(0);
  });

  test('SIGTERM ends the process within 10 s, with code 0, though an endpoint hangs', async ({ fixture, expect }) => {
    await fixture.subscribe('/hanging');
    fixture.receiver.script('/hanging', { fault: 'hang' });
    await fixture.postMany(20);
    const worker = fixture.startProcess({ timeoutMs: 60_000 });
    await fixture.received(1);
    const startedAt = performance.now();
    expect(await worker.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    const sent = fixture.receiver.requests.length;
    expect(await fixture.tally()).toMatchObject({ accepted: 20, scheduled: 20, leased: sent });
  });

  test('SIGTERM ends the process within 10 s, with code 0, though maintenance and replays wait for a lock', async ({
    fixture,
    expect,
  }) => {
    const locked = Promise.withResolvers<void>();
    let ended = false;
    const holding = fixture.core.database.transaction(async (tx) => {
      await tx.query('LOCK TABLE idempotency_key, replay IN ACCESS EXCLUSIVE MODE');
      locked.resolve();
      // Of a transaction that idles the database would end the connection.
      while (!ended) await tx.query('SELECT pg_sleep(0.1)');
    });
    await locked.promise;
    try {
      const worker = fixture.startProcess({ timeoutMs: 60_000 });
      const waits = `SELECT DISTINCT l.relation::regclass::text AS relation FROM pg_locks l
        JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database() ORDER BY relation`;
      const waiting = async () => (await fixture.query<{ relation: string }>(waits)).map(({ relation }) => relation);
      await expect.poll(waiting, { timeout: 30_000 }).toEqual(['idempotency_key', 'replay']);
      const startedAt = performance.now();
      expect(await worker.stop()).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    } finally {
      ended = true;
      await holding;
    }
  });
});
