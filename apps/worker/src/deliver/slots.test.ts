// Risk: one account starves the others, or a waiter waits forever while slots are free.
import { Waits } from '@finhook/delivery';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acquire, createFairSlots } from './slots.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('one account gets half of the slots, and k accounts get the same share', () => {
  for (const accounts of [1, 2, 3, 7]) {
    const slots = createFairSlots(840);
    const names = Array.from({ length: accounts }, (_, i) => `acc_${i}`);
    const held = new Map(names.map((name) => [name, 0]));
    for (let round = 0; round < 840; round++) {
      for (const name of names) held.set(name, (held.get(name) ?? 0) + slots.acquireSome(name, 1));
    }
    for (const count of held.values()) expect(count).toBe(Math.floor(840 / (accounts + 1)));
  }
});

test('acquiring many at once gives as many as one by one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 0 }),
      (total, a, b) => {
        const [bulk, single] = [createFairSlots(total), createFairSlots(total)];
        for (let i = 0; i < a; i++) for (const slots of [bulk, single]) slots.acquireSome('acc_a', 1);
        let count = 0;
        while (count < b && single.acquireSome('acc_b', 1) === 1) count += 1;
        expect(bulk.acquireSome('acc_b', b)).toBe(count);
        expect(bulk.hasRoom('acc_b')).toBe(bulk.acquireSome('acc_b', 1) === 1);
      },
    ),
  );
});

test('accounts that wait take turns, and each waiter is resumed once', async () => {
  const slots = createFairSlots(2);
  const resumed: string[] = [];
  const waiterOf = (id: string) => ({ id, resume: () => void resumed.push(id) });
  expect(slots.tryAcquire('acc_a', 1, waiterOf('first'))).toBe(true);
  for (const id of ['a1', 'a2', 'a2']) expect(slots.tryAcquire('acc_a', 1, waiterOf(id))).toBe(false);
  expect(slots.tryAcquire('acc_b', 2, waiterOf('b1'))).toBe(false);
  expect([slots.isWaiting('a2'), slots.isWaiting('first')]).toEqual([true, false]);
  slots.release('acc_a', 1);
  await turn();
  expect(resumed).toEqual(['a1', 'b1', 'a2']);
  expect(slots.isWaiting('a2')).toBe(false);
});

test('a waiter that needs many slots does not starve behind smaller ones of other accounts', async () => {
  const slots = createFairSlots(10);
  const resumed: string[] = [];
  const waiterOf = (id: string) => ({ id, resume: () => void resumed.push(id) });
  slots.tryAcquire('acc_a', 5, waiterOf('a'));
  const large = { id: 'large', resume: () => resumed.push(`large ${slots.tryAcquire('acc_b', 9, large)}`) };
  expect(slots.tryAcquire('acc_b', 9, large)).toBe(false);
  expect(slots.tryAcquire('acc_a', 5, waiterOf('small'))).toBe(false);
  slots.release('acc_a', 4);
  await turn();
  expect(resumed).toEqual(['large true']);
});

test('a wait ends with free slots, after its maximum, and when the endpoint closes', async () => {
  const slots = createFairSlots(10);
  const wait = (id: string, units: number, limits: { maxWaitMs?: number; waits?: Waits } = {}) =>
    acquire(slots, { accountId: 'acc_a', units, id }, { maxWaitMs: 60_000, waits: new Waits(), ...limits });
  expect(await wait('first', 5)).toBe(true);
  const waiting = wait('second', 3);
  expect(await wait('late', 9, { maxWaitMs: 1 })).toBe(false);
  const waits = new Waits();
  const ended = wait('ended', 9, { waits });
  waits.end();
  expect(await ended).toBe(false);
  expect(await wait('ended', 9, { waits })).toBe(false);
  expect(['second', 'late', 'ended'].map((id) => slots.isWaiting(id))).toEqual([true, false, false]);
  slots.release('acc_a', 5);
  expect(await waiting).toBe(true);
  // acc_b holds three of ten.
  expect(slots.tryAcquire('acc_b', 7, { id: 'b', resume: () => undefined })).toBe(true);
});

test('a cancelled waiter no longer blocks smaller ones of other accounts', async () => {
  const slots = createFairSlots(10);
  const waits = new Waits();
  slots.tryAcquire('acc_a', 4, { id: 'a', resume: () => undefined });
  const large = acquire(slots, { accountId: 'acc_b', units: 9, id: 'large' }, { maxWaitMs: 20, waits });
  const small = new Promise<void>((resolve) => {
    slots.tryAcquire('acc_a', 5, { id: 'small', resume: resolve });
  });
  slots.release('acc_a', 2);
  expect(await large).toBe(false);
  await small;
});

test('in every order of acquiring and releasing, a waiter is resumed once all slots are free', async () => {
  const accounts = ['acc_a', 'acc_b', 'acc_c'] as const;
  const step = fc.record({ account: fc.constantFrom(...accounts), units: fc.integer({ min: 1, max: 30 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const slots = createFairSlots(20);
      const held: { account: string; units: number }[] = [];
      const waiting = new Set<string>();
      for (const [i, { account, units }] of steps.entries()) {
        const id = `w${i}`;
        const take = () => {
          if (slots.tryAcquire(account, units, { id, resume: take })) {
            waiting.delete(id);
            held.push({ account, units });
          } else waiting.add(id);
        };
        take();
      }
      for (let one = held.shift(); one !== undefined; one = held.shift()) {
        slots.release(one.account, one.units);
        await turn();
      }
      expect([...waiting]).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
