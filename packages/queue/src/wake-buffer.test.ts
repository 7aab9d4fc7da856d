// Risk: under load each request sends wake-ups of its own and the queue becomes the bottleneck, or one gets dropped.
import { expect, test } from 'vitest';
import type { JobQueue, NewJob } from './driver.ts';
import { createWakeBuffer } from './wake-buffer.ts';

function fakeQueue() {
  const batches: NewJob[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const queue: JobQueue = {
    addBulk: (jobs) => {
      batches.push([...jobs]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      return gate.promise;
    },
    counts: async () => ({ waiting: 0, active: 0, delayed: 0 }),
    close: async () => undefined,
  };
  const ids = () => batches.map((batch) => batch.map((job) => job.opts.deduplication.id));
  const settle = async (index: number, error?: Error) => {
    await expect.poll(() => gates.length, { interval: 1 }).toBeGreaterThan(index);
    if (error === undefined) gates[index]?.resolve();
    else gates[index]?.reject(error);
  };
  return { queue, batches, ids, settle };
}

test('wake-ups of the same turn are sent together, each endpoint once', async () => {
  const fake = fakeQueue();
  const buffer = createWakeBuffer(fake.queue);
  const sent = Promise.all([buffer.wake(['a', 'b'], 0), buffer.wake(['b', 'c'], 0), buffer.wake(['a'], 0)]);
  await fake.settle(0);
  await sent;
  expect(fake.ids()).toEqual([['a', 'b', 'c']]);
});

test('what comes while a batch is on its way forms the next one, and resolves with it only', async () => {
  const fake = fakeQueue();
  const buffer = createWakeBuffer(fake.queue);
  const first = buffer.wake(['a'], 0);
  await expect.poll(() => fake.batches.length, { interval: 1 }).toBe(1);
  const second = Promise.all([buffer.wake(['a'], 0), buffer.wake(['b'], 0)]);
  await fake.settle(0);
  await first;
  await fake.settle(1);
  await second;
  expect(fake.ids()).toEqual([['a'], ['a', 'b']]);
});

test('a failed batch rejects its own callers and no later ones', async () => {
  const fake = fakeQueue();
  const buffer = createWakeBuffer(fake.queue);
  const first = buffer.wake(['a'], 0);
  const failed = expect(first).rejects.toThrow('gone');
  await expect.poll(() => fake.batches.length, { interval: 1 }).toBe(1);
  const second = buffer.wake(['b'], 0);
  await fake.settle(0, new Error('gone'));
  await failed;
  await fake.settle(1);
  await second;
  expect(fake.ids()).toEqual([['a'], ['b']]);
});

test('a delayed wake-up exists beside the immediate one, and the latest delayed one counts', async () => {
  const fake = fakeQueue();
  const buffer = createWakeBuffer(fake.queue);
  const sent = Promise.all([buffer.wake(['a'], 0), buffer.wake(['a'], 5_000), buffer.wake(['a'], 250.5)]);
  await fake.settle(0);
  await sent;
  const policy = { replace: true, keepLastIfActive: true };
  expect(fake.batches).toEqual([
    [
      { name: 'wake', data: { endpoint_id: 'a' }, opts: { deduplication: { id: 'a', ...policy } } },
      {
        name: 'delayed-wake',
        data: { endpoint_id: 'a' },
        opts: { delay: 251, deduplication: { id: 'a-retry', ...policy } },
      },
    ],
  ]);
});

test('many endpoints are sent in batches of a bounded size', async () => {
  const fake = fakeQueue();
  const sent = createWakeBuffer(fake.queue).wake(
    Array.from({ length: 1_200 }, (_, index) => `we_${index}`),
    0,
  );
  for (const index of [0, 1, 2]) await fake.settle(index);
  await sent;
  expect(fake.batches.map((batch) => batch.length)).toEqual([500, 500, 200]);
});

test('nothing to wake sends nothing, and an empty id is refused', async () => {
  const fake = fakeQueue();
  const buffer = createWakeBuffer(fake.queue);
  await buffer.wake([], 0);
  expect(() => buffer.wake([''], 0)).toThrow('endpoint_id');
  expect(fake.batches).toEqual([]);
});
