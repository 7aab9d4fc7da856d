// Risk: a request that waits for a connection is sent after its endpoint's URL changed, or after the worker closed.
import { handlers } from '@finhook/core';
import { queueBackends, startReceiver } from '@finhook/testing';
import { describe } from 'vitest';
import { quickTiming } from './quick-timing.ts';
import type { EndpointInput, WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('an account that may have one connection to a host, on %s', (name) => {
  const test = workerTest(name);
  // Longer than the test: only the tested change ends the wait.
  const options = {
    connectionsPerOrigin: 2,
    timeoutMs: 60_000,
    timing: { ...quickTiming, leaseMs: 60_000, closeMs: 30_000 },
  };
  const polling = { timeout: 20_000, interval: 10 };
  /** A receiver on another host, whose responses are held. */
  const startOther = (fixture: WorkerFixture) =>
    startReceiver({ respond: () => ({ held: true }) }).then((receiver) => ({
      receiver,
      create: (path: string, events: EndpointInput['events'] = ['bank.balance.updated']) =>
        handlers.webhookEndpoints.create(fixture.context, { url: receiver.url + path, events }),
      paths: () => receiver.requests.map(({ path }) => path),
      respondUntilDone: async () => {
        receiver.release();
        return (await fixture.tally()).succeeded;
      },
      [Symbol.asyncDispose]: () => receiver.close(),
    }));

  test('what waits for it when the worker closes is not sent, and is free for another worker at once', async ({
    fixture,
    expect,
  }) => {
    await using other = await startOther(fixture);
    for (const path of ['/a', '/b', '/c']) await other.create(path);
    // A request to the other host shows that the worker has all hand-offs: they are in one job.
    await fixture.subscribe('/beside');
    const worker = await fixture.startWorker(options);
    await fixture.post();
    await fixture.received(1);
    await expect.poll(other.paths, polling).toHaveLength(1);
    const closed = worker.close();
    await expect.poll(async () => (await fixture.tally()).leased, polling).toBe(1);
    other.receiver.release();
    await closed;
    expect(other.paths()).toHaveLength(1);
    expect(await fixture.tally()).toMatchObject({ succeeded: 2, scheduled: 2, leased: 0 });
    expect(await fixture.query('SELECT attempt_count FROM due')).toEqual([{ attempt_count: 0 }, { attempt_count: 0 }]);
  });

  test('large events that wait for it take no room from those to other hosts', async ({ fixture, expect }) => {
    await using other = await startOther(fixture);
    const large = ['bank.transaction.posted'] as const;
    for (let n = 0; n < 18; n++) await other.create(`/${n}`, [...large]);
    const posted = { posted_at: '2026-01-05T10:00:00Z', amount_cents: 1, description: 'é'.repeat(2_000) };
    const post = async (n: number) => {
      const transactions = Array.from({ length: 250 }, (_, i) => ({ external_id: `row-${n}-${i}`, ...posted }));
      await handlers.bank.transactions.ingest(fixture.context, { company_id: fixture.companyId, transactions });
    };
    await fixture.startWorker(options);
    await post(1);
    await expect.poll(async () => (await fixture.tally()).leased, polling).toBe(18);
    await expect.poll(other.paths, polling).toHaveLength(1);
    await fixture.subscribe('/beside', { events: [...large] });
    await post(2);
    await fixture.received(1);
    await expect.poll(other.respondUntilDone, polling).toBe(37);
  });

  test('what waits for it when its endpoint gets another address goes there', async ({ fixture, expect }) => {
    await using other = await startOther(fixture);
    await other.create('/slow');
    await fixture.startWorker(options);
    await fixture.post();
    await expect.poll(other.paths, polling).toEqual(['/slow']);
    const { id } = await other.create('/before');
    await fixture.post();
    await expect.poll(async () => (await fixture.tally()).leased, polling).toBe(3);
    await fixture.updateEndpoint(id, { url: `${other.receiver.url}/after` });
    // The next hand-off has the new row version, and the worker loads both endpoints.
    await fixture.subscribe('/beside');
    await fixture.post();
    await fixture.received(1);
    await expect.poll(other.respondUntilDone, polling).toBe(6);
    expect(other.paths().toSorted()).toEqual(['/after', '/after', '/slow', '/slow', '/slow']);
  });
});
