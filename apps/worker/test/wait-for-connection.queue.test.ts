// Risk: a request that waits for a connection goes out when its endpoint has another address, or when the worker closes.
import { createServer } from 'node:http';
import { handlers } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { quickTiming } from './quick-timing.ts';
import { workerTest } from './worker-test.ts';

/** A receiver that responds when it is told to. */
async function startPatientReceiver() {
  const paths: string[] = [];
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    held.push(() => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    paths,
    respond: () => {
      for (const respond of held.splice(0)) respond();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.concurrent.each(queueBackends())('an account that may have one connection to a host, on %s', (name) => {
  const test = workerTest(name);
  // Longer than the test, so that the wait ends by what is tested.
  const options = {
    connectionsPerOrigin: 2,
    timeoutMs: 60_000,
    timing: { ...quickTiming, leaseMs: 60_000, closeMs: 30_000 },
  };
  const events = ['bank.balance.updated'] as const;
  const patience = { timeout: 20_000 };

  test('what waits for it when the worker closes is not sent, and is free for another worker at once', async ({
    fixture,
    expect,
  }) => {
    await using receiver = await startPatientReceiver();
    for (const path of ['/a', '/b', '/c']) {
      await handlers.webhookEndpoints.create(fixture.context, { url: receiver.url + path, events: [...events] });
    }
    // What is at the other host shows that the worker has them all: they are handed to it together.
    await fixture.subscribe('/beside');
    const worker = await fixture.startWorker(options);
    await fixture.post();
    await fixture.received(1);
    await expect.poll(() => receiver.paths, patience).toHaveLength(1);
    const closed = worker.close();
    await expect.poll(async () => (await fixture.tally()).leased, patience).toBe(1);
    receiver.respond();
    await closed;
    expect(receiver.paths).toHaveLength(1);
    expect(await fixture.tally()).toMatchObject({ succeeded: 2, scheduled: 2, leased: 0 });
    expect(await fixture.query('SELECT attempt_count FROM due')).toEqual([{ attempt_count: 0 }, { attempt_count: 0 }]);
  });

  test('large events that wait for it take no room from those to other hosts', async ({ fixture, expect }) => {
    await using receiver = await startPatientReceiver();
    const large = ['bank.transaction.posted'] as const;
    for (let n = 0; n < 18; n++) {
      await handlers.webhookEndpoints.create(fixture.context, { url: `${receiver.url}/${n}`, events: [...large] });
    }
    const posted = { posted_at: '2026-01-05T10:00:00Z', amount_cents: 1, description: 'é'.repeat(2_000) };
    const post = async (n: number) => {
      const transactions = Array.from({ length: 250 }, (_, i) => ({ external_id: `row-${n}-${i}`, ...posted }));
      await handlers.bank.transactions.ingest(fixture.context, { company_id: fixture.companyId, transactions });
    };
    await fixture.startWorker(options);
    await post(1);
    await expect.poll(async () => (await fixture.tally()).leased, patience).toBe(18);
    await expect.poll(() => receiver.paths, patience).toHaveLength(1);
    await fixture.subscribe('/beside', large);
    await post(2);
    await fixture.received(1, 15_000);
    const respondUntilDone = async () => {
      receiver.respond();
      return (await fixture.tally()).succeeded;
    };
    await expect.poll(respondUntilDone, patience).toBe(37);
  });

  test('what waits for it when its endpoint gets another address goes there', async ({ fixture, expect }) => {
    await using receiver = await startPatientReceiver();
    const create = (path: string) =>
      handlers.webhookEndpoints.create(fixture.context, { url: receiver.url + path, events: [...events] });
    await create('/slow');
    await fixture.startWorker(options);
    await fixture.post();
    await expect.poll(() => receiver.paths, patience).toEqual(['/slow']);
    const { id: endpoint_id } = await create('/before');
    await fixture.post();
    await expect.poll(async () => (await fixture.tally()).leased, patience).toBe(3);
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id, url: `${receiver.url}/after` });
    // The worker learns of the change from what comes next, and loads both endpoints together.
    await fixture.subscribe('/beside');
    await fixture.post();
    await fixture.receiver.waitFor((requests) => requests.length === 1, { timeoutMs: 20_000 });
    const respondUntilDone = async () => {
      receiver.respond();
      return (await fixture.tally()).succeeded;
    };
    await expect.poll(respondUntilDone, patience).toBe(6);
    expect(receiver.paths.toSorted()).toEqual(['/after', '/after', '/slow', '/slow', '/slow']);
  });
});
