// Risk: a table is sorted other than its header says, or the address gives another order after a reload.
import { expect, test } from 'vitest';
import type { BreakdownLine } from './breakdown.view.ts';
import { pressed, searchOf, sorted, sortOf } from './sort.view.ts';

const line = (label: string, total: bigint, before: bigint | undefined, transactions: number): BreakdownLine => ({
  key: label,
  label,
  total,
  before,
  transactions,
});
const lines = [
  line('Rent', 900n, 900n, 1),
  line('ads', 500n, 20n, 9),
  line('Cloud', 300n, 1_000n, 4),
  line('Zoo', 100n, undefined, 2),
  { ...line('3 others', 950n, 0n, 20), key: undefined },
];

test.each([
  ['amount', undefined, 'Rent ads Cloud Zoo'],
  ['amount', 'asc', 'Zoo Cloud ads Rent'],
  ['name', undefined, 'ads Cloud Rent Zoo'],
  ['previous', undefined, 'Cloud Rent ads Zoo'],
  ['change', undefined, 'Cloud ads Rent Zoo'],
  ['rows', undefined, 'ads Cloud Zoo Rent'],
  ['nothing', 'sideways', 'Rent ads Cloud Zoo'],
])('by %s (%s) the order is %s, and the others are last', (sort, dir, labels) => {
  const order = sorted(lines, sortOf({ sort, dir }));
  expect(order.map(({ label }) => label).join(' ')).toBe(`${labels} 3 others`);
});

test('a second press on a header turns the order, and the address keeps it', () => {
  const first = pressed(sortOf({}), 'name');
  expect(first).toEqual({ by: 'name', direction: 'asc' });
  const second = pressed(first, 'name');
  expect(second).toEqual({ by: 'name', direction: 'desc' });
  for (const sort of [first, second, pressed(second, 'amount'), pressed(sortOf({}), 'amount')])
    expect(sortOf(searchOf(sort))).toEqual(sort);
  expect(searchOf(sortOf({}))).toEqual({ sort: undefined, dir: undefined });
});
