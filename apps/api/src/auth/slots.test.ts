// Risk: a request waits for a free slot, never releases one, or overtakes others.
import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createQueuedSlots } from './slots.ts';

/** A connection as a response has it. */
function connect() {
  const emitter = new EventEmitter();
  return Object.assign(emitter, { closed: false, hangUp: () => void emitter.emit('close') });
}

type Client = ReturnType<typeof connect>;

/** Slots that requests wait for without a time limit by default. */
function open(max: number, { length = Number.POSITIVE_INFINITY, waitMs = 600_000 } = {}) {
  // The queue of a real response is what `Client` has of it.
  const acquire = createQueuedSlots(max, { length, waitMs }, () => new Error('too few'));
  return (account: string, client: Client, slots?: number) => acquire(account, asResponse(client), slots);
}

function asResponse(client: Client): Parameters<ReturnType<typeof createQueuedSlots>>[1] {
  return client as never;
}

test('slots never exceed their number, and every connected request is admitted, equal ones in order', async () => {
  const batches = fc.array(fc.record({ slots: fc.integer({ min: 1, max: 9 }), hangsUp: fc.boolean() }), {
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(batches, fc.integer({ min: 1, max: 6 }), async (sent, max) => {
      const acquire = open(max);
      const admitted: number[] = [];
      const rejected: number[] = [];
      const held: [slots: number, release: () => void][] = [];
      const clients = sent.map(() => connect());
      const requests = sent.map(({ slots }, n) =>
        acquire('account', clients[n] ?? connect(), slots).then(
          (release) => {
            admitted.push(n);
            held.push([Math.min(slots, max), release]);
          },
          () => void rejected.push(n),
        ),
      );
      await Promise.resolve();
      for (const [n, { hangsUp }] of sent.entries()) if (hangsUp) clients[n]?.hangUp();
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        expect(held.reduce((sum, [slots]) => sum + slots, 0)).toBeLessThanOrEqual(max);
        const [first] = held.splice(0, 1);
        if (first === undefined) break;
        first[1]();
      }
      await Promise.all(requests);
      for (const slots of new Set(sent.map((request) => request.slots))) {
        const equal = admitted.filter((n) => sent[n]?.slots === slots);
        expect(equal).toEqual(equal.toSorted((a, b) => a - b));
      }
      expect([...admitted, ...rejected].toSorted((a, b) => a - b)).toEqual([...sent.keys()]);
      expect(rejected.filter((n) => sent[n]?.hangsUp !== true)).toEqual([]);
      expect(clients.map((client) => client.listenerCount('close'))).toEqual(clients.map(() => 0));
    }),
    { numRuns: 50 },
  );
});

test('a request is rejected when the queue is full, and after its waiting time', async () => {
  const acquire = open(1, { length: 1, waitMs: 10 });
  const release = await acquire('account', connect());
  const waiting = acquire('account', connect());
  await expect(acquire('account', connect())).rejects.toThrow('too few');
  await expect(waiting).rejects.toThrow('too few');
  release();
  (await acquire('account', connect()))();
});

test('no request waits if the waiting time is 0 or its client has disconnected', async () => {
  const [atOnce, patient] = [open(1, { waitMs: 0 }), open(1)];
  await atOnce('account', connect());
  await expect(atOnce('account', connect())).rejects.toThrow('too few');
  await patient('account', connect());
  await expect(patient('account', Object.assign(connect(), { closed: true }))).rejects.toThrow('too few');
});

test('a small request takes free slots while a larger one before it waits', async () => {
  const acquire = open(4);
  const held = await acquire('account', connect(), 3);
  const admitted: string[] = [];
  const large = acquire('account', connect(), 4).then((release) => {
    admitted.push('large');
    release();
  });
  (await acquire('account', connect()))();
  expect(admitted).toEqual([]);
  held();
  await large;
});

test('a large request is admitted after a few smaller ones, however many follow', async () => {
  const cases = fc.record({ max: fc.integer({ min: 2, max: 8 }), small: fc.integer({ min: 1, max: 3 }) });
  await fc.assert(
    fc.asyncProperty(cases, async ({ max, small }) => {
      const acquire = open(max);
      const held = [await acquire('account', connect())];
      let overtaking = 0;
      let isAdmitted = false;
      const large = acquire('account', connect(), max).then((release) => {
        isAdmitted = true;
        release();
      });
      // As many come as have gone, so that there is always one in flight, and one that waits.
      for (let n = 0; n < 10 * max && !isAdmitted; n++) {
        void acquire('account', connect(), small).then((release) => {
          if (!isAdmitted) overtaking += Math.min(small, max);
          held.push(release);
        });
        await new Promise((resolve) => setImmediate(resolve));
        if (n % 2 === 1) held.shift()?.();
      }
      for (; !isAdmitted; await new Promise((resolve) => setImmediate(resolve))) held.shift()?.();
      await large;
      expect(overtaking).toBeLessThanOrEqual(max);
    }),
    { numRuns: 50 },
  );
});

test('requests wait behind a larger one that others have overtaken, until it has left the queue', async () => {
  const acquire = open(2);
  await acquire('account', connect());
  const large = connect();
  const leaving = acquire('account', large, 2);
  for (let n = 0; n < 2; n++) (await acquire('account', connect()))();
  const admitted: string[] = [];
  const small = acquire('account', connect()).then(() => admitted.push('small'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(admitted).toEqual([]);
  large.hangUp();
  await expect(leaving).rejects.toThrow('too few');
  await small;
});

test('with a full queue a small request still takes slots that are too few for those before it', async () => {
  const acquire = open(4, { length: 1 });
  await acquire('account', connect(), 2);
  void acquire('account', connect(), 4);
  await acquire('account', connect(), 2);
  await expect(acquire('account', connect())).rejects.toThrow('too few');
});

test('accounts do not wait for each other', async () => {
  const acquire = open(1);
  await acquire('one', connect());
  void acquire('one', connect());
  expect(typeof (await acquire('another', connect()))).toBe('function');
});
