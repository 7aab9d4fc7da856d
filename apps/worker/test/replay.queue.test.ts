// Risk: a replay stalls, sends twice, delays fresh events, or shows wrong progress.
import { handlers } from '@finhook/core';
import { queueBackends } from '@finhook/testing';
import { describe } from 'vitest';
import { headerOf, receiptsOf } from './receipts.ts';
import { beginReplay, wholeReplay } from './replay-fixture.ts';
import type { WorkerFixture } from './worker-fixture.ts';
import { workerTest } from './worker-test.ts';

describe.each(queueBackends())('a replay, the queue on %s', (name) => {
  const test = workerTest(name);

  const polling = { timeout: 60_000, interval: 20 };
  const reader =
    ({ context }: WorkerFixture, replay_id: string) =>
    () =>
      handlers.replays.get(context, { replay_id });

  test('begins by itself, and stops when it is paused or cancelled', async ({ fixture, expect }) => {
    await fixture.postMany(120);
    // Held responses fill the replay's window.
    fixture.receiver.script('/late', {}, { held: true });
    await fixture.startWorker({ timeoutMs: 60_000 });
    const replay_id = await beginReplay(fixture);
    const read = reader(fixture, replay_id);
    const releaseAll = async () => {
      fixture.receiver.release();
      return (await read()).open;
    };
    await expect.poll(async () => (await read()).enqueued, polling).toBeGreaterThan(1);
    const paused = await handlers.replays.pause(fixture.context, { replay_id });
    await expect.poll(releaseAll, polling).toBe(0);
    expect(await read()).toMatchObject({ status: 'paused', enqueued: paused.enqueued, delivered: paused.enqueued });
    await handlers.replays.resume(fixture.context, { replay_id });
    await expect.poll(async () => (await read()).enqueued, polling).toBeGreaterThan(paused.enqueued);
    const cancelled = await handlers.replays.cancel(fixture.context, { replay_id });
    await expect.poll(releaseAll, polling).toBe(0);
    const { delivered, enqueued, cancelled: dropped } = await read();
    expect(enqueued).toBe(cancelled.enqueued);
    expect(enqueued).toBeLessThan(120);
    expect(delivered + dropped).toBe(enqueued);
    expect((await fixture.tally()).scheduled).toBe(0);
  });

  test('two workers share one without a double, and what fails on the way is tried again and counted', async ({
    fixture,
    expect,
  }) => {
    const events = 60;
    await fixture.postMany(events);
    const [ok, broken] = [{ status: 200 }, { status: 500 }];
    fixture.receiver.script('/late', broken, ok, ok, broken, ok, ok, ok, broken, ok);
    await fixture.startWorker({ retryScale: 0.01 });
    await fixture.startWorker({ retryScale: 0.01 });
    const read = reader(fixture, await beginReplay(fixture));
    await expect.poll(async () => (await read()).status, polling).toBe('completed');
    expect(await read()).toMatchObject(wholeReplay(events));
    const { unique } = receiptsOf(fixture.receiver.requests);
    expect(unique.size).toBe(events);
    expect(fixture.receiver.requests).toHaveLength(events + 3);
  });

  test.for([
    ['a rate limit', { rate_limit: { requests: 2, per_seconds: 1 } }, {}],
    ['one at a time', { max_concurrency: 1 }, { delayMs: 300 }],
    ['order', { ordered: true }, { delayMs: 300 }],
  ] as const)(
    'at an endpoint that is slow by %s, few stand before a fresh event',
    async ([, options, response], { fixture, expect }) => {
      await fixture.postMany(40);
      fixture.receiver.script('/late', response);
      await fixture.startWorker();
      const read = reader(fixture, await beginReplay(fixture, options));
      await expect.poll(async () => (await read()).delivered, polling).toBeGreaterThan(2);
      const fresh = await fixture.post();
      const asked = fixture.receiver.requests.length;
      const place = () => fixture.receiver.requests.findIndex((request) => headerOf(request, 'webhook-id') === fresh);
      await expect.poll(place, polling).not.toBe(-1);
      expect(place() - asked).toBeLessThanOrEqual(3);
    },
  );
});
