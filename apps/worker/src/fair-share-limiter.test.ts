// Risk: one account takes all there is, or much stays unused though somebody wants it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairShareLimiter } from './fair-share-limiter.ts';

/** Units that each account holds when all of them take one by one, in turns, for as long as they may. */
function takeInTurns(total: number, accounts: readonly string[]) {
  const shares = createFairShareLimiter(total);
  for (let someMay = true; someMay; ) {
    const allowed = accounts.filter((account) => shares.allows(account, 1));
    someMay = allowed.length > 0;
    for (const account of allowed) if (shares.allows(account, 1)) shares.take(account, 1);
  }
  return { shares, held: accounts.map((account) => shares.heldBy(account)) };
}

test.each([
  [1, 100],
  [2, 67],
  [3, 50],
  [4, 40],
  [9, 20],
])('of 200 units %i accounts that want more have about %i each', (count, each) => {
  const { held } = takeInTurns(
    200,
    Array.from({ length: count }, (_, i) => `acct_${i}`),
  );
  for (const units of held) expect(Math.abs(units - each)).toBeLessThanOrEqual(1);
});

test('whoever comes next finds as much free as others have, but for one unit, however many came before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 400 }), fc.integer({ min: 1, max: 30 }), (total, count) => {
      const accounts = Array.from({ length: count }, (_, i) => `acct_${i}`);
      const { shares, held } = takeInTurns(total, accounts);
      expect(shares.free).toBeGreaterThanOrEqual(Math.min(...held) - 1);
      expect(shares.allows('acct_new', 1)).toBe(shares.free > 0);
      expect(shares.free + held.reduce((sum, units) => sum + units, 0)).toBe(total);
    }),
  );
});

test('what is given back is there again, and an account is forgotten with its last unit', () => {
  const shares = createFairShareLimiter(10);
  const [first, second] = [shares.take('acct_1', 2), shares.take('acct_1', 3)];
  expect([shares.heldBy('acct_1'), shares.free, shares.allows('acct_1', 1)]).toEqual([5, 5, false]);
  first[Symbol.dispose]();
  expect([shares.heldBy('acct_1'), shares.free, shares.allows('acct_1', 4)]).toEqual([3, 7, true]);
  second[Symbol.dispose]();
  expect([shares.heldBy('acct_1'), shares.free]).toEqual([0, 10]);
});
