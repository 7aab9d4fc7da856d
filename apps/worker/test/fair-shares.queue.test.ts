// Risk: hanging endpoints or providers of one account delay the deliveries and syncs of another.
import { type Context, handlers } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { quickTiming } from './quick-timing.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('two accounts on %s', (name) => {
  const test = workerTest(name);
  const polling = { timeout: 20_000, interval: 10 };
  const timeoutMs = 60_000;

  async function sync(context: Context, bank: { company_id: string; provider: string; config?: { url: string } }) {
    const { id: connection_id } = await handlers.bank.connections.create(context, bank);
    await handlers.bank.connections.setSecret(context, { connection_id, secret: 'token-of-the-test' });
    return (await handlers.bank.connections.sync(context, { connection_id })).id;
  }

  /** Twelve endpoints of one account whose responses are held, and one endpoint of another account on the same host. */
  async function holdBesideNeighbour(fixture: WorkerFixture) {
    const { receiver } = fixture;
    const held = Array.from({ length: 12 }, (_, i) => `/held/${i}`);
    for (const path of held) {
      await fixture.subscribe(path);
      receiver.script(path, { held: true });
    }
    const { context, companyId: company_id } = await fixture.openNeighbour();
    const url = `${receiver.url}/neighbour`;
    await handlers.webhookEndpoints.create(context, { url, events: ['bank.balance.updated'] });
    const reached = () => held.filter((path) => fixture.arrivals(path).length > 0).length;
    return {
      reached,
      /** Sends the neighbour events until the reconciler has found the overdue deliveries of the other endpoints. */
      serveNeighbour: async () => {
        for (let day = 10; day < 20; day += 1) {
          const balance = { company_id, as_of: `2026-01-${day}`, balance_cents: 1, currency: 'USD' };
          await handlers.cash.balances.upsert(context, balance);
          await receiver.waitFor(() => fixture.arrivals('/neighbour').length === day - 9);
        }
      },
      releaseAll: () => {
        receiver.release();
        return reached();
      },
    };
  }

  test('twelve endpoints of one that hang take four of eight slots, and the other one is served meanwhile', async ({
    fixture,
    expect,
  }) => {
    const { reached, serveNeighbour, releaseAll } = await holdBesideNeighbour(fixture);
    await fixture.startWorker({ slots: 8, timeoutMs });
    await fixture.post();
    await expect.poll(reached, polling).toBe(4);
    await serveNeighbour();
    expect(reached()).toBe(4);
    await expect.poll(releaseAll, polling).toBe(12);
  });

  test('twelve endpoints of one that hang wait for four of eight connections to their host, without an attempt, and the other one is served meanwhile', async ({
    fixture,
    expect,
  }) => {
    const { reached, serveNeighbour, releaseAll } = await holdBesideNeighbour(fixture);
    // Deliveries that wait for half a lease are released and claimed again.
    const timing = { ...quickTiming, leaseMs: 1_000 };
    await fixture.startWorker({ connectionsPerOrigin: 8, timeoutMs, timing });
    const planned = () =>
      fixture.query<{ id: string }>(
        'SELECT delivery_id AS id, next_attempt_at AS at FROM due WHERE account_id = $1 ORDER BY 1',
        [fixture.context.accountId],
      );
    await fixture.post();
    const before = await planned();
    expect(before).toHaveLength(12);
    await expect.poll(reached, polling).toBe(4);
    await expect.poll(async () => (await fixture.tally()).leased, polling).toBe(4);
    expect(await planned()).toEqual(before);
    await serveNeighbour();
    expect(reached()).toBe(4);
    await expect.poll(() => fixture.query('SELECT DISTINCT error FROM attempt'), polling).toEqual([{ error: null }]);
    await expect.poll(releaseAll, polling).toBe(12);
    await expect.poll(() => fixture.tally(), polling).toMatchObject({ succeeded: 22, scheduled: 0 });
    expect(fixture.receiver.requests).toHaveLength(22);
    expect(fixture.logLines.filter((line) => /"level":(?:50|60)|connections/.test(line))).toEqual([]);
  });

  test('nine syncs of one whose provider hangs take four of eight slots, and the other one’s sync is done meanwhile', async ({
    fixture,
    expect,
  }) => {
    fixture.receiver.script('/bank', { fault: 'hang' });
    await fixture.startWorker();
    const config = { url: `${fixture.receiver.url}/bank` };
    for (let i = 0; i < 9; i++)
      await sync(fixture.context, { company_id: fixture.companyId, provider: 'http', config });
    await fixture.received(4);
    const { context, companyId: company_id } = await fixture.openNeighbour();
    for (let turn = 0; turn < 3; turn++) {
      const sync_id = await sync(context, { company_id, provider: 'sandbox' });
      const status = async () => (await handlers.bank.syncs.get(context, { sync_id })).status;
      await expect.poll(status, polling).toBe('succeeded');
    }
    expect(fixture.receiver.requests).toHaveLength(4);
  });
});
