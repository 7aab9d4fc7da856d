// Risk: real spending is taken for a transfer, or a row is used up by two pairs.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairTransfers, type TransferSide } from './pair-transfers.ts';
import { reconcile } from './reconcile.ts';

const DAY = 86_400_000;
const side = (id: string, connectionId: string, day: number, amount: bigint, currency = 'USD'): TransferSide => ({
  id,
  connectionId,
  postedAt: day * DAY,
  amount,
  currency,
});
const idsOf = (rows: readonly TransferSide[]) => pairTransfers(rows).map((pair) => [pair.out.id, pair.in.id]);

test('opposite equal amounts of two streams within three days are a pair', () => {
  expect(idsOf([side('o', 'a', 1, -5n), side('i', 'b', 4, 5n)])).toEqual([['o', 'i']]);
  expect(idsOf([side('o', 'a', 4, -5n), side('i', 'b', 1, 5n)])).toEqual([['o', 'i']]);
});

test.each([
  ['the same stream', side('i', 'a', 1, 5n)],
  ['another currency', side('i', 'b', 1, 5n, 'EUR')],
  ['another amount', side('i', 'b', 1, 6n)],
  ['the same sign', side('i', 'b', 1, -5n)],
  ['more than three days', side('i', 'b', 4.001, 5n)],
])('%s is no pair', (_, other) => {
  expect(idsOf([side('o', 'a', 1, -5n), other])).toEqual([]);
});

test('each row is in one pair, the nearest first', () => {
  expect(idsOf([side('o1', 'a', 1, -5n), side('o2', 'a', 2, -5n), side('i1', 'b', 2, 5n)])).toEqual([['o1', 'i1']]);
  expect(idsOf([side('o', 'a', 2, -5n), side('far', 'b', 4, 5n), side('near', 'b', 2.5, 5n)])).toEqual([['o', 'near']]);
});

test('C47: pairs do not depend on the order of the rows', () => {
  const row = fc.record({
    connectionId: fc.constantFrom('a', 'b', 'c'),
    postedAt: fc.integer({ min: 0, max: 6 * DAY }),
    amount: fc.constantFrom(-2n, -1n, 1n, 2n),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      const sides = rows.map((item, i) => ({ ...item, id: `t${i}`, currency: 'USD' }));
      const pairs = pairTransfers(sides);
      expect(pairTransfers(sides.toReversed())).toEqual(pairs);
      const used = pairs.flatMap((pair) => [pair.out.id, pair.in.id]);
      expect(new Set(used).size).toBe(used.length);
      for (const pair of pairs) expect(pair.out.amount).toBe(-pair.in.amount);
    }),
  );
});

const interval = { connectionId: 'a', currency: 'USD', from: '2026-01-01', to: '2026-02-01' };

test.each([
  ['explained', 10_000n, 4_000n, -6_000n, 'pass', 0],
  ['within one percent', 1_000_000n, 990_000n, 0n, 'warn', -10_000],
  ['just one percent', 1_000_000n, 1_000_000n, -10_000n, 'pass', 10_000],
  ['a hundred cents of little', 0n, 100n, 0n, 'pass', 100],
  ['more than a hundred cents of little', 0n, 101n, 0n, 'warn', 101],
] as const)('reconciliation: %s', (_, opening, closing, posted, status, unexplained) => {
  expect(reconcile({ ...interval, opening, closing, posted })).toMatchObject({
    status,
    unexplained_cents: unexplained,
  });
});
