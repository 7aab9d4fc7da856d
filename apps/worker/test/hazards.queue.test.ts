// Risk: a receiver that is slow or breaks, a clock that jumps or a queue that restarts loses, doubles or hurries an attempt.
import { handlers, openCore } from '@finhook/core';
import { type QueueBackend, queueBackends, type ReceiverResponse, startFaultProxy } from '@finhook/testing';
import { describe, expect, test } from 'vitest';
import { faultsOf, readLedger, repeatedIn } from './ledger.ts';
import { headerOf } from './receipts.ts';
import { useWorkerFixture } from './use-worker-fixture.ts';
import { secretsKey, type WorkerFixture } from './worker-fixture.ts';

const day = 86_400_000;

describe.each(queueBackends())('what happens to a worker, the queue on %s', (name) => {
  let backend: QueueBackend;
  let fixture: WorkerFixture;
  useWorkerFixture(name, (opened, onQueue) => {
    fixture = opened;
    backend = onQueue;
  });

  const settled = (timeout: number) =>
    expect.poll(async () => (await fixture.tally()).scheduled, { timeout, interval: 50 }).toBe(0);
  const arrivals = (path: string) => fixture.receiver.requests.filter((request) => request.path === path);
  /** Answers so for the first `count` requests to a new endpoint, and well from then on. */
  const subscribeTo = async (path: string, count: number, answer: ReceiverResponse) => {
    await fixture.subscribe(path);
    fixture.receiver.script(path, answer, ...Array.from({ length: count - 1 }, () => answer), {});
  };

  test('answers that come too late, drip or break off: each request is an attempt on record, and nothing is lost', async () => {
    const [posted, faulty] = [20, 12];
    const answers = {
      '/late': { delayMs: 2_500 },
      '/drip': { body: 'x'.repeat(200), dripMs: 20 },
      '/reset': { fault: 'reset' },
    } as const;
    for (const [path, answer] of Object.entries(answers)) await subscribeTo(path, faulty, answer);
    await fixture.subscribe('/prompt');
    // Long enough that a busy machine times out no prompt answer.
    const worker = await fixture.startWorker({ timeoutMs: 1_500, retryScale: 1e-4 });
    await fixture.postMany(posted);
    await settled(30_000);
    await worker.drain();

    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength(4 * posted);
    expect(faultsOf(ledger)).toEqual([]);
    for (const { received, recorded } of ledger.lines) expect(received.toSorted((a, b) => a - b)).toEqual(recorded);
    for (const path of Object.keys(answers)) expect(arrivals(path), path).toHaveLength(posted + faulty);
    expect(arrivals('/prompt')).toHaveLength(posted);
  });

  test.for([
    ['a day ahead and then two back', day],
    ['a day back and then two ahead', -day],
  ] as const)('a clock that jumps %s hurries no attempt and puts none off', async ([, jump]) => {
    let offset: number = jump;
    const clock = { now: () => new Date(Date.now() + offset) };
    const posted = 6;
    await subscribeTo('/failing', posted, { status: 500 });
    await subscribeTo('/busy', posted, { status: 503, headers: { 'retry-after': '2' } });
    await subscribeTo('/hanging', posted, { fault: 'hang' });
    const paths = ['/failing', '/busy', '/hanging'];
    await fixture.postMany(posted);
    await fixture.startWorker({ clock, timeoutMs: 400, retryScale: 0.2 });
    const attempts = async () => (await fixture.query('SELECT FROM attempt')).length;
    await expect.poll(attempts, { timeout: 10_000 }).toBe(posted * paths.length);
    offset = -jump;
    const skewed = await openCore({
      databaseUrl: fixture.databaseUrl,
      secretsKey,
      allowInsecureWebhooks: true,
      clock,
      wake: (ids) => void fixture.producer.wake(ids).catch(() => undefined),
    });
    const balance = { company_id: fixture.companyId, as_of: '1999-01-01', balance_cents: 1, currency: 'USD' };
    await handlers.cash.balances.upsert({ ...fixture.context, ...skewed }, balance);
    await skewed.database.close();
    await settled(20_000);

    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength((posted + 1) * paths.length);
    expect(faultsOf(ledger)).toEqual([]);
    /** Between the last request of the first round and the first one after it, in ms. */
    const waited = (path: string) => {
      const times = arrivals(path).map(({ receivedAt }) => receivedAt.getTime());
      return Math.min(...times.slice(posted)) - Math.max(...times.slice(0, posted));
    };
    expect(waited('/busy')).toBeGreaterThan(1_900);
    expect(waited('/hanging')).toBeGreaterThan(1_100);
    const attemptsOf = Map.groupBy(fixture.receiver.requests, (request) => headerOf(request, 'x-service-delivery'));
    for (const [first, second, third] of attemptsOf.values()) {
      expect(third).toBeUndefined();
      // A second after the first one, less a fifth of jitter.
      const wait = (second?.receivedAt.getTime() ?? Number.POSITIVE_INFINITY) - (first?.receivedAt.getTime() ?? 0);
      expect(wait).toBeGreaterThan(790);
    }
  });

  test('C23: connections to the database that fall silent hold up no delivery for longer than a lease', async () => {
    const proxy = await startFaultProxy(fixture.databaseUrl);
    try {
      await fixture.subscribe('/hook');
      await fixture.startWorker({ databaseUrl: proxy.url, timeoutMs: 1_000 });
      await fixture.postMany(20);
      await settled(20_000);
      proxy.silenceAll();
      await fixture.postMany(20);
      await settled(40_000);
    } finally {
      await proxy.close();
    }
    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength(40);
    expect(faultsOf(ledger)).toEqual([]);
  });

  test('restarts of the store of the queue lose and repeat nothing', async () => {
    for (const index of [1, 2, 3, 4]) await fixture.subscribe(`/hook/${index}`);
    const worker = fixture.startProcess();
    try {
      const posting = fixture.postMany(600);
      for (const count of [200, 1_200]) {
        await fixture.receiver.waitFor((requests) => requests.length >= count, { timeoutMs: 30_000 });
        await backend.stop();
        await backend.start();
      }
      await posting;
      await fixture.postMany(100);
      await settled(30_000);
    } finally {
      await worker.stop();
    }
    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength(2_800);
    expect(faultsOf(ledger)).toEqual([]);
    expect(repeatedIn(ledger)).toEqual([]);
  });
});
