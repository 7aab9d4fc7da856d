// Risk: a delivery that was leased when it was stored is lost with its hand-off, is sent twice, or goes to an endpoint as
// it was before its owner changed it.

import { setTimeout } from 'node:timers/promises';
import { type Context, handlers, toDeliveryQueue } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { Webhook } from 'standardwebhooks';
import { describe } from 'vitest';
import { errorsOf, readLedger, repeatedIn } from './ledger.ts';
import { quickTiming } from './quick-timing.ts';
import { headerOf } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.concurrent.each(queueBackends())('deliveries that are handed over on %s', (name) => {
  const test = workerTest(name);

  /** Posts as an api that believes that workers are there. */
  const post = (fixture: WorkerFixture, day: number, queue: Context['queue'] = toDeliveryQueue(fixture.producer)) =>
    handlers.cash.balances.upsert(
      { ...fixture.context, queue },
      { company_id: fixture.companyId, as_of: `1999-01-${10 + day}`, balance_cents: day, currency: 'USD' },
    );

  test('arrive once, and leave no job', async ({ fixture, expect }) => {
    await fixture.subscribe('/hook');
    await fixture.startWorker();
    await post(fixture, 1);
    await fixture.received(1);
    await fixture.settled();
    expect(await fixture.producer.counts('deliver')).toEqual({ waiting: 0, active: 0, delayed: 0 });
    const ledger = await readLedger(fixture);
    expect([ledger.lines.map(({ received }) => received), errorsOf(ledger)]).toEqual([[[1]], []]);
  });

  test('C23: a hand-off that is lost between the commit and the queue costs its lease', async ({ fixture, expect }) => {
    await fixture.subscribe('/hook');
    await fixture.startWorker();
    const startedAt = performance.now();
    await post(fixture, 1, { ...toDeliveryQueue(fixture.producer), add: () => undefined });
    expect(await fixture.tally()).toMatchObject({ accepted: 1, leased: 1 });
    await fixture.received(1, 15_000);
    expect(performance.now() - startedAt).toBeGreaterThan(2_500);
    await fixture.settled();
    expect(errorsOf(await readLedger(fixture))).toEqual([]);
  });

  test('C23: a hand-off that waited longer than its lease is claimed, and sent once', async ({ fixture, expect }) => {
    await fixture.subscribe('/hook');
    for (const day of [1, 2, 3]) await post(fixture, day);
    await setTimeout(3_500);
    await fixture.startWorker();
    await fixture.received(3);
    await fixture.settled();
    const ledger = await readLedger(fixture);
    expect([ledger.lines.length, errorsOf(ledger), repeatedIn(ledger)]).toEqual([3, [], []]);
  });

  test('C23: kill -9 of the worker that received them: nothing is lost, and only what was in flight is repeated', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    const first = fixture.startProcess();
    await post(fixture, 0);
    await fixture.received(1);
    fixture.receiver.script('/hook', { fault: 'hang' });
    await Promise.all(Array.from({ length: 12 }, (_, i) => post(fixture, i + 1)));
    await fixture.received(2);
    await setTimeout(200);
    await first.kill();
    const sent = new Set(fixture.arrivals('/hook').map((request) => headerOf(request, 'x-service-delivery')));
    fixture.receiver.script('/hook', {});
    fixture.startProcess();
    await fixture.settled();
    const ledger = await readLedger(fixture);
    expect([ledger.lines.length, errorsOf(ledger)]).toEqual([13, []]);
    expect(repeatedIn(ledger).filter((delivery) => !sent.has(delivery))).toEqual([]);
    expect((await handlers.webhookEndpoints.get(fixture.context, { endpoint_id: id })).status).toBe('active');
  });

  test('S20: what was not sealed with SECRETS_KEY is not sent, and the delivery is claimed', async ({
    fixture,
    expect,
  }) => {
    await fixture.subscribe('/hook');
    await fixture.startWorker();
    const queue = toDeliveryQueue(fixture.producer);
    const forged = (sealed: string) => `${sealed.slice(0, -8)}AAAAAAAA`;
    await post(fixture, 1, { ...queue, add: (handOffs, ...rest) => queue.add(handOffs.map(forged), ...rest) });
    await expect.poll(() => fixture.logLines.join(''), { timeout: 10_000 }).toContain('a hand-off could not be opened');
    await fixture.received(1, 15_000);
    await fixture.settled();
    expect(errorsOf(await readLedger(fixture))).toEqual([]);
    expect(fixture.logLines.join('')).not.toContain('balance_cents');
  });

  test('go to the endpoint as its owner left it: a new secret signs, and a pause holds', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    await fixture.startWorker({ timing: quickTiming });
    await post(fixture, 1);
    await fixture.received(1);
    const { secret } = await handlers.webhookEndpoints.rotateSecret(fixture.context, { endpoint_id: id });
    await post(fixture, 2);
    const [, request] = await fixture.received(2);
    if (request === undefined) throw new Error('nothing arrived');
    const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((header) => [
      header,
      headerOf(request, header),
    ]);
    expect(() => new Webhook(secret).verify(request.body, Object.fromEntries(headers))).not.toThrow();
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, status: 'paused' });
    await post(fixture, 3);
    await setTimeout(6 * quickTiming.reconcileMs);
    expect(fixture.receiver.requests).toHaveLength(2);
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: id, status: 'active' });
    await fixture.received(3);
  });
});
