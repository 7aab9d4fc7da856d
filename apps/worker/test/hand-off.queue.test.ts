// Risk: a delivery that was leased when stored is lost with its hand-off, sent twice, or sent to an outdated endpoint.
import { type Context, handlers, toDeliveryQueue } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { errorsOf, readLedger, repeatedIn } from './ledger.ts';
import { quickTiming } from './quick-timing.ts';
import { isSignedWith } from './receipts.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('deliveries that are handed over on %s', (name) => {
  const test = workerTest(name);

  const queueOf = ({ producer, core }: WorkerFixture) => toDeliveryQueue(producer, core.secrets);
  /** Posts like an api that has seen a worker. */
  const post = (fixture: WorkerFixture, day: number, queue: Context['queue'] = queueOf(fixture)) =>
    handlers.cash.balances.upsert(
      { ...fixture.context, queue },
      { company_id: fixture.companyId, as_of: `1999-01-${10 + day}`, balance_cents: day, currency: 'USD' },
    );
  const briefly = (fixture: WorkerFixture) => ({ ...queueOf(fixture), leaseMs: () => 300 });
  /** The numbers of the received attempts, per delivery. */
  const arrived = async (fixture: WorkerFixture) => {
    await fixture.settled();
    const ledger = await readLedger(fixture);
    return [ledger.lines.map(({ received }) => received), errorsOf(ledger)];
  };

  test('arrive once, and leave no job', async ({ fixture, expect }) => {
    await fixture.flushQueue();
    await fixture.subscribe('/hook');
    await fixture.startWorker();
    await post(fixture, 1);
    await fixture.received(1);
    expect(await arrived(fixture)).toEqual([[[1]], []]);
    await expect.poll(() => fixture.producer.counts('deliver')).toEqual({ waiting: 0, active: 0, delayed: 0 });
  });

  test('are claimed when their lease ends, if the hand-off is lost between the commit and the queue', async ({
    fixture,
    expect,
  }) => {
    await fixture.subscribe('/hook');
    await fixture.startWorker();
    await post(fixture, 1, { ...briefly(fixture), add: () => undefined });
    await fixture.received(1);
    // The lost lease counted as the first attempt.
    expect(await arrived(fixture)).toEqual([[[2]], []]);
  });

  test('are claimed and sent once, if the hand-off waited longer than its lease', async ({ fixture, expect }) => {
    await fixture.subscribe('/hook');
    for (const day of [1, 2, 3]) await post(fixture, day, briefly(fixture));
    await expect.poll(async () => (await fixture.tally()).leased).toBe(0);
    await fixture.startWorker({ timing: { ...quickTiming, handOffMs: 150 } });
    await fixture.received(3);
    await fixture.settled();
    const ledger = await readLedger(fixture);
    expect([ledger.lines.length, errorsOf(ledger), repeatedIn(ledger)]).toEqual([3, [], []]);
  });

  test('are claimed and not sent from a hand-off that was not sealed with SECRETS_KEY', async ({ fixture, expect }) => {
    await fixture.subscribe('/hook');
    await fixture.startWorker();
    const { producer, core } = fixture;
    const forged = (sealed: string) => `${sealed.slice(0, -8)}AAAAAAAA`;
    const forging: Parameters<typeof toDeliveryQueue>[0] = {
      isAccepting: true,
      deliver: (work) => producer.deliver({ ...work, handOffs: work.handOffs.map(forged) }),
    };
    await post(fixture, 1, { ...toDeliveryQueue(forging, core.secrets), leaseMs: () => 300 });
    await expect.poll(() => fixture.logLines.join('')).toContain('a hand-off could not be decrypted');
    await fixture.received(1);
    expect(await arrived(fixture)).toEqual([[[2]], []]);
    expect(fixture.logLines.join('')).not.toContain('balance_cents');
  });

  test('go to the endpoint as its owner left it: a new secret signs, and a pause holds until it ends', async ({
    fixture,
    expect,
  }) => {
    const { id } = await fixture.subscribe('/hook');
    const worker = await fixture.startWorker();
    await post(fixture, 1);
    await fixture.received(1);
    const { secret } = await handlers.webhookEndpoints.rotateSecret(fixture.context, { endpoint_id: id });
    await post(fixture, 2);
    const [, request] = await fixture.received(2);
    expect(request && isSignedWith(secret, request)).toBe(true);
    await fixture.updateEndpoint(id, { status: 'paused' });
    for (const day of [3, 4, 5]) await post(fixture, day);
    await fixture.drain(worker);
    expect(fixture.receiver.requests).toHaveLength(2);
    expect(await fixture.tally()).toMatchObject({ succeeded: 2, scheduled: 3 });
    await fixture.updateEndpoint(id, { status: 'active' });
    await fixture.received(5);
  });
});
