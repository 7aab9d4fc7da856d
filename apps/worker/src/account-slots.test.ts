// Risk: one account's endpoints take every slot, or an endpoint that waits for one is forgotten.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAccountSlots } from './account-slots.ts';
import type { DeliverEndpoint } from './jobs/deliver-endpoint.ts';
import { createTracker } from './tracker.ts';

const accountOf = (endpointId: string): string => endpointId.split('/')[0] ?? '';

/** Works on endpoints as the worker does, each until it is told to end. */
function createWorkplace(perAccount: number) {
  const working = new Map<string, Disposable>();
  const begun: string[] = [];
  const begin = (endpointId: string): void => {
    const slot = working.has(endpointId) ? undefined : slots.acquire(accountOf(endpointId), endpointId);
    if (slot === undefined) return slots.resumeNext();
    working.set(endpointId, slot);
    begun.push(endpointId);
  };
  const slots = createAccountSlots(perAccount, { resume: begin });
  const end = (endpointId: string): void => {
    working.get(endpointId)?.[Symbol.dispose]();
    if (working.delete(endpointId)) slots.resumeNext();
  };
  return { slots, working, begun, begin, end };
}

const endpoint = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9 })).map((ids) => ids.join('/'));
const moves = fc.array(fc.record({ kind: fc.constantFrom('begin', 'end'), endpoint }), { maxLength: 200 });

test('an account has its slots at most, nothing waits while nothing is worked on, and all that came is worked on', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), moves, (perAccount, all) => {
      const { slots, working, begun, begin, end } = createWorkplace(perAccount);
      const came = new Set<string>();
      for (const { kind, endpoint: id } of all) {
        if (kind === 'end') end(id);
        else begin(id);
        if (kind === 'begin') came.add(id);
        const counts = Map.groupBy(working.keys(), accountOf);
        for (const [, held] of counts) expect(held.length).toBeLessThanOrEqual(perAccount);
        expect(working.size).toBeLessThanOrEqual(2 * perAccount);
        if (working.size === 0) for (const one of came) expect(slots.isWaiting(one)).toBe(false);
      }
      while (working.size > 0) for (const id of Array.from(working.keys())) end(id);
      expect(new Set(begun)).toEqual(came);
    }),
  );
});

test('accounts that wait take turns, and the endpoints of each come in their order', () => {
  const { begun, begin, end } = createWorkplace(1);
  for (const id of ['a/1', 'b/1', 'a/2', 'a/3', 'b/2', 'b/3']) begin(id);
  expect(begun).toEqual(['a/1', 'b/1']);
  for (let i = 0; i < begun.length; i++) end(begun[i] ?? '');
  expect(begun).toEqual(['a/1', 'b/1', 'a/2', 'b/2', 'a/3', 'b/3']);
});

test('it is crowded from where the first account may find no slot', () => {
  const { slots, begin, begun } = createWorkplace(3);
  for (const id of ['a/1', 'a/2', 'a/3']) {
    expect(slots.isCrowded).toBe(false);
    begin(id);
  }
  expect(slots.isCrowded).toBe(true);
  begin('a/4');
  expect(begun).toHaveLength(3);
  expect([slots.isWaiting('a/4'), slots.isWaiting('a/5')]).toEqual([true, false]);
});

test('an endpoint whose turn comes while its job still gives back what it claimed is passed over, and resumed at the end', async () => {
  const tracker = createTracker();
  const { signal } = new AbortController();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const slots = createAccountSlots(1, {
    isActive: (id) => tracker.isActive(id),
    // As the reconciler: what somebody works on already needs nobody else.
    resume: (id) => void (tracker.isActive(id) || deliver(id, signal)),
  });
  const work: DeliverEndpoint = async (id) => {
    using slot = slots.acquire(accountOf(id), id);
    if (slot !== undefined) begun.push(id);
    await new Promise<void>((resolve) => ends.set(id, resolve));
  };
  const deliver = tracker.track(work, () => slots.resumeNext());
  const jobs = new Map(['a/1', 'a/2', 'a/3'].map((id) => [id, deliver(id, signal)]));
  const end = async (id: string) => {
    ends.get(id)?.();
    await jobs.get(id);
  };
  await end('a/3');
  await end('a/1');
  expect(begun).toEqual(['a/1', 'a/3']);
  ends.get('a/3')?.();
  await expect.poll(() => tracker.isActive('a/3')).toBe(false);
  expect(slots.isWaiting('a/2')).toBe(true);
  await end('a/2');
  expect(begun).toEqual(['a/1', 'a/3', 'a/2']);
  ends.get('a/2')?.();
});
