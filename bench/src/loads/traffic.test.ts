// Risk: traffic differs from its name (only updates, "new" rows that exist, rejected dates).
import { describe, expect, test } from 'vitest';
import { balancePost, batchRows, createBatches, transactionBatch } from './traffic.ts';

const companyIds = Array.from({ length: 10 }, (_, i) => `co_${i}`);
const keyOf = (series: number, n: number): string => {
  const { companyId, connection_id, as_of } = balancePost(companyIds, series, n);
  return `${companyId} ${connection_id} ${as_of}`;
};

describe('balance posts', () => {
  const keys = Array.from({ length: 4_000 }, (_, n) => keyOf(1, n));

  test('are new at every even number and repeat at every odd one', () => {
    const seen = new Set<string>();
    const isNew = keys.map((key) => !seen.has(key) && seen.add(key).size > 0);
    expect(isNew.filter((fresh, n) => n % 2 === 0 && !fresh)).toHaveLength(0);
    expect(isNew.filter((fresh, n) => n % 2 === 1 && fresh && n > 1)).toHaveLength(0);
  });

  test('spread evenly over the companies', () => {
    const counts = Object.values(Object.groupBy(keys, (key) => key.split(' ')[0] ?? '')).map((group) => group?.length);
    expect(counts).toHaveLength(companyIds.length);
    expect(Math.min(...counts.map(Number))).toBeGreaterThan(200);
  });

  test('of two series share no key', () => {
    const other = new Set(Array.from({ length: 4_000 }, (_, n) => keyOf(2, n)));
    expect(keys.filter((key) => other.has(key))).toHaveLength(0);
  });

  test('lie in the past', () => {
    const [latest] = Array.from({ length: 18 }, (_, series) => balancePost(companyIds, series, 15_998).as_of)
      .sort()
      .toReversed();
    expect(latest?.startsWith('202')).toBe(true);
    expect(String(latest) < '2025-01-01').toBe(true);
  });
});

test('batches are full, and no two share an external id', () => {
  const rows = [transactionBatch(1, 0), transactionBatch(1, 1), transactionBatch(2, 0)].flat();
  expect(new Set(rows.map(({ external_id }) => external_id)).size).toBe(3 * batchRows);
  expect(rows.every(({ posted_at }) => new Date(posted_at).getTime() < Date.UTC(2025, 0, 1))).toBe(true);
});

test('new batches never come again, and known ones are all made once before the clock runs', () => {
  const idOf = (_: string, [row]: readonly { external_id: string }[]): string => row?.external_id ?? '';
  const batchesOf = (what: 'new-batches' | 'known-batches') =>
    createBatches({ what, companyIds, series: 3 }, 100, idOf);
  const fresh = batchesOf('new-batches');
  expect(fresh.first).toBe(0);
  // More than are prepared for such a short load.
  expect(new Set(Array.from({ length: 40 }, (_, n) => fresh.requestOf(n))).size).toBe(40);
  const known = batchesOf('known-batches');
  const before = new Set(Array.from({ length: known.first }, (_, n) => known.requestOf(n)));
  expect(before.size).toBe(companyIds.length);
  expect(Array.from({ length: 40 }, (_, n) => known.requestOf(n)).every((id) => before.has(id))).toBe(true);
});
