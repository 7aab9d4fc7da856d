// Risk: a filter selects rows other than it says, or money out is stored as money in.
import { expect, test } from 'vitest';
import { joinValues } from '../../lib/several.ts';
import {
  carries,
  countedAsText,
  filteredText,
  filterOf,
  noMatchText,
  postedText,
  signedAmount,
  sumsOf,
  transactionQuery,
} from './transactions.view.ts';

const NEW_YORK = 'America/New_York';

test('days are whole days of the company, the last one included', () => {
  const query = transactionQuery({ posted_from: '2026-03-01', posted_to: '2026-03-08' }, NEW_YORK, 'USD');
  // Clocks go forward on 8 March: the day ends an hour earlier in UTC.
  expect(query).toMatchObject({ posted_from: '2026-03-01T05:00:00.000Z', posted_to: '2026-03-09T04:00:00.000Z' });
});

test('an invalid day is sent unchanged, and amounts are minor units of one currency', () => {
  expect(transactionQuery({ posted_from: 'soon', min: '12.5', max: '1.005' }, 'UTC', 'USD')).toMatchObject({
    posted_from: 'soon',
    min_amount_cents: 1250,
    max_amount_cents: undefined,
    currency: 'USD',
  });
});

test.each([
  [{ amount: '12.50', currency: 'USD', direction: 'out' }, { cents: -1250 }],
  [{ amount: '12.50', currency: 'USD', direction: 'in' }, { cents: 1250 }],
  [{ amount: '0', currency: 'USD', direction: 'out' }, { cents: 0 }],
  [{ amount: '-12.50', currency: 'USD', direction: 'out' }, { fault: expect.stringContaining('without a sign') }],
  [{ amount: undefined, currency: 'USD', direction: 'out' }, { fault: 'Enter an amount.' }],
])('%o is %o', (input, expected) => {
  expect(signedAmount(input)).toEqual(expected);
});

test('an event belongs to a transaction only if its data contains the transaction', () => {
  expect(carries({ transactions: [{ id: 'txn_1' }, { id: 'txn_2' }] }, 'txn_2')).toBe(true);
  for (const data of [
    undefined,
    null,
    {},
    { transactions: 'txn_2' },
    { transactions: [null, 'txn_2', { id: 'txn_3' }] },
  ])
    expect(carries(data, 'txn_2')).toBe(false);
});

test('a bulk change uses the filters that are set, and requires one', () => {
  const search = { q: 'rent', posted_to: '2026-03-08', min: '12.5', order: 'asc', sort: 'amount_cents', open: 'txn_1' };
  expect(filterOf(search, NEW_YORK, 'USD')).toEqual({
    q: 'rent',
    posted_to: '2026-03-09T04:00:00.000Z',
    min_amount_cents: 1250,
    currency: 'USD',
  });
  const none = { order: 'asc', sort: 'amount_cents', open: 'txn_1' };
  expect(filterOf(none, NEW_YORK, 'USD')).toBeUndefined();
});

test('several categories and accounts are lists, in the list and in a bulk change', () => {
  const search = { category: joinValues(['rent', 'Rent, office']), connection_id: 'none' };
  const lists = { categories: ['rent', 'Rent, office'], connection_ids: ['none'] };
  expect(transactionQuery(search, NEW_YORK, 'USD')).toMatchObject({ ...lists, category: undefined });
  expect(filterOf(search, NEW_YORK, 'USD')).toEqual(lists);
});

test.each([
  ['travel', 'travel', 'posted', undefined],
  ['travel', 'travel', 'person', undefined],
  ['meals', 'travel', 'person', 'As posted: travel'],
  ['meals', null, 'person', 'Posted without a category'],
  ['meals', 'travel', 'rule', 'Set by a rule. As posted: travel'],
] as const)('%s, posted as %s, by a %s: %s', (category, posted_category, category_reason, text) => {
  expect(postedText({ category, posted_category, category_reason })).toBe(text);
});

test('what matched nothing is explained by the filters that are set', () => {
  expect(noMatchText({ q: 'x', category: 'rent' })).not.toContain('exactly');
  expect(noMatchText({ q: 'x' })).toContain('“x” looks in descriptions');
  expect(noMatchText({ source: 'api' })).toContain('exactly');
  expect(noMatchText({ direction: 'in' })).toBe('Clear the filters to see all.');
});

test('the sum of selected rows is exact and by currency', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const row = (amount_cents: number, currency = 'USD') => ({ amount_cents, currency });
  expect(sumsOf([row(most), row(most), row(-5, 'EUR')])).toEqual([
    { currency: 'USD', cents: '18014398509481982' },
    { currency: 'EUR', cents: '-5' },
  ]);
  expect(sumsOf([])).toEqual([]);
});

test.each([
  [{ flow_class: 'counted', flow_reason: 'default', paired_with: null }, 'Counted'],
  [{ flow_class: 'transfer', flow_reason: 'pair', paired_with: 'txn_1' }, 'Transfer (matched pair)'],
  [{ flow_class: 'excluded', flow_reason: 'large_inflow', paired_with: null }, 'Excluded (large inflow)'],
  [null, 'Not counted'],
] as const)('a row that is %j in the figures is %s', (counted_as, text) => {
  expect(countedAsText({ counted_as })).toBe(text);
});

test('a change of the filtered transactions says how many it concerns', () => {
  expect(filteredText(1_200)).toMatch(/^Changes all 1,200 transactions that match the filters, not only the rows/);
  expect(filteredText(1)).toMatch(/^Changes the one transaction that matches the filters, /);
});
