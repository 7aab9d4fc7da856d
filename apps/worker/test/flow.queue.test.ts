// Risk: over several workers an endpoint gets events out of order, too fast, or while it is to be left alone.
import { setTimeout as delay } from 'node:timers/promises';
import { handlers } from '@finhook/core';
import { queueBackends, type ReceiverResponse } from '@finhook/testing';
import { describe } from 'vitest';
import { defaultTiming } from '../src/timing.ts';
import { quickTiming } from './quick-timing.ts';
import { headerOf } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.concurrent.each(queueBackends())('the flow to an endpoint on %s', (name) => {
  const test = workerTest(name);

  const healthOf = async ({ context }: WorkerFixture, endpoint_id: string) =>
    (await handlers.webhookEndpoints.get(context, { endpoint_id })).health;

  test('ordered: ten endpoints that fail now and then, two workers, and no event before the one that precedes it', async ({
    fixture,
    expect,
  }) => {
    const fails: readonly ReceiverResponse[] = [{ status: 500 }, { fault: 'reset' }, { status: 500 }];
    const paths = Array.from({ length: 10 }, (_, i) => `/ordered/${i}`);
    for (const [i, path] of paths.entries()) {
      const { id } = await fixture.subscribe(path);
      await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, ordered: true });
      const responses = Array.from({ length: 60 }, (_, n) => ((n + i) % 7 === 3 ? (fails[(n + i) % 3] ?? {}) : {}));
      fixture.receiver.script(path, {}, ...responses, {});
    }
    const workers = { retryScale: 1e-3 };
    await Promise.all([fixture.startWorker(workers), fixture.startWorker(workers)]);
    const endpoints = await fixture.query<{ id: string }>('SELECT id FROM webhook_endpoint');
    const posting = fixture.postMany(40);
    // Wake-ups without cause have both workers ask for the same endpoints at the same time.
    for (let i = 0; i < 20; i++) await fixture.wake(endpoints.map(({ id }) => id));
    await posting;
    await fixture.settled();

    const events = await fixture.query<{ id: string; position: string }>('SELECT id, position FROM event');
    const places = new Map(events.map(({ id, position }) => [id, Number(position)]));
    for (const path of paths) {
      const arrivals = fixture.arrivals(path);
      const order = arrivals.map((request) => places.get(headerOf(request, 'webhook-id')));
      expect(arrivals.map((request) => Number(headerOf(request, 'x-service-sequence')))).toEqual(order);
      expect(order, path).toEqual(order.toSorted((a, b) => Number(a) - Number(b)));
      expect(new Set(order).size, path).toBe(40);
      expect(order.length, path).toBeGreaterThan(40);
    }
    expect(await fixture.tally()).toMatchObject({ accepted: 400, succeeded: 400 });
  });

  test('rate_limit: two workers together keep to it within ten percent', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/limited');
    await fixture.subscribe('/free');
    const perSecond = 20;
    const update = (change: object) =>
      handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, ...change });
    await update({ rate_limit: { requests: perSecond * 2, per_seconds: 2 } });
    // Measured is what running workers send to an endpoint that responds: a start takes seconds on a busy machine.
    await Promise.all([fixture.startWorker(), fixture.startWorker()]);
    await fixture.post();
    await fixture.received(2);
    await update({ status: 'paused' });
    await fixture.postMany(120);
    await expect.poll(() => fixture.arrivals('/free').length, { timeout: 30_000 }).toBe(121);
    // As in a new bucket, nothing is saved at this moment.
    const emptied = Date.now();
    await fixture.query('UPDATE endpoint_flow SET tokens = 1, tokens_at = now() WHERE endpoint_id = $1', [id]);
    await update({ status: 'active' });
    await fixture.receiver.waitFor(() => fixture.arrivals('/limited').length >= 102, { timeoutMs: 60_000 });
    const [, ...limited] = fixture.arrivals('/limited');
    const times = limited.map(({ receivedAt }) => receivedAt.getTime());
    const rates = times.slice(60, 101).map((time, i) => ((60 + i) * 1_000) / (time - emptied));
    // A busy machine stalls now and then for longer than the bucket saves: the best stretch of two seconds counts.
    const stretches = times.slice(40).map((time, i) => (40 * 1_000) / (time - (times[i] ?? 0)));
    expect(Math.max(...stretches)).toBeGreaterThan(perSecond * 0.9);
    expect(Math.max(...rates)).toBeLessThan(perSecond * 1.1);
  });

  test.for([{ ordered: true }, { max_concurrency: 2 }])(
    'one wake-up is enough for an endpoint that the worker does not know yet: %o',
    async (limits, { fixture, expect }) => {
      const { id } = await fixture.subscribe('/bounded');
      await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, ...limits });
      await fixture.postMany(3);
      await fixture.flushQueue();
      await fixture.wake([id]);
      await fixture.startWorker({ timing: { ...defaultTiming, reconcileMs: 60_000 } });
      await expect.poll(() => fixture.arrivals('/bounded').length, { timeout: 10_000 }).toBe(3);
    },
  );

  test('a pause holds for what an ordered endpoint has claimed already, as soon as its leases are extended', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/slow');
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, ordered: true });
    fixture.receiver.script('/slow', { delayMs: 300 });
    await fixture.postMany(60);
    await fixture.startWorker({ timing: quickTiming });
    await expect.poll(() => fixture.arrivals('/slow').length, { timeout: 30_000 }).toBeGreaterThan(0);
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, status: 'paused' });
    // A third of a lease, half a second, and the request that was under way.
    await delay(quickTiming.leaseMs / 3 + 2_000);
    const { length } = fixture.arrivals('/slow');
    await delay(1_500);
    expect(fixture.arrivals('/slow')).toHaveLength(length);
    expect(length).toBeLessThan(60);
  });

  test('max_concurrency: two workers together never have more under way', async ({ fixture, expect }) => {
    const { id } = await fixture.subscribe('/narrow');
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, max_concurrency: 3 });
    fixture.receiver.script('/narrow', { delayMs: 30 });
    await fixture.postMany(60);
    await Promise.all([fixture.startWorker(), fixture.startWorker()]);
    for (let i = 0; i < 10; i++) await fixture.wake([id]);
    await fixture.settled();
    const begun = fixture.arrivals('/narrow').map(({ receivedAt }) => receivedAt.getTime());
    const most = begun.map((at) => begun.filter((other) => other <= at && other > at - 28).length);
    expect(Math.max(...most)).toBe(3);
  });

  test('the breaker opens, waits without spending attempts, probes, lets a retry by hand through, and closes', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { fault: 'reset' });
    const worker = await fixture.startWorker({ retryScale: 0.2 });
    await fixture.postMany(30);
    await expect.poll(async () => (await healthOf(fixture, id)).state, { timeout: 30_000 }).toBe('open');
    await worker.drain();
    const sent = fixture.arrivals('/hook').length;
    // Each of the first window was tried twice; after that there are probes only.
    expect(sent).toBeLessThanOrEqual(2 * 8 + 2);
    const deliveries = await handlers.deliveries.list(fixture.context, { limit: 50, order: 'asc' });
    const untried = deliveries.data.filter(({ attempt_count }) => attempt_count === 0);
    expect(untried.length).toBeGreaterThan(15);

    const [waiting] = untried.toReversed();
    await handlers.deliveries.retry(fixture.context, { delivery_id: waiting?.id ?? '' });
    await expect
      .poll(() => fixture.arrivals('/hook').map((r) => headerOf(r, 'x-service-delivery')))
      .toContain(waiting?.id);
    expect((await healthOf(fixture, id)).state).not.toBe('closed');

    const before = await healthOf(fixture, id);
    await expect
      .poll(async () => Date.parse((await healthOf(fixture, id)).next_probe_at ?? ''), { timeout: 20_000 })
      .toBeGreaterThan(Date.parse(before.next_probe_at ?? ''));
    fixture.receiver.script('/hook', {});
    await fixture.settled();
    expect(await healthOf(fixture, id)).toMatchObject({ state: 'closed', consecutive_failures: 0 });
    expect(await fixture.tally()).toMatchObject({ accepted: 30, succeeded: 30 });
  });

  test('D-10: a repaired receiver gets a recovery at once, whatever waits at its breaker and at endpoints of others', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    fixture.receiver.script('/hook', { fault: 'reset' });
    const { context, companyId } = await fixture.openNeighbour();
    for (let i = 0; i < 10; i++) {
      const url = `${fixture.receiver.url}/neighbour/${i}`;
      await handlers.webhookEndpoints.create(context, { url, events: ['bank.balance.updated'] });
      fixture.receiver.script(`/neighbour/${i}`, { fault: 'hang' });
    }
    await fixture.startWorker({ retryScale: 10 });
    await handlers.cash.balances.upsert(context, {
      company_id: companyId,
      as_of: '2026-01-05',
      balance_cents: 1,
      currency: 'USD',
    });
    await fixture.postMany(30);
    await expect.poll(async () => (await healthOf(fixture, id)).state, { timeout: 30_000 }).toBe('open');
    // What is given up is recovered; the rest stays due behind the breaker, whose probe is an hour away.
    await fixture.query(
      "UPDATE delivery SET status = 'failed' WHERE endpoint_id = $1 AND attempt_count > 0 AND status = 'pending'",
      [id],
    );
    await fixture.query(
      "DELETE FROM due WHERE delivery_id IN (SELECT id FROM delivery WHERE endpoint_id = $1 AND status = 'failed')",
      [id],
    );
    await fixture.query("UPDATE webhook_endpoint SET next_probe_at = now() + interval '1 hour' WHERE id = $1", [id]);
    fixture.receiver.script('/hook', {});
    const { id: replay_id } = await handlers.webhookEndpoints.recover(fixture.context, {
      endpoint_id: id,
      since: '2020-01-01T00:00:00Z',
    });
    const statusOf = async () => (await handlers.replays.get(fixture.context, { replay_id })).status;
    await expect.poll(statusOf, { timeout: 20_000 }).toBe('completed');
    expect(await healthOf(fixture, id)).toMatchObject({ state: 'closed', consecutive_failures: 0 });
    const { data } = await handlers.deliveries.list(fixture.context, { limit: 100, order: 'asc', endpoint_id: id });
    expect(data.filter(({ status }) => status === 'pending')).toEqual([]);
  });

  test('Retry-After pauses the whole endpoint: what else is due waits and spends no attempt', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/busy');
    fixture.receiver.script('/busy', { status: 429, headers: { 'retry-after': '3' } }, {});
    await Promise.all([fixture.startWorker({ retryScale: 1e-3 }), fixture.startWorker({ retryScale: 1e-3 })]);
    await fixture.post();
    await fixture.receiver.waitFor((all) => all.length === 1);
    await expect.poll(async () => (await healthOf(fixture, id)).wait_until).not.toBeNull();
    await fixture.postMany(10);
    await fixture.receiver.waitFor((all) => all.length === 12, { timeoutMs: 30_000 });
    const [first, second] = fixture.arrivals('/busy');
    const pause = (second?.receivedAt.getTime() ?? 0) - (first?.receivedAt.getTime() ?? 0);
    expect(pause).toBeGreaterThanOrEqual(2_900);
    await fixture.settled();
    const { data } = await handlers.deliveries.list(fixture.context, { limit: 50, order: 'asc' });
    expect(data.map(({ attempt_count }) => attempt_count)).toEqual([2, ...Array.from({ length: 10 }, () => 1)]);
    expect(await healthOf(fixture, id)).toMatchObject({ state: 'closed', wait_until: null });
  });
});
