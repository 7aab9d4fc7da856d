// Risk: a slow or broken receiver, a clock jump or a restarted queue loses, repeats or hurries an attempt.
import { handlers, openCore, systemContext, toDeliveryQueue } from '@finhook/core';
import { queueBackends, type ReceiverResponse, startFaultProxy } from '@finhook/testing';
import { describe } from 'vitest';
import { errorsOf, readLedger } from './ledger.ts';
import { quickTiming } from './quick-timing.ts';
import { secretsKey, type WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

const day = 86_400_000;

describe.each(queueBackends())('what happens to a worker, the queue on %s', (name) => {
  const test = workerTest(name);
  const polling = { timeout: 30_000, interval: 10 };

  /** Returns `response` to the first `count` requests and 200 afterwards. */
  const subscribeTo = async (fixture: WorkerFixture, path: string, count: number, response: ReceiverResponse) => {
    const { id } = await fixture.subscribe(path);
    fixture.receiver.script(path, response, ...Array.from({ length: count - 1 }, () => response), {});
    return id;
  };

  test('responses that do not come, drip or break off: each request is an attempt on record, and nothing is lost', async ({
    fixture,
    expect,
  }) => {
    const [posted, faulty] = [8, 6];
    const responses = {
      '/late': { fault: 'hang' },
      '/drip': { body: 'x'.repeat(200), dripMs: 20 },
      '/reset': { fault: 'reset' },
    } as const;
    for (const [path, response] of Object.entries(responses)) await subscribeTo(fixture, path, faulty, response);
    await fixture.subscribe('/prompt');
    const worker = await fixture.startWorker({ retryScale: 1e-4, timeoutMs: 300 });
    await fixture.postMany(posted);
    await fixture.settled();
    await fixture.drain(worker);

    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength(4 * posted);
    expect(errorsOf(ledger)).toEqual([]);
    for (const { received, recorded } of ledger.lines) expect(received.toSorted((a, b) => a - b)).toEqual(recorded);
    // A prompt response may be late on a busy machine.
    for (const path of Object.keys(responses)) {
      expect(fixture.arrivals(path).length, path).toBeGreaterThanOrEqual(posted + faulty);
    }
  });

  test.for([
    ['a day ahead and then two back', day],
    ['a day back and then two ahead', -day],
  ] as const)('a clock that jumps %s hurries no attempt and puts none off', async ([, jump], { fixture, expect }) => {
    let offset: number = jump;
    const clock = { now: () => new Date(Date.now() + offset) };
    const posted = 4;
    /** Seconds until the second attempt: 5 · 20 ± a fifth, or the Retry-After. */
    const waits = { '/failing': [60, 120], '/busy': [100, 120], '/hanging': [60, 120] } as const;
    const ids = {
      '/failing': await subscribeTo(fixture, '/failing', posted, { status: 500 }),
      '/busy': await subscribeTo(fixture, '/busy', posted, { status: 503, headers: { 'retry-after': '120' } }),
      '/hanging': await subscribeTo(fixture, '/hanging', posted, { fault: 'hang' }),
    };
    const paths = ['/failing', '/busy', '/hanging'] as const;
    await fixture.postMany(posted);
    await fixture.startWorker({ clock, timeoutMs: 300, retryScale: 20 });
    const attempted = async () => (await fixture.query('SELECT DISTINCT delivery_id FROM attempt')).length;
    await expect.poll(attempted, polling).toBe(posted * paths.length);
    for (const path of paths) {
      const rows = await fixture.query<{ wait: number }>(
        'SELECT extract(epoch FROM due_at - now())::float8 AS wait FROM due WHERE endpoint_id = $1 AND attempt_count > 0',
        [ids[path]],
      );
      expect(rows).toHaveLength(posted);
      const [least, most] = waits[path];
      for (const { wait } of rows) expect(wait >= least && wait <= most, `${path} waits ${wait} s`).toBe(true);
    }

    offset = -jump;
    const { databaseUrl, producer } = fixture;
    const opened = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true, clock });
    const skewed = { ...opened, queue: toDeliveryQueue(producer, opened.secrets) };
    const balance = { company_id: fixture.companyId, as_of: '1999-01-01', balance_cents: 1, currency: 'USD' };
    await handlers.cash.balances.upsert(systemContext(skewed, fixture.context.accountId, 'test'), balance);
    await skewed.database.close();
    for (const id of Object.values(ids)) await fixture.endWaits(id);
    await fixture.settled();

    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength((posted + 1) * paths.length);
    expect(errorsOf(ledger)).toEqual([]);
    for (const { received } of ledger.lines) expect(received.length).toBeLessThanOrEqual(2);
  });

  test('connections to the database that fall silent hold up no delivery', async ({ fixture, expect }) => {
    const proxy = await startFaultProxy(fixture.databaseUrl);
    try {
      await fixture.subscribe('/hook');
      const timing = { ...quickTiming, leaseMs: 2_000, databaseMs: 1_000 };
      await fixture.startWorker({ databaseUrl: proxy.url, timing });
      await fixture.postMany(10);
      await fixture.settled();
      proxy.silenceAll();
      await fixture.postMany(10);
      await fixture.settled();
    } finally {
      await proxy.close();
    }
    const ledger = await readLedger(fixture);
    expect(ledger.lines).toHaveLength(20);
    expect(errorsOf(ledger)).toEqual([]);
  });

  test.for([
    ['paused', `UPDATE webhook_endpoint SET status = 'paused' WHERE id = $1`],
    ['damaged', `UPDATE webhook_endpoint SET secret = 'v1.damaged' WHERE id = $1`],
  ] as const)(
    'an endpoint that is %s while a retry is due costs a look now and then',
    async ([, change], { fixture, expect }) => {
      const id = await subscribeTo(fixture, '/failing', 20, { status: 500 });
      const proxy = await startFaultProxy(fixture.databaseUrl);
      const worker = await fixture.startWorker({ databaseUrl: proxy.url, retryScale: 10 });
      await fixture.postMany(5);
      await fixture.received(5);
      await fixture.drain(worker);
      await fixture.query(change, [id]);
      await fixture.endWaits(id);
      const looks = () => proxy.runsOf('load_targets') + proxy.runsOf('claim_deliveries');
      const rounds = () => proxy.runsOf('find_due_endpoints');
      const before = { looks: looks(), rounds: rounds() };
      await expect.poll(rounds, polling).toBeGreaterThanOrEqual(before.rounds + 10);
      expect(looks() - before.looks).toBeLessThan(4 * (rounds() - before.rounds));
      expect(fixture.receiver.requests).toHaveLength(5);
      await worker.close();
      await proxy.close();
    },
  );
});
