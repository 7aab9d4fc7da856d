// Risk: slow receivers of one account or endpoint take all connections to a host.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConnectionShares, type Owner } from './connection-shares.ts';

const owner = (accountId: string, endpoint = 'e'): Owner => ({ accountId, endpointId: `${accountId}/${endpoint}` });

/** Shares of `limit`, and the order in which waiters got one. */
function scene(limit = 16) {
  const shares = new ConnectionShares(limit, (serve) => serve());
  const turns: string[] = [];
  const wait = (of: Owner) => shares.wait(of, () => void turns.push(of.endpointId));
  const takeAll = (of: Owner) => {
    let taken = 0;
    while (shares.tryAcquire(of)) taken += 1;
    return taken;
  };
  return { shares, turns, wait, takeAll };
}

test('an account alone gets half, and the next one half of what is left, at once', () => {
  const { takeAll } = scene();
  expect(takeAll(owner('a'))).toBe(8);
  expect(takeAll(owner('b'))).toBe(4);
  expect(takeAll(owner('c'))).toBe(2);
});

test('an endpoint that holds a quarter gets no more while another endpoint waits', () => {
  const { shares, turns, wait } = scene();
  const slow = owner('a', 'slow');
  const fast = owner('a', 'fast');
  for (let count = 0; count < 8; count += 1) expect(shares.tryAcquire(slow)).toBe(true);
  for (let count = 0; count < 6; count += 1) wait(slow);
  for (let count = 0; count < 3; count += 1) wait(fast);
  for (let count = 0; count < 5; count += 1) shares.release(slow);
  // The fast one holds three of eight. Then the slow one, which waited longer, gets its quarter and more.
  expect(turns).toEqual(['a/fast', 'a/fast', 'a/fast', 'a/slow', 'a/slow']);
});

test('those that may have one get it in the order in which they came', () => {
  const { shares, turns, wait, takeAll } = scene();
  const first = owner('a', 'first');
  takeAll(first);
  takeAll(owner('b'));
  wait(owner('a', 'x'));
  wait(owner('a', 'y'));
  wait(owner('a', 'x'));
  for (let count = 0; count < 8; count += 1) shares.release(first);
  expect(turns).toEqual(['a/x', 'a/y', 'a/x']);
});

test('the endpoint and the account that hold the fewest are first, however long others wait', () => {
  const { shares, turns, wait } = scene();
  const slow = Array.from({ length: 4 }, (_, i) => owner('a', `slow-${i}`));
  for (const one of [...slow, ...slow]) shares.tryAcquire(one);
  for (let count = 0; count < 4; count += 1) shares.tryAcquire(owner('b', 'slow'));
  for (let count = 0; count < 10; count += 1) for (const one of slow) wait(one);
  wait(owner('a', 'fast'));
  wait(owner('b', 'fast'));
  for (const one of slow.slice(0, 3)) shares.release(one);
  expect(turns).toEqual(['b/fast', 'a/fast']);
});

test('an account whose endpoints hold all they may leaves connections to the one that comes next', () => {
  const { shares, turns, wait } = scene();
  for (let count = 0; count < 8; count += 1) expect(shares.tryAcquire(owner('a', `slow-${count}`))).toBe(true);
  for (let count = 0; count < 40; count += 1) {
    expect(shares.tryAcquire(owner('a', `slow-${count}`))).toBe(false);
    wait(owner('a', `slow-${count}`));
  }
  expect(shares.tryAcquire(owner('b', 'fast'))).toBe(true);
  shares.release(owner('b', 'fast'));
  expect(turns).toEqual([]);
});

test('one that waits no more gets none, and those it held back go on', () => {
  const { shares, turns, wait } = scene();
  const slow = owner('a', 'slow');
  const other = owner('b', 'other');
  for (let count = 0; count < 4; count += 1) shares.tryAcquire(slow);
  for (let count = 0; count < 4; count += 1) shares.tryAcquire(owner('b', 'x'));
  for (let count = 0; count < 2; count += 1) shares.tryAcquire(owner('b', 'y'));
  const end = wait(other);
  wait(slow);
  expect(turns).toEqual([]);
  end();
  end();
  expect(turns).toEqual(['a/slow']);
});

test('a single connection goes from one to the next', () => {
  const { shares, turns, wait } = scene(1);
  expect(shares.tryAcquire(owner('a'))).toBe(true);
  expect(shares.tryAcquire(owner('b'))).toBe(false);
  wait(owner('b'));
  wait(owner('a'));
  shares.release(owner('a'));
  shares.release(owner('b'));
  expect(turns).toEqual(['b/e', 'a/e']);
  shares.release(owner('a'));
  expect(shares.isUnused).toBe(true);
});

type Step = { readonly kind: 'ask' | 'give' | 'end'; readonly of: Owner; readonly which: number };

test('whatever is asked and given back: the limit and the halves hold, nobody is forgotten, and all ends', () => {
  const owners = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 'z')).map(([a, e]) => owner(a, e));
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('ask', 'ask', 'give', 'end'),
    of: owners,
    which: fc.nat(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 80 }), (limit, steps) => {
      const shares = new ConnectionShares(limit, (serve) => serve());
      const held: Owner[] = [];
      const waiting = new Map<number, () => void>();
      const check = (): void => {
        expect(held.length).toBeLessThanOrEqual(limit);
        for (const account of ['a', 'b', 'c']) {
          const own = held.filter(({ accountId }) => accountId === account).length;
          expect(own).toBeLessThanOrEqual(Math.max(1, Math.ceil(limit / 2)));
        }
      };
      for (const [index, { kind, of, which }] of steps.entries()) {
        if (kind === 'ask') {
          if (shares.tryAcquire(of)) held.push(of);
          else
            waiting.set(
              index,
              shares.wait(of, () => void (waiting.delete(index) && held.push(of))),
            );
        } else if (kind === 'give' && held.length > 0) {
          for (const one of held.splice(which % held.length, 1)) shares.release(one);
        } else if (kind === 'end' && waiting.size > 0) {
          const [key, end] = [...waiting][which % waiting.size] ?? [];
          if (key !== undefined) waiting.delete(key);
          end?.();
        }
        check();
      }
      while (held.length > 0) {
        for (const one of held.splice(0, 1)) shares.release(one);
        check();
      }
      expect(waiting.size).toBe(0);
      expect(shares.isUnused).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
