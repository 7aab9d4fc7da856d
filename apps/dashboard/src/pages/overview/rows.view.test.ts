// Risk: a figure opens other rows than those it consists of.
import { expect, test } from 'vitest';
import { balanceSearch, lastDayOf, transactionSearch } from './rows.view.ts';

test.each([
  [['2026-02'], { month: '2026-02' }],
  [['2025-12', '2026-01', '2026-02'], { month: '2025-12', month_to: '2026-02' }],
])('the rows of %j are those that count in these months', (months, range) => {
  const rows = { months, currency: 'USD', direction: 'out' } as const;
  const search = { ...range, counts: 'true', currency: 'USD', direction: 'out' };
  expect(transactionSearch(rows)).toEqual(search);
  const { direction: _, ...both } = search;
  expect(transactionSearch({ months, currency: 'USD' })).toEqual(both);
  expect(transactionSearch({ ...rows, leftOut: true })).toEqual({ ...search, counts: 'false' });
  const keyed = { category_key: 'rent', connection_id: 'none' };
  expect(transactionSearch({ ...rows, ...keyed, countedAs: 'transfer' })).toEqual({
    ...range,
    currency: 'USD',
    direction: 'out',
    ...keyed,
    counted_as: 'transfer',
  });
});

test('without a month all rows are opened', () => expect(transactionSearch({ months: [] })).toEqual({}));

test.each([
  ['2024-02', '2024-02-29'],
  ['2026-12', '2026-12-31'],
])('the last day of %s is %s', (month, day) => expect(lastDayOf(month)).toBe(day));

test('the balances of a month are the newest of each account on its last day, else those of today', () => {
  expect(balanceSearch({ currency: 'EUR', until: '2026-02' })).toEqual({
    latest: 'true',
    as_of_to: '2026-02-28',
    currency: 'EUR',
  });
  expect(balanceSearch({})).toEqual({ latest: 'true' });
});
