// Risk: a list is in another order than its header says, or a reload changes it.
import { expect, test } from 'vitest';
import { fileOrder, type ListOrder, nextOrder, orderOf, orderSearch } from './list-order.ts';

const sorts = ['posted_at', 'amount_cents'];

test.each([
  [{}, 'posted_at', true],
  [{ order: 'asc' }, 'posted_at', false],
  [{ sort: 'amount_cents' }, 'amount_cents', true],
  [{ sort: 'amount_cents', order: 'asc' }, 'amount_cents', false],
  [{ sort: 'unknown', order: 'unknown' }, 'posted_at', true],
])('the address %j names an order, and the order that address', (search, by, isDescending) => {
  const order = orderOf(sorts, search);
  expect(order).toEqual({ by, isDescending });
  expect(order && orderOf(sorts, orderSearch(sorts, order))).toEqual(order);
});

test('the default order is not in the address, and a list whose headers do not sort has none', () => {
  expect(orderSearch(sorts, { by: 'posted_at', isDescending: true })).toEqual({ sort: undefined, order: undefined });
  expect(orderOf([], { sort: 'amount_cents', order: 'asc' })).toBeUndefined();
});

test.each([
  [{ sort: 'amount_cents', order: 'asc' }, undefined],
  [{ sort: 'amount_cents' }, undefined],
  [{ order: 'asc' }, 'asc'],
  [{}, undefined],
])('a file of the list at %j has the default sort', (search, order) => {
  const shown = orderOf(sorts, search);
  expect(shown && fileOrder(sorts, shown)).toEqual({ sort: undefined, order });
});

test('a header sorts descending, then ascending, then by the default', () => {
  const press = (now: ListOrder, by: string, times: number): ListOrder =>
    times === 0 ? now : press(nextOrder(sorts, now, by), by, times - 1);
  const start = { by: 'posted_at', isDescending: true };
  const after = (by: string) => [1, 2, 3].map((times) => press(start, by, times));
  expect(after('amount_cents')).toEqual([
    { by: 'amount_cents', isDescending: true },
    { by: 'amount_cents', isDescending: false },
    start,
  ]);
  expect(after('posted_at')).toEqual([
    { by: 'posted_at', isDescending: false },
    start,
    { by: 'posted_at', isDescending: false },
  ]);
});
