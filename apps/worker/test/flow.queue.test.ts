// Risk: with several workers, an endpoint gets events out of order, too fast, or while it is paused or unreachable.
import { handlers } from '@finhook/core';
import { queueBackends, type ReceiverResponse } from '@finhook/testing';
import { describe } from 'vitest';
import { quickTiming } from './quick-timing.ts';
import { headerOf } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('the flow to an endpoint on %s', (name) => {
  const test = workerTest(name);
  const polling = { timeout: 30_000, interval: 10 };

  const healthOf = async (fixture: WorkerFixture, id: string) => (await fixture.readEndpoint(id)).health;

  test('ordered: endpoints that fail now and then, two workers, and no event before the one that precedes it', async ({
    fixture,
    expect,
  }) => {
    const events = 15;
    const fails: readonly ReceiverResponse[] = [{ status: 500 }, { fault: 'reset' }, { status: 500 }];
    const paths = ['/ordered/0', '/ordered/1', '/ordered/2', '/ordered/3'];
    const ids: string[] = [];
    for (const [i, path] of paths.entries()) {
      ids.push((await fixture.subscribe(path, { ordered: true })).id);
      const responses = Array.from({ length: 20 }, (_, n) => ((n + i) % 5 === 3 ? (fails[(n + i) % 3] ?? {}) : {}));
      fixture.receiver.script(path, {}, ...responses, {});
    }
    const workers = { retryScale: 1e-3 };
    await Promise.all([fixture.startWorker(workers), fixture.startWorker(workers)]);
    const posting = fixture.postMany(events);
    // Makes both workers claim from the same endpoints at the same time.
    for (let i = 0; i < 20; i++) await fixture.wake(ids);
    await posting;
    await fixture.settled();

    const stored = await fixture.query<{ id: string; position: string }>('SELECT id, position FROM event');
    const places = new Map(stored.map(({ id, position }) => [id, Number(position)]));
    for (const path of paths) {
      const arrivals = fixture.arrivals(path);
      const order = arrivals.map((request) => places.get(headerOf(request, 'webhook-id')));
      expect(arrivals.map((request) => Number(headerOf(request, 'x-service-sequence')))).toEqual(order);
      expect(order, path).toEqual(order.toSorted((a, b) => Number(a) - Number(b)));
      expect(new Set(order).size, path).toBe(events);
      expect(order.length, path).toBeGreaterThan(events);
    }
    const all = events * paths.length;
    expect(await fixture.tally()).toMatchObject({ accepted: all, succeeded: all });
  });

  test('rate_limit: two workers together send what the bucket holds, and no more', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/limited', { rate_limit: { requests: 1, per_seconds: 3_600 } });
    await fixture.subscribe('/free');
    await Promise.all([fixture.startWorker(), fixture.startWorker()]);
    await fixture.postMany(5);
    await fixture.received(6);
    await fixture.query("UPDATE endpoint_flow SET tokens_at = tokens_at - interval '1 hour' WHERE endpoint_id = $1", [
      id,
    ]);
    await fixture.wake([id, id]);
    await fixture.received(7);
    await fixture.post();
    await fixture.received(8);
    await expect.poll(() => fixture.tally(), polling).toMatchObject({ succeeded: 8, leased: 0 });
    expect(fixture.arrivals('/limited')).toHaveLength(2);
  });

  test('one wake-up is enough for limited endpoints that the worker does not know yet', async ({ fixture, expect }) => {
    const limits = { '/ordered': { ordered: true }, '/narrow': { max_concurrency: 2 } };
    const ids = Object.entries(limits).map(async ([path, options]) => (await fixture.subscribe(path, options)).id);
    await Promise.all(ids);
    await fixture.postMany(3);
    await fixture.flushQueue();
    await fixture.wake(await Promise.all(ids));
    await fixture.startWorker({ timing: { ...quickTiming, reconcileMs: 60_000 } });
    for (const path of Object.keys(limits)) await expect.poll(() => fixture.arrivals(path), polling).toHaveLength(3);
  });

  test('a pause holds for what an ordered endpoint has claimed already, as soon as its leases are extended', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/slow', { ordered: true });
    fixture.receiver.script('/slow', { held: true }, {});
    await fixture.postMany(20);
    const worker = await fixture.startWorker({ timeoutMs: 60_000, timing: { ...quickTiming, leaseMs: 1_500 } });
    await fixture.received(1);
    await expect.poll(() => fixture.tally(), polling).toMatchObject({ leased: 20 });
    await fixture.updateEndpoint(id, { status: 'paused' });
    await expect.poll(() => fixture.tally(), polling).toMatchObject({ leased: 1 });
    fixture.receiver.release();
    await fixture.drain(worker);
    expect(await fixture.tally()).toMatchObject({ succeeded: 1, scheduled: 19, leased: 0 });
    expect(fixture.receiver.requests).toHaveLength(1);
  });

  test('max_concurrency: two workers together never have more in flight', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/narrow', { max_concurrency: 3 });
    fixture.receiver.script('/narrow', { held: true });
    await fixture.postMany(14);
    await Promise.all([1, 2].map(() => fixture.startWorker({ timeoutMs: 60_000 })));
    for (let released = 0; released < 14; ) {
      await fixture.wake([id]);
      const held = Math.min(3, 14 - released);
      await expect.poll(() => fixture.receiver.requests.length - released, polling).toBe(held);
      expect(fixture.receiver.release()).toBe(held);
      released += held;
    }
    await fixture.settled();
  });

  test('the breaker opens, waits without spending attempts, probes, lets a manual retry through, and closes', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { fault: 'reset' });
    const worker = await fixture.startWorker({ retryScale: 10 });
    await fixture.postMany(30);
    await expect.poll(async () => (await healthOf(fixture, id)).state, polling).toBe('open');
    await fixture.drain(worker);
    // Each delivery of the first window was attempted twice.
    const sent = fixture.receiver.requests.length;
    expect(sent).toBeLessThanOrEqual(2 * 8);
    const untried = (await fixture.deliveriesTo(id)).filter(({ attempt_count }) => attempt_count === 0);
    expect(untried.length).toBeGreaterThan(15);

    const delivery_id = untried.at(-1)?.id ?? '';
    await handlers.deliveries.retry(fixture.context, { delivery_id });
    const [retried] = (await fixture.received(sent + 1)).slice(sent);
    expect(retried && headerOf(retried, 'x-service-delivery')).toBe(delivery_id);
    await fixture.drain(worker);
    const before = await healthOf(fixture, id);
    expect(before.state).toBe('open');

    await fixture.endWaits(id);
    await fixture.received(sent + 2);
    const nextProbeAt = async () => Date.parse((await healthOf(fixture, id)).next_probe_at ?? '');
    await expect.poll(nextProbeAt, polling).toBeGreaterThan(Date.parse(before.next_probe_at ?? ''));
    expect(fixture.receiver.requests).toHaveLength(sent + 2);
    fixture.receiver.script('/hook', {});
    await fixture.endWaits(id);
    await fixture.settled();
    expect(await healthOf(fixture, id)).toMatchObject({ state: 'closed', consecutive_failures: 0 });
    expect(await fixture.tally()).toMatchObject({ accepted: 30, succeeded: 30 });
  });

  test('a repaired receiver gets a recovery, whatever waits at its breaker and at endpoints of others', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { fault: 'reset' });
    const { context, companyId: company_id } = await fixture.openNeighbour();
    for (const path of ['/neighbour/1', '/neighbour/2', '/neighbour/3']) {
      await handlers.webhookEndpoints.create(context, { url: fixture.receiver.url + path });
      fixture.receiver.script(path, { fault: 'hang' });
    }
    await fixture.startWorker({ retryScale: 10 });
    await handlers.cash.balances.upsert(context, {
      company_id,
      as_of: '2026-01-05',
      balance_cents: 1,
      currency: 'USD',
    });
    await fixture.postMany(20);
    await expect.poll(async () => (await healthOf(fixture, id)).state, polling).toBe('open');
    // Failed deliveries are recovered; the rest stays due behind the open breaker, whose probe is an hour away.
    const tried = "endpoint_id = $1 AND attempt_count > 0 AND status = 'pending'";
    await fixture.query(`UPDATE delivery SET status = 'failed' WHERE ${tried}`, [id]);
    const failed = "SELECT id FROM delivery WHERE endpoint_id = $1 AND status = 'failed'";
    await fixture.query(`DELETE FROM due WHERE delivery_id IN (${failed})`, [id]);
    await fixture.query("UPDATE webhook_endpoint SET next_probe_at = now() + interval '1 hour' WHERE id = $1", [id]);
    fixture.receiver.script('/hook', {});
    const recovery = { endpoint_id: id, since: '2020-01-01T00:00:00Z' };
    const { id: replay_id } = await handlers.webhookEndpoints.recover(fixture.context, recovery);
    const statusOf = async () => (await handlers.replays.get(fixture.context, { replay_id })).status;
    await expect.poll(statusOf, polling).toBe('completed');
    expect(await healthOf(fixture, id)).toMatchObject({ state: 'closed', consecutive_failures: 0 });
    expect((await fixture.deliveriesTo(id)).filter(({ status }) => status === 'pending')).toEqual([]);
  });

  test('Retry-After pauses the whole endpoint: what else is due waits and spends no attempt', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/busy');
    await fixture.subscribe('/beside');
    fixture.receiver.script('/busy', { status: 429, headers: { 'retry-after': '3600' } }, {});
    await Promise.all([fixture.startWorker(), fixture.startWorker()]);
    await fixture.post();
    await expect.poll(async () => (await healthOf(fixture, id)).wait_until, polling).not.toBeNull();
    await fixture.postMany(5);
    await fixture.received(7);
    expect(fixture.arrivals('/busy')).toHaveLength(1);
    await fixture.endWaits(id);
    await fixture.settled();
    const attempts = (await fixture.deliveriesTo(id)).map(({ attempt_count }) => attempt_count);
    expect(attempts).toEqual([2, 1, 1, 1, 1, 1]);
    expect(await healthOf(fixture, id)).toMatchObject({ state: 'closed', wait_until: null });
  });
});
