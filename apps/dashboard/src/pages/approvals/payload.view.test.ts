// Risk: a reviewer approves a value without seeing it, or reads an old value as the new one.
import { expect, test } from 'vitest';
import { payloadFields } from './payload.view.ts';

const linesOf = (payload: unknown) =>
  payloadFields(payload).map(({ label, value, before }) =>
    before === undefined ? `${label}: ${value}` : `${label}: ${before} → ${value}`,
  );

test('each value is a line with its label, and an amount has its currency', () => {
  expect(
    linesOf({
      vendorName: 'Studio Marlow',
      amount_cents: 4_820_000,
      currency: 'USD',
      urgent: true,
      memo: null,
      tags: ['rent', 7],
      bank: { iban: 'DE00', fee_cents: 150 },
    }),
  ).toEqual([
    'Vendor name: Studio Marlow',
    'Amount: $48,200.00',
    'Currency: USD',
    'Urgent: Yes',
    'Memo: –',
    'Tags: rent, 7',
    'Bank · IBAN: DE00',
    'Bank · Fee: $1.50',
  ]);
});

test.each([
  [{ old_iban: 'A', new_iban: 'B' }, ['IBAN: A → B']],
  [{ ibanNew: 'B', ibanOld: 'A' }, ['IBAN: A → B']],
  [{ old_to_address: 'A', new_to_address: 'B' }, ['To address: A → B']],
  [{ amount: { from: 5, to: 6 } }, ['Amount: 5 → 6']],
  [{ limit_cents: { before: 100, after: 250 }, currency: 'EUR' }, ['Limit: €1.00 → €2.50', 'Currency: EUR']],
  [
    { vendor: 'V', previous: { iban: 'A', bic: 'X' }, new: { iban: 'B', bic: 'X', country: 'DE' } },
    ['Vendor: V', 'IBAN: A → B', 'BIC: X', 'Country: DE'],
  ],
])('in %j the old and the new value are one line', (payload, lines) => {
  expect(linesOf(payload)).toEqual(lines);
});

test('a side without the other is a value of its own, and so is each end of a message', () => {
  expect(linesOf({ to: 'v@example.com', new_price: 5 })).toEqual(['To: v@example.com', 'New price: 5']);
  expect(linesOf({ from: 'a', to: 'b', text: 'c' })).toEqual(['From: a', 'To: b', 'Text: c']);
});

test.each([
  [{ from_account: 'A', to_account: 'B' }, ['From account: A', 'To account: B']],
  [{ valid_from: 'A', valid_to: 'B' }, ['Valid from: A', 'Valid to: B']],
  [{ old_iban: 'A', previous_iban: 'B', new_iban: 'C' }, ['Old IBAN: A', 'Previous IBAN: B', 'New IBAN: C']],
  [{ old: 'A', new: { iban: 'B' } }, ['Value: A → {"iban":"B"}']],
  [{ old: null, new: { limit_cents: 500_000, currency: 'USD' } }, ['Limit: $5,000.00', 'Currency: USD']],
  [{ old: { iban: 'A' }, new: { old_iban: 'B', new_iban: 'C' } }, ['Old IBAN: B', 'New IBAN: C', 'IBAN: A → –']],
])('in %j every value is shown', (payload, lines) => {
  expect(linesOf(payload)).toEqual(lines);
});

test('what a removed key held is not lost: its old value is shown', () => {
  expect(linesOf({ old: { iban: 'A', bic: 'X' }, new: { iban: 'B' } })).toEqual(['IBAN: A → B', 'BIC: X → –']);
});

test('a plain value, an empty object and what lies deep are shown as they are', () => {
  expect(linesOf('Pay')).toEqual(['Value: Pay']);
  expect(linesOf({})).toEqual(['Value: {}']);
  expect(linesOf({ a: { b: { c: { d: { e: 1 } } } } })).toEqual(['A · B · C · D: {"e":1}']);
  expect(linesOf({ rows: [{ a: 1 }] })).toEqual(['Rows: [{"a":1}]']);
});
