// Risk: spending is treated as a transfer, or a row is in two pairs.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairBetween, pairTransfers, TRANSFER_MARGIN, type TransferSide } from './pair-transfers.ts';

const DAY = 86_400_000;
const side = (id: string, connectionId: string, day: number, amount: bigint, currency = 'USD'): TransferSide => ({
  id,
  connectionId,
  postedAt: day * DAY,
  amount,
  currency,
});
const idsOf = (rows: readonly TransferSide[]) => pairTransfers(rows).map((pair) => [pair.out.id, pair.in.id]);

test('opposite equal amounts of two series within five days are a pair', () => {
  expect(idsOf([side('o', 'a', 1, -5n), side('i', 'b', 6, 5n)])).toEqual([['o', 'i']]);
  expect(idsOf([side('o', 'a', 6, -5n), side('i', 'b', 1, 5n)])).toEqual([['o', 'i']]);
});

test.each([
  ['the same series', side('i', 'a', 1, 5n)],
  ['another currency', side('i', 'b', 1, 5n, 'EUR')],
  ['another amount', side('i', 'b', 1, 6n)],
  ['the same sign', side('i', 'b', 1, -5n)],
  ['more than five days', side('i', 'b', 6.001, 5n)],
])('%s is no pair', (_, other) => {
  expect(idsOf([side('o', 'a', 1, -5n), other])).toEqual([]);
});

test('each row is in one pair, the nearest first', () => {
  expect(idsOf([side('o1', 'a', 1, -5n), side('o2', 'a', 2, -5n), side('i1', 'b', 2, 5n)])).toEqual([['o1', 'i1']]);
  expect(idsOf([side('o', 'a', 2, -5n), side('far', 'b', 4, 5n), side('near', 'b', 2.5, 5n)])).toEqual([['o', 'near']]);
});

test('pairs do not depend on the order of the rows', () => {
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

/** The documented rule in plain code. */
function pairOneByOne(rows: readonly TransferSide[]): string[][] {
  const inOrder = rows.toSorted((a, b) => a.postedAt - b.postedAt || (a.id < b.id ? -1 : 1));
  const free = new Set(inOrder.filter(({ amount }) => amount > 0n));
  return inOrder.flatMap((out) => {
    const distance = (other: TransferSide): number => Math.abs(other.postedAt - out.postedAt);
    const [nearest] = [...free]
      .filter(({ amount, connectionId }) => amount === -out.amount && connectionId !== out.connectionId)
      .filter((other) => other.currency === out.currency && distance(other) <= 5 * DAY)
      .sort((a, b) => distance(a) - distance(b));
    if (!nearest) return [];
    free.delete(nearest);
    return [[out.id, nearest.id]];
  });
}

test('money out, in order of time, takes the nearest free money in, however many there are', () => {
  const row = fc.record({
    connectionId: fc.constantFrom('a', 'a', 'a', 'b', 'c'),
    postedAt: fc.oneof(
      fc.nat(16).map((day) => day * DAY),
      fc.nat(16 * DAY),
    ),
    amount: fc.constantFrom(-2n, -1n, 1n, 2n),
    currency: fc.constantFrom('USD', 'USD', 'EUR'),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
      const sides = rows.map((item, i) => ({ ...item, id: `t${(i * 7) % 60}` }));
      expect(idsOf(sides)).toEqual(pairOneByOne(sides));
    }),
    { numRuns: 1_000 },
  );
});

test('whichever months are read, the pairs of a month are the same, and no row is in two', () => {
  const bounds = [30, 58, 89, 119].map((day) => day * DAY);
  const row = fc.record({
    connectionId: fc.constantFrom('a', 'b', 'c'),
    postedAt: fc.oneof(
      fc.nat(140 * 4).map((quarters) => (quarters * DAY) / 4),
      // Most chains that the end of a month cuts are near it.
      fc.integer({ min: -40, max: 40 }).map((quarters) => 58 * DAY + (quarters * DAY) / 4),
    ),
    amount: fc.constantFrom(-1n, 1n),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 20, maxLength: 120 }), (rows) => {
      const sides = rows.map((item, i) => ({ ...item, id: `t${i}`, currency: 'USD' }));
      const all = pairBetween(sides, bounds);
      const used = all.flatMap((pair) => [pair.out, pair.in]);
      expect(new Set(used).size).toBe(used.length);
      for (const [i, to] of bounds.slice(1).entries()) {
        const from = bounds[i] ?? to;
        const touches = ({ postedAt }: TransferSide) => postedAt >= from && postedAt < to;
        const near = sides.filter(
          ({ postedAt }) => postedAt >= from - TRANSFER_MARGIN && postedAt < to + TRANSFER_MARGIN,
        );
        const inMonth = (pairs: typeof all) => pairs.filter((pair) => touches(pair.out) || touches(pair.in));
        expect(inMonth(pairBetween(near, [from, to]))).toEqual(inMonth(all));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('the end of a month neither cuts a pair nor makes one', () => {
  const [from, to] = [0, 31 * DAY];
  const pairsOf = (rows: readonly TransferSide[]) =>
    pairBetween(rows, [from, to]).map((pair) => [pair.out.id, pair.in.id]);
  expect(pairsOf([side('o', 'a', 29, -5n), side('i', 'b', 33, 5n)])).toEqual([['o', 'i']]);
  expect(pairsOf([side('o', 'a', 29, -5n), side('i', 'b', 35, 5n)])).toEqual([]);
  const nearer = [side('o', 'a', 30, -5n), side('i', 'b', 30.5, 5n), side('later', 'b', 31.5, 5n)];
  expect(pairsOf(nearer)).toEqual([['o', 'i']]);
});

test('the work for rows of one amount grows with their number, not with its square', () => {
  const readsOf = (count: number, series: readonly string[]): number => {
    let reads = 0;
    const rows = Array.from({ length: count }, (_, i) => ({
      ...side(`t${i}`, series[i % series.length] ?? '', 0, i % 2 === 0 ? -5n : 5n),
      get postedAt() {
        reads++;
        return i * 1_000;
      },
    }));
    pairTransfers(rows);
    return reads;
  };
  for (const series of [['a'], ['a', 'b'], ['a', 'b', 'b', 'a']]) {
    expect(readsOf(8_000, series), series.join()).toBeLessThan(12 * readsOf(1_000, series));
  }
});
