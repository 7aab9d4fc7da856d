// Risk: endpoints or providers of one account that hang hold up the deliveries and syncs of every other one.
import { setTimeout } from 'node:timers/promises';
import { type Context, handlers } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { quickTiming } from './quick-timing.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.concurrent.each(queueBackends())('two accounts on %s', (name) => {
  const test = workerTest(name);

  /** Connects a bank of the company and asks for a sync of it. */
  async function sync(context: Context, bank: { company_id: string; provider: string; config?: { url: string } }) {
    const { id: connection_id } = await handlers.bank.connections.create(context, bank);
    await handlers.bank.connections.setSecret(context, { connection_id, secret: 'token-of-the-test' });
    return (await handlers.bank.connections.sync(context, { connection_id })).id;
  }

  /** Twelve endpoints of one account that hang, and an endpoint of another on the same host. */
  async function hangBesideNeighbour(fixture: WorkerFixture) {
    const { receiver } = fixture;
    for (let i = 0; i < 12; i++) {
      await fixture.subscribe(`/hanging/${i}`);
      receiver.script(`/hanging/${i}`, { fault: 'hang' });
    }
    const { context, companyId: company_id } = await fixture.openNeighbour();
    const url = `${receiver.url}/neighbour`;
    await handlers.webhookEndpoints.create(context, { url, events: ['bank.balance.updated'] });
    const balance = { company_id, as_of: '2026-01-05', balance_cents: 1, currency: 'USD', source: 'test' };
    return {
      reached: () => new Set(receiver.requests.map(({ path }) => path)),
      postToNeighbour: () => handlers.cash.balances.upsert(context, balance),
    };
  }

  test('twelve endpoints of one that hang take four of eight slots in turn, and the other one is served at once', async ({
    fixture,
    expect,
  }) => {
    const { reached, postToNeighbour } = await hangBesideNeighbour(fixture);
    const timeoutMs = 4_000;
    await fixture.startWorker({ slots: 8, timeoutMs, retryScale: 10, timing: quickTiming });
    await fixture.post();
    await fixture.receiver.waitFor(() => reached().size >= 4);
    // As long as the reconciler needs to find that the others are late.
    await setTimeout(4 * quickTiming.reconcileMs);
    expect(reached().size).toBe(4);

    await postToNeighbour();
    await fixture.receiver.waitFor(() => reached().has('/neighbour'));
    expect(reached().size).toBe(5);
    const [first, ...others] = fixture.receiver.requests;
    const neighbour = others.find(({ path }) => path === '/neighbour');
    expect(Number(neighbour?.receivedAt) - Number(first?.receivedAt)).toBeLessThan(timeoutMs);

    await fixture.receiver.waitFor(() => reached().size === 13, { timeoutMs: 30_000 });
  });

  test('twelve endpoints of one that hang wait for four of eight connections to their host, without an attempt, and the other one is served at once', async ({
    fixture,
    expect,
  }) => {
    const { reached, postToNeighbour } = await hangBesideNeighbour(fixture);
    // Longer than half a lease, so that those that wait are released and claimed again.
    const timeoutMs = 1.5 * quickTiming.leaseMs;
    await fixture.startWorker({ connectionsPerOrigin: 8, timeoutMs, retryScale: 100, timing: quickTiming });
    const planned = () =>
      fixture.query<{ id: string }>('SELECT delivery_id AS id, next_attempt_at AS at FROM due ORDER BY 1');
    await fixture.post();
    const before = await planned();
    expect(before).toHaveLength(12);
    await fixture.receiver.waitFor(() => reached().size >= 4);
    const isReleased = async () => (await fixture.tally()).leased === 4;
    await expect.poll(isReleased, { timeout: quickTiming.leaseMs, interval: 20 }).toBe(true);
    expect(await planned()).toEqual(before);

    await postToNeighbour();
    await fixture.receiver.waitFor(() => reached().has('/neighbour'));
    expect(reached().size).toBe(5);
    await expect.poll(() => fixture.query('SELECT error FROM attempt')).toEqual([{ error: null }]);

    await fixture.receiver.waitFor(() => reached().size === 13, { timeoutMs: 60_000 });
    await expect
      .poll(() => fixture.query('SELECT error, count(*)::int AS attempts FROM attempt GROUP BY 1 ORDER BY 1'), {
        timeout: 30_000,
      })
      .toEqual([
        { error: 'timeout', attempts: 12 },
        { error: null, attempts: 1 },
      ]);
    expect(fixture.receiver.requests).toHaveLength(13);
    expect(fixture.logLines.filter((line) => /"level":(?:50|60)|connections/.test(line))).toEqual([]);
  });

  test('nine syncs of one whose provider hangs take four of eight slots, and the other one’s sync is done at once', async ({
    fixture,
    expect,
  }) => {
    fixture.receiver.script('/bank', { fault: 'hang' });
    await fixture.startWorker({ timing: quickTiming });
    const hanging = {
      company_id: fixture.companyId,
      provider: 'http',
      config: { url: `${fixture.receiver.url}/bank` },
    };
    for (let i = 0; i < 9; i++) await sync(fixture.context, hanging);
    await fixture.receiver.waitFor((requests) => requests.length >= 4);
    // As long as the reconciler needs to find that the others are late.
    await setTimeout(4 * quickTiming.reconcileMs);
    const { context, companyId: company_id } = await fixture.openNeighbour();
    const sync_id = await sync(context, { company_id, provider: 'sandbox' });
    await expect
      .poll(async () => (await handlers.bank.syncs.get(context, { sync_id })).status, { timeout: 10_000 })
      .toBe('succeeded');
    expect(fixture.receiver.requests).toHaveLength(4);
  });
});
