// Risk: under load each request adds a job and the queue becomes the bottleneck, work is dropped, or an outage of the
// workers fills the queue.
import { createLogger } from '@finhook/runtime';
import { expect, test } from 'vitest';
import { createBackendHealth } from './backend-health.ts';
import { createDeliverBuffer } from './deliver-buffer.ts';
import { type JobQueue, JobsRejectedError, type NewJob } from './driver.ts';

const refs = (...ids: readonly string[]) => ids.map((id) => ({ id, accountId: 'acc_a' }));

function fakeQueue() {
  const batches: NewJob[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  let waiting = 0;
  const queue: JobQueue = {
    addBulk: (jobs) => {
      batches.push([...jobs]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      return gate.promise;
    },
    counts: async () => {
      if (Number.isNaN(waiting)) throw new Error('gone');
      return { waiting, active: 0, delayed: 0 };
    },
    close: async () => undefined,
  };
  const settle = async (index: number, error?: Error) => {
    await expect.poll(() => gates.length, { interval: 1 }).toBeGreaterThan(index);
    if (error === undefined) gates[index]?.resolve();
    else gates[index]?.reject(error);
  };
  const health = createBackendHealth(createLogger({ level: 'silent', name: 'test' }));
  health.up();
  return {
    buffer: () => createDeliverBuffer(queue, { health, timeoutMs: 10_000 }),
    health,
    settle,
    setWaiting: (count: number) => {
      waiting = count;
    },
    /** The data of the jobs of each batch. */
    data: () => batches.map((batch) => batch.map(({ data }) => data)),
    jobs: () => batches,
  };
}

const job = (hand_offs: readonly string[], ...ids: readonly string[]) => ({
  hand_offs,
  endpoints: ids.map((id) => ({ id, account_id: 'acc_a' })),
});

test('work of the same turn is one job, each endpoint once', async () => {
  const fake = fakeQueue();
  const buffer = fake.buffer();
  const sent = Promise.all([
    buffer.add({ handOffs: ['x'], endpoints: refs('a', 'b') }),
    buffer.add({ endpoints: refs('b') }),
    buffer.add({ handOffs: ['y'] }),
  ]);
  await fake.settle(0);
  await sent;
  expect(fake.data()).toEqual([[job(['x', 'y'], 'a', 'b')]]);
});

test('what comes while an add is in flight forms the next job, and resolves with it only', async () => {
  const fake = fakeQueue();
  const buffer = fake.buffer();
  const first = buffer.add({ handOffs: ['x'] });
  await expect.poll(() => fake.jobs().length, { interval: 1 }).toBe(1);
  const second = Promise.all([buffer.add({ handOffs: ['y'] }), buffer.add({ endpoints: refs('a') })]);
  await fake.settle(0);
  await first;
  await fake.settle(1);
  await second;
  expect(fake.data()).toEqual([[job(['x'])], [job(['y'], 'a')]]);
});

test('a failed add rejects its own callers and no later ones', async () => {
  const fake = fakeQueue();
  const buffer = fake.buffer();
  const failed = expect(buffer.add({ handOffs: ['x'] })).rejects.toThrow('gone');
  await expect.poll(() => fake.jobs().length, { interval: 1 }).toBe(1);
  const second = buffer.add({ handOffs: ['y'] });
  await fake.settle(0, new Error('gone'));
  await failed;
  await fake.settle(1);
  await second;
  expect(fake.data()).toEqual([[job(['x'])], [job(['y'])]]);
});

/** Adds a hand-off; `ends` records its loss and the result of the call. */
function handOver(buffer: ReturnType<typeof createDeliverBuffer>, sealed: string) {
  const ends: string[] = [];
  const added = buffer.add({ handOffs: [sealed], onLost: () => ends.push('lost') });
  const settled = added.then(
    () => ends.push('added'),
    (error: Error) => ends.push(error.message),
  );
  return { ends, settled };
}

test('hand-offs that the backend rejects are lost, and after any other error the backend may have them', async () => {
  const fake = fakeQueue();
  const buffer = fake.buffer();
  const rejected = handOver(buffer, 'x');
  await fake.settle(0, new JobsRejectedError('full'));
  await rejected.settled;
  const unsure = handOver(buffer, 'y');
  await fake.settle(1, new Error('gone'));
  await unsure.settled;
  expect([rejected.ends, unsure.ends]).toEqual([['lost', 'full'], ['gone']]);
});

test('when the backend goes away, hand-offs that wait behind a job are lost at once and never sent', async () => {
  const fake = fakeQueue();
  const buffer = fake.buffer();
  const hanging = handOver(buffer, 'x');
  await expect.poll(() => fake.jobs().length, { interval: 1 }).toBe(1);
  const waiting = [handOver(buffer, 'y'), handOver(buffer, 'z')];
  fake.health.down(new Error('hangs'));
  await Promise.all(waiting.map(({ settled }) => settled));
  expect(waiting.map(({ ends }) => ends)).toEqual([
    ['lost', 'The queue is away.'],
    ['lost', 'The queue is away.'],
  ]);
  fake.health.up();
  await fake.settle(0);
  await hanging.settled;
  expect([hanging.ends, fake.data()]).toEqual([['added'], [[job(['x'])]]]);
});

test('while the backend is slow, hand-offs are lost at once and endpoints are sent', async () => {
  const fake = fakeQueue();
  const buffer = fake.buffer();
  const hanging = handOver(buffer, 'x');
  await expect.poll(() => fake.jobs().length, { interval: 1 }).toBe(1);
  const waiting = handOver(buffer, 'y');
  fake.health.slow(new Error('late'));
  const next = handOver(buffer, 'z');
  expect([hanging.ends, waiting.ends, next.ends]).toEqual([[], ['lost'], ['lost']]);
  const woken = buffer.add({ endpoints: refs('a') });
  await fake.settle(0);
  await fake.settle(1);
  await woken;
  expect([hanging.ends, fake.data()]).toEqual([['added'], [[job(['x'])], [job([], 'a')]]]);
});

test('while too many jobs wait, hand-offs are dropped and endpoints are gathered', async () => {
  const fake = fakeQueue();
  const buffer = fake.buffer();
  fake.setWaiting(501);
  const first = buffer.add({ handOffs: ['x'] });
  await fake.settle(0);
  await first;
  expect(buffer.isAccepting).toBe(false);
  let lost = 0;
  const behind = [
    buffer.add({ handOffs: ['y'], endpoints: refs('a'), onLost: () => (lost += 1) }),
    buffer.add({ endpoints: refs('a', 'b') }),
  ];
  await fake.settle(1);
  await Promise.all(behind);
  expect([lost, fake.data()[1]]).toEqual([1, [job([], 'a', 'b')]]);
  fake.setWaiting(500);
  const after = buffer.add({ handOffs: ['z'] });
  await fake.settle(2);
  await after;
  expect([buffer.isAccepting, fake.data()[2]]).toEqual([true, [job(['z'])]]);
});

test('jobs that cannot be counted fail nothing and stop nothing', async () => {
  const fake = fakeQueue();
  const buffer = fake.buffer();
  for (const [index, waiting] of [501, Number.NaN, Number.NaN, 0].entries()) {
    fake.setWaiting(waiting);
    const added = buffer.add({ endpoints: refs('a') });
    await fake.settle(index);
    await added;
  }
  expect([buffer.isAccepting, fake.jobs().length]).toEqual([true, 4]);
});

test('a wake-up has its delay, and replaces the one before', async () => {
  const fake = fakeQueue();
  const sent = fake.buffer().wakeLater({ id: 'a', accountId: 'acc_a' }, 250.5);
  await fake.settle(0);
  await sent;
  const deduplication = { id: 'wake-a', replace: true, keepLastIfActive: true };
  expect(fake.jobs()).toEqual([[{ name: 'wake-up', data: job([], 'a'), opts: { delay: 251, deduplication } }]]);
});

test('jobs have a bounded size', async () => {
  const fake = fakeQueue();
  const ids = Array.from({ length: 1_200 }, (_, index) => `we_${index}`);
  const handOffs = Array.from({ length: 130 }, (_, index) => `${index}`);
  const sent = fake.buffer().add({ handOffs, endpoints: refs(...ids) });
  await fake.settle(0);
  await sent;
  const [jobs = []] = fake.data() as ReturnType<typeof job>[][];
  expect(jobs.map(({ hand_offs, endpoints }) => [hand_offs.length, endpoints.length])).toEqual([
    [64, 500],
    [64, 500],
    [2, 200],
  ]);
});

test('nothing to do adds nothing', async () => {
  const fake = fakeQueue();
  await fake.buffer().add({});
  expect(fake.jobs()).toEqual([]);
});
