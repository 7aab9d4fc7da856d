// Risk: a replay stands still, starts over or sends twice when its worker dies, or nobody sees how far it is.
import { handlers } from '@finhook/core';
import { type QueueBackend, queueBackends } from '@finhook/testing';
import { describe, expect, test } from 'vitest';
import { headerOf, receiptsOf } from './receipts.ts';
import { useWorkerFixture } from './use-worker-fixture.ts';
import type { WorkerFixture } from './worker-fixture.ts';

const events = 600;
/** What a replay has handed over and not seen sent, at most. */
const window = 32;

describe.each(queueBackends())('a replay, the queue on %s', (name) => {
  let backend: QueueBackend;
  let fixture: WorkerFixture;
  useWorkerFixture(name, async (opened, onQueue) => {
    fixture = opened;
    backend = onQueue;
    await fixture.postMany(events);
  });

  const patience = { timeout: 40_000, interval: 20 };
  const begin = async (options: object = {}): Promise<string> => {
    const endpoint = await fixture.subscribe('/late');
    await handlers.webhookEndpoints.update(fixture.context, { endpoint_id: endpoint.id, ...options });
    const since = '2020-01-01T00:00:00Z';
    const answer = await handlers.webhookEndpoints.replay(fixture.context, { endpoint_id: endpoint.id, since });
    if (answer.object !== 'replay') throw new Error('It was only counted.');
    expect(answer).toMatchObject({ status: 'running', matched: events });
    return answer.id;
  };
  const read = (replay_id: string) => handlers.replays.get(fixture.context, { replay_id });
  const statusOf = (id: string) => async () => (await read(id)).status;
  const whole = { status: 'completed', matched: events, enqueued: events, delivered: events, open: 0, failed: 0 };

  test('goes on where it stopped after kill -9 and a flushed queue: nothing is missing, nothing handed over twice', async () => {
    const id = await begin();
    const first = fixture.startProcess();
    await fixture.receiver.waitFor((requests) => requests.length >= 100, { timeoutMs: 30_000 });
    await first.kill();
    const { enqueued } = await read(id);
    expect(enqueued).toBeLessThan(events);
    await backend.flush();
    // The claims of the dead worker run out.
    await fixture.query("UPDATE due SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL");
    fixture.startProcess();
    await expect.poll(statusOf(id), patience).toBe('completed');
    expect(await read(id)).toMatchObject(whole);
    const { unique, duplicates } = receiptsOf(fixture.receiver.requests);
    expect(unique.size).toBe(events);
    expect(duplicates).toBeLessThanOrEqual(window);
    expect(await fixture.tally()).toMatchObject({ accepted: events, terminal: events, scheduled: 0 });
  });

  test('begins and is seen within a second or so; pause, resume and cancel take hold at once', async () => {
    await fixture.startWorker();
    const id = await begin();
    const askedAt = performance.now();
    await expect.poll(async () => (await read(id)).delivered, patience).toBeGreaterThan(0);
    expect(performance.now() - askedAt).toBeLessThan(5_000);
    const paused = await handlers.replays.pause(fixture.context, { replay_id: id });
    await expect.poll(async () => (await read(id)).open, patience).toBe(0);
    expect(await read(id)).toMatchObject({ status: 'paused', enqueued: paused.enqueued, delivered: paused.enqueued });
    await handlers.replays.resume(fixture.context, { replay_id: id });
    await expect.poll(async () => (await read(id)).enqueued, patience).toBeGreaterThan(paused.enqueued);
    const cancelled = await handlers.replays.cancel(fixture.context, { replay_id: id });
    await expect.poll(async () => (await read(id)).open, patience).toBe(0);
    const { delivered, enqueued, cancelled: dropped } = await read(id);
    expect(enqueued).toBe(cancelled.enqueued);
    expect(delivered + dropped).toBe(enqueued);
    expect((await fixture.tally()).scheduled).toBe(0);
  });

  test('two workers share one without a double, and what fails on the way is tried again and counted', async () => {
    const [ok, broken] = [{ status: 200 }, { status: 500 }];
    fixture.receiver.script('/late', broken, ok, ok, broken, ok, ok, ok, broken, ok);
    await fixture.startWorker({ retryScale: 0.01 });
    await fixture.startWorker({ retryScale: 0.01 });
    const id = await begin();
    await expect.poll(statusOf(id), patience).toBe('completed');
    expect(await read(id)).toMatchObject(whole);
    const { unique } = receiptsOf(fixture.receiver.requests);
    expect(unique.size).toBe(events);
    expect(fixture.receiver.requests).toHaveLength(events + 3);
  });

  test.each([
    ['a rate limit', { rate_limit: { requests: 2, per_seconds: 1 } }, {}],
    ['one at a time', { max_concurrency: 1 }, { delayMs: 500 }],
    ['order', { ordered: true }, { delayMs: 500 }],
  ])('at an endpoint that is slow by %s, few stand before a fresh event', async (_, options, answer) => {
    fixture.receiver.script('/late', answer);
    await fixture.startWorker();
    const id = await begin(options);
    await expect.poll(async () => (await read(id)).delivered, patience).toBeGreaterThan(2);
    const fresh = await fixture.post();
    const asked = fixture.receiver.requests.length;
    const place = () => fixture.receiver.requests.findIndex((request) => headerOf(request, 'webhook-id') === fresh);
    await expect.poll(place, patience).not.toBe(-1);
    expect(place() - asked).toBeLessThanOrEqual(3);
  });
});
