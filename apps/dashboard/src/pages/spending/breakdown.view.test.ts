// Risk: a line has the sums or the change of another, or opens other transactions than those it consists of.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { type Breakdown, breakdownLines, changeText, rowsOfLine, shareOf } from './breakdown.view.ts';

type Row = Breakdown['rows'][number];
const row = (fields: Partial<Row>) => partial<Row>({ name: null, compared_total_cents: null, ...fields });
const months = [{ month: '2026-09' }, { month: '2026-10' }];
const breakdown = (by: Breakdown['by'], rows: Row[], other: Breakdown['other'] = null) =>
  partial<Breakdown>({ by, rows, other, months, currency: 'USD', direction: 'out' });

test('lines have the names of their kind, exact sums, and the others as the last one', () => {
  const others = partial<NonNullable<Breakdown['other']>>({
    keys: 3,
    total_cents: 7,
    transactions: 4,
    compared_total_cents: null,
  });
  const rows = [
    row({ key: 'bank_fees', total_cents: 900, transactions: 2, compared_total_cents: 600 }),
    row({ key: null, total_cents: null, total_string: '90071992547409930', transactions: 1 }),
  ];
  expect(breakdownLines(breakdown('category', rows, others))).toEqual([
    { key: 'bank_fees', label: 'Bank fees', total: 900n, before: 600n, transactions: 2 },
    { key: null, label: 'Without a category', total: 90_071_992_547_409_930n, before: undefined, transactions: 1 },
    { key: undefined, label: '3 others', total: 7n, before: undefined, transactions: 4 },
  ]);
  const labels = (by: Breakdown['by'], of: Row[]) =>
    breakdownLines(breakdown(by, of), (id) => `account ${id}`).map(({ label }) => label);
  const named = row({ key: 'acme gmbh', name: 'Acme GmbH', total_cents: 1 });
  expect(labels('counterparty', [named, row({ key: null, total_cents: 1 })])).toEqual([
    'Acme GmbH',
    'Without a vendor',
  ]);
  expect(labels('connection', [row({ key: 'bank', total_cents: 1 })])).toEqual(['account bank']);
});

test.each([
  [5n, undefined, '–'],
  [5n, 0n, 'from 0'],
  [0n, 0n, '–'],
  [1000n, 1001n, '0 %'],
  [0n, 40n, '-100 %'],
  [119n, 100n, '+19 %'],
  [100_000n, 10n, '+999,900 %'],
])('%i after %s is a change of %s', (total, before, text) => expect(changeText(total, before)).toBe(text));

test.each([
  [1n, 3n, 33.33],
  [3n, 3n, 100],
  [0n, 3n, 0],
  [1n, 0n, 0],
  [4_500n, 46_030_060n, 0.01],
  [9_007_199_254_740_993n, 18_014_398_509_481_986n, 50],
])('%i of %i is %d percent', (part, whole, percent) => expect(shareOf(part, whole)).toBe(percent));

test.each([
  ['category', { key: 'rent' }, { category_key: 'rent' }],
  ['category', { key: null }, { category_key: 'NONE' }],
  ['counterparty', { key: 'acme', account: 'bank' }, { counterparty_key: 'acme', connection_id: 'bank' }],
  ['connection', { key: null }, { connection_id: 'none' }],
  ['category', {}, {}],
  ['category', { account: 'bank', countedAs: 'transfer' }, { connection_id: 'bank', countedAs: 'transfer' }],
] as const)('a line by %s of %j opens its transactions', (by, line, filters) => {
  expect(rowsOfLine({ breakdown: breakdown(by, []), ...line })).toEqual({
    months: ['2026-09', '2026-10'],
    currency: 'USD',
    direction: 'out',
    ...filters,
  });
});
