// Risk: a deployment loses requests in flight, sends them twice, or waits for a hanging endpoint until it is killed.
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('a worker on %s that ends', (name) => {
  const test = workerTest(name);

  test('closing waits for requests in flight, records them, and releases the other claims', async ({
    fixture,
    expect,
  }) => {
    await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { held: true });
    await fixture.postMany(30);
    const worker = await fixture.startWorker({ timeoutMs: 60_000 });
    await fixture.received(8);
    const closed = worker.close();
    await expect.poll(() => fixture.tally()).toMatchObject({ leased: 8 });
    fixture.receiver.release();
    await closed;
    expect(await fixture.tally()).toMatchObject({ accepted: 30, succeeded: 8, scheduled: 22, leased: 0 });
    expect(await fixture.query('SELECT FROM due WHERE attempt_count > 0')).toEqual([]);
    expect(fixture.receiver.requests).toHaveLength(8);
  });

  test('SIGTERM ends the process with code 0, though an endpoint hangs, and maintenance and replays wait for a lock', async ({
    fixture,
    expect,
  }) => {
    await fixture.subscribe('/hanging');
    fixture.receiver.script('/hanging', { fault: 'hang' });
    await fixture.postMany(20);
    // The queue holds the schedule of maintenance.
    await fixture.flushQueue();
    const locked = Promise.withResolvers<void>();
    let ended = false;
    const holding = fixture.core.database.transaction(async (tx) => {
      await tx.query('LOCK TABLE idempotency_key, replay IN ACCESS EXCLUSIVE MODE');
      locked.resolve();
      // The database ends an idle transaction.
      while (!ended) await tx.query('SELECT pg_sleep(0.1)');
    });
    await locked.promise;
    try {
      const worker = fixture.startProcess({ timeoutMs: 60_000 });
      const waits = `SELECT DISTINCT l.relation::regclass::text AS relation FROM pg_locks l
        JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database() ORDER BY relation`;
      const waiting = async () => (await fixture.query<{ relation: string }>(waits)).map(({ relation }) => relation);
      await expect.poll(waiting, { timeout: 30_000 }).toEqual(['idempotency_key', 'replay']);
      await fixture.received(1);
      expect(await worker.stop()).toBe(0);
    } finally {
      ended = true;
      await holding;
    }
    const sent = fixture.receiver.requests.length;
    expect(await fixture.tally()).toMatchObject({ accepted: 20, scheduled: 20, leased: sent });
  });
});
