// Risk: a line has the change of another, or what is not among the largest is lost from the sum.
import { expect, test } from 'vitest';
import { partial } from '../../../test/partial.ts';
import type { Breakdown } from '../../spending/breakdown.view.ts';
import { spendLines } from './spend.view.ts';

type Row = Breakdown['rows'][number];

const MOST = 7;
const row = (key: string | null, total_cents: number, compared_total_cents: number | null = 0) =>
  partial<Row>({ key, name: null, total_cents, compared_total_cents });
const breakdown = (rows: Row[], other: Breakdown['other'] = null) =>
  partial<Breakdown>({ by: 'category', rows, other });
const told = (given: Breakdown) =>
  spendLines(given, MOST).map(({ label, total, change }) => [label, total.digits, change]);

test('each line has its name, its sum and its change; one that has no money now is not a line', () => {
  expect(told(breakdown([row('bank_fees', 900, 600), row(null, 80, 100), row('gone', 0, 5)]))).toEqual([
    ['Bank fees', '900', '+50 %'],
    ['Without a category', '80', '-20 %'],
  ]);
});

test('all beyond the seven largest is one line, with the others of the service', () => {
  const rows = Array.from({ length: 9 }, (_, i) => row(`c${i}`, 900 - i, 100));
  const other = partial<NonNullable<Breakdown['other']>>({ keys: 3, total_cents: 50, compared_total_cents: 0 });
  const lines = told(breakdown(rows, other));
  expect(lines).toHaveLength(8);
  expect(lines.at(-1)).toEqual(['5 others', String(893 + 892 + 50), '+818 %']);
  expect(spendLines(breakdown(rows, other), MOST)[0]?.share).toBe(100);
});
