// Risk: an amount is in another month's column, or an unknown one looks like zero.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { percentText, statementLines, wholeUnits } from './statements.view.ts';

type Statements = Parameters<typeof statementLines>[0];
type Row = Statements['rows'][number];

const months = ['2026-09', '2026-10'].map((month) => ({ month, snapshot_id: null, derived: null }));
const row = (key: string, fields: Partial<Row> = {}): Row => ({
  key,
  label: '',
  is_total: false,
  indent: 0,
  months: [{ month: '2026-10', amount_cents: 500 }],
  year_to_date_cents: null,
  ...fields,
});
const statements = (rows: Row[]) => partial<Statements>({ months, rows });

test('an amount stands in the column of its month, and a month without the row is empty', () => {
  const [line] = statementLines(statements([row('gross_profit')])).lines;
  expect(line?.label).toBe('Gross profit');
  expect(line?.amounts.map((amount) => wholeUnits(amount, 'USD'))).toEqual(['–', '5']);
  expect(line && wholeUnits(line.yearToDate, 'USD')).toBe('–');
});

test.each([
  [10, 4, 14, 0],
  [30, 4, 4, 30],
])('of %i nested rows and %i totals %i are shown', (nested, totals, shown, hidden) => {
  const rows = [
    ...Array.from({ length: nested }, (_, i) => row(`line${i}`, { indent: 1 })),
    ...Array.from({ length: totals }, (_, i) => row(`total${i}`, { is_total: true })),
  ];
  const table = statementLines(statements(rows));
  expect([table.lines.length, table.hidden]).toEqual([shown, hidden]);
});

test.each([
  [1_234_549, 'USD', '12,345'],
  [-1_234_550, 'USD', '-12,346'],
  [-49, 'USD', '0'],
  [1_234, 'JPY', '1,234'],
])('%i minor units of %s are shown as %s', (cents, currency, text) => {
  expect(wholeUnits({ cents, digits: undefined }, currency)).toBe(text);
});

test('an amount beyond 2^53 keeps its digits', () => {
  expect(wholeUnits({ cents: null, digits: '1801439850948198200' }, 'USD')).toBe('18,014,398,509,481,982');
});

test('an unknown percentage is not zero', () => {
  expect([percentText(72.5), percentText(-3), percentText(null)]).toEqual(['72.5 %', '-3.0 %', '–']);
});
