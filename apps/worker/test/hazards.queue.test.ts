// Risk: a receiver that is slow or breaks, a clock that jumps or a queue that restarts loses, doubles or hurries an attempt.
import { setTimeout as delay } from 'node:timers/promises';
import { handlers, openCore, systemContext, toDeliveryQueue } from '@finhook/core';
import { queueBackends, type ReceiverResponse, startFaultProxy } from '@finhook/testing';
import { describe } from 'vitest';
import { errorsOf, readLedger } from './ledger.ts';
import { quickTimeoutMs, quickTiming } from './quick-timing.ts';
import { headerOf } from './receipts.ts';
import { secretsKey, type WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

const day = 86_400_000;

describe.concurrent.each(queueBackends())('what happens to a worker, the queue on %s', (name) => {
  const test = workerTest(name);

  /** Responds so for the first `count` requests to a new endpoint, and well from then on. */
  const subscribeTo = async (fixture: WorkerFixture, path: string, count: number, response: ReceiverResponse) => {
    const { id } = await fixture.subscribe(path);
    fixture.receiver.script(path, response, ...Array.from({ length: count - 1 }, () => response), {});
    return id;
  };

  test('responses that come too late, drip or break off: each request is an attempt on record, and nothing is lost', async ({
    fixture,
    expect,
  }) => {
    const [posted, faulty] = [20, 12];
    const responses = {
      '/late': { delayMs: 4_000 },
      '/drip': { body: 'x'.repeat(200), dripMs: 20 },
      '/reset': { fault: 'reset' },
    } as const;
    for (const [path, response] of Object.entries(responses)) {
      const endpoint_id = await subscribeTo(fixture, path, faulty, response);
      // Long enough that a busy machine times out no prompt response.
      await handlers.webhookEndpoints.update(fixture.context, { endpoint_id, timeout_ms: 2_500 });
    }
    await fixture.subscribe('/prompt');
    const worker = await fixture.startWorker({ retryScale: 1e-4 });
    await fixture.postMany(posted);
    await fixture.settled();
    await worker.drain();

    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength(4 * posted);
    expect(errorsOf(ledger)).toEqual([]);
    for (const { received, recorded } of ledger.lines) expect(received.toSorted((a, b) => a - b)).toEqual(recorded);
    for (const path of Object.keys(responses)) expect(fixture.arrivals(path), path).toHaveLength(posted + faulty);
    expect(fixture.arrivals('/prompt')).toHaveLength(posted);
  });

  test.for([
    ['a day ahead and then two back', day],
    ['a day back and then two ahead', -day],
  ] as const)('a clock that jumps %s hurries no attempt and puts none off', async ([, jump], { fixture, expect }) => {
    let offset: number = jump;
    const clock = { now: () => new Date(Date.now() + offset) };
    const posted = 6;
    await subscribeTo(fixture, '/failing', posted, { status: 500 });
    await subscribeTo(fixture, '/busy', posted, { status: 503, headers: { 'retry-after': '2' } });
    await subscribeTo(fixture, '/hanging', posted, { fault: 'hang' });
    const paths = ['/failing', '/busy', '/hanging'];
    await fixture.postMany(posted);
    await fixture.startWorker({ clock, timeoutMs: 1_500, retryScale: 0.5 });
    const attempted = async () => (await fixture.query('SELECT DISTINCT delivery_id FROM attempt')).length;
    await expect.poll(attempted, { timeout: 30_000 }).toBe(posted * paths.length);
    offset = -jump;
    const skewed = await openCore({
      databaseUrl: fixture.databaseUrl,
      secretsKey,
      allowInsecureWebhooks: true,
      clock,
      queue: toDeliveryQueue(fixture.producer),
    });
    const balance = { company_id: fixture.companyId, as_of: '1999-01-01', balance_cents: 1, currency: 'USD' };
    await handlers.cash.balances.upsert(systemContext(skewed, fixture.context.accountId, 'test'), balance);
    await skewed.database.close();
    await fixture.settled();

    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength((posted + 1) * paths.length);
    expect(errorsOf(ledger)).toEqual([]);
    /** Between the last request of the first round and the first one after it, in ms. */
    const waited = (path: string) => {
      const times = fixture.arrivals(path).map(({ receivedAt }) => receivedAt.getTime());
      return Math.min(...times.slice(posted)) - Math.max(...times.slice(0, posted));
    };
    expect(waited('/busy')).toBeGreaterThan(1_900);
    const attemptsOf = Map.groupBy(fixture.receiver.requests, (request) => headerOf(request, 'x-service-delivery'));
    for (const [first, second, third] of attemptsOf.values()) {
      expect(third).toBeUndefined();
      // Two and a half seconds after the end of the first one, less a fifth of jitter, or as asked for.
      const least = first?.path === '/hanging' ? 3_400 : 1_900;
      const wait = (second?.receivedAt.getTime() ?? Number.POSITIVE_INFINITY) - (first?.receivedAt.getTime() ?? 0);
      expect(wait).toBeGreaterThan(least);
    }
  });

  test('C23: connections to the database that fall silent hold up no delivery for longer than a lease', async ({
    fixture,
    expect,
  }) => {
    const proxy = await startFaultProxy(fixture.databaseUrl);
    try {
      await fixture.subscribe('/hook');
      await fixture.startWorker({ databaseUrl: proxy.url, timeoutMs: quickTimeoutMs, timing: quickTiming });
      await fixture.postMany(20);
      await fixture.settled();
      proxy.silenceAll();
      await fixture.postMany(20);
      await fixture.settled();
    } finally {
      await proxy.close();
    }
    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength(40);
    expect(errorsOf(ledger)).toEqual([]);
  });

  test.for([
    ['paused', `UPDATE webhook_endpoint SET status = 'paused' WHERE id = $1`],
    ['damaged', `UPDATE webhook_endpoint SET secret = 'v1.damaged' WHERE id = $1`],
  ] as const)(
    'an endpoint that is %s while a retry is due costs a look now and then',
    async ([, change], { fixture, expect }) => {
      const id = await subscribeTo(fixture, '/failing', 20, { status: 500 });
      await fixture.startWorker({ retryScale: 0.2 });
      await fixture.postMany(5);
      await expect.poll(() => fixture.arrivals('/failing').length, { timeout: 30_000 }).toBeGreaterThanOrEqual(5);
      await fixture.query(change, [id]);
      await fixture.wake([id]);
      const committed = async () => {
        await fixture.query('SELECT pg_stat_force_next_flush()');
        const [row] = await fixture.query<{ n: number }>(
          'SELECT xact_commit::int AS n FROM pg_stat_database WHERE datname = current_database()',
        );
        return row?.n ?? 0;
      };
      // The first retries are due after a second.
      await delay(3_000);
      const before = await committed();
      await delay(2_000);
      expect((await committed()) - before).toBeLessThan(150);
    },
  );
});
