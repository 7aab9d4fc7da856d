// Risk: a filter selects rows other than it says, or money out is stored as money in.
import { expect, test } from 'vitest';
import { carries, signedAmount, transactionFilters } from './transactions.view.ts';

const NEW_YORK = 'America/New_York';

test('days are whole days of the company, the last one included', () => {
  const { filters } = transactionFilters({ posted_from: '2026-03-01', posted_to: '2026-03-08' }, NEW_YORK, 'USD');
  // Clocks go forward on 8 March: the day ends an hour earlier in UTC.
  expect(filters).toMatchObject({ posted_from: '2026-03-01T05:00:00.000Z', posted_to: '2026-03-09T04:00:00.000Z' });
});

test('what is no day goes to the service as it is, which says what is wrong with it', () => {
  expect(transactionFilters({ posted_from: 'soon' }, 'UTC', 'USD').filters).toMatchObject({ posted_from: 'soon' });
});

test('amounts are minor units of the chosen currency, else of the company’s own, and select only its rows', () => {
  expect(transactionFilters({ min: '12.5', max: '-3' }, 'UTC', 'USD').filters).toMatchObject({
    min_amount_cents: 1250,
    max_amount_cents: -300,
    currency: 'USD',
  });
  expect(transactionFilters({ min: '1250', currency: 'jpy' }, 'UTC', 'USD')).toMatchObject({
    filters: { min_amount_cents: 1250, currency: 'jpy' },
    currency: 'JPY',
    faults: {},
  });
  expect(transactionFilters({}, 'UTC', 'USD').filters['currency']).toBeUndefined();
});

test('an amount that can’t be exact is a fault of its field, and filters nothing', () => {
  const { filters, faults } = transactionFilters({ min: '1.005', max: '2' }, 'UTC', 'USD');
  expect(faults).toEqual({ min: expect.stringContaining('2 digits') });
  expect(filters).toMatchObject({ min_amount_cents: undefined, max_amount_cents: 200 });
});

test.each([
  [{ amount: '12.50', currency: 'USD', direction: 'out' }, { cents: -1250 }],
  [{ amount: '12.50', currency: 'USD', direction: 'in' }, { cents: 1250 }],
  [{ amount: '0', currency: 'USD', direction: 'out' }, { cents: 0 }],
  [{ amount: '-12.50', currency: 'USD', direction: 'out' }, { fault: expect.stringContaining('without a sign') }],
  [{ amount: undefined, currency: 'USD', direction: 'out' }, { fault: 'Write the amount.' }],
])('%o is %o', (input, expected) => {
  expect(signedAmount(input)).toEqual(expected);
});

test('an event is that of a transaction only if it carries it', () => {
  expect(carries({ transactions: [{ id: 'txn_1' }, { id: 'txn_2' }] }, 'txn_2')).toBe(true);
  for (const data of [
    undefined,
    null,
    {},
    { transactions: 'txn_2' },
    { transactions: [null, 'txn_2', { id: 'txn_3' }] },
  ]) {
    expect(carries(data, 'txn_2')).toBe(false);
  }
});
