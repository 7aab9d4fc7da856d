// Risk: the balance stack omits series, adds excluded ones, or mixes currencies.
import { expect, test } from 'vitest';
import { partial } from '../../../test/partial.ts';
import { balancesOf } from './balance-plot.view.ts';
import type { PlotRow } from './plot.tsx';

type History = Parameters<typeof balancesOf>[0];
type Series = History['streams'][number];

const series = (
  id: string | null,
  cents: readonly number[],
  fields: Partial<Series> = {},
  currency = 'USD',
): Series => ({
  connection_id: id,
  excluded: null,
  points: cents.map((balance_cents, i) => ({
    date: `2026-03-0${i + 1}`,
    as_of: `2026-03-0${i + 1}`,
    balance_cents,
    currency,
  })),
  ...fields,
});

const history = (streams: Series[]) => partial<History>({ streams });
const figuresOf = (row: PlotRow | undefined) => row?.tip.map(([, figure]) => figure);
const nameOf = (id: string | null): string => id ?? 'Unassigned';

test('the largest is first; excluded series and other currencies are left out', () => {
  const { names, rows } = balancesOf(
    history([
      series('a', [100, 200]),
      series(null, [-500, -900]),
      series('gone', [7, 7], { excluded: 'user' }),
      series('yen', [1, 1], {}, 'JPY'),
    ]),
    'USD',
    nameOf,
  );
  expect(names).toEqual(['Unassigned', 'a']);
  expect(rows.map(({ values }) => values)).toEqual([
    [-500, 100],
    [-900, 200],
  ]);
  expect(figuresOf(rows[1])).toEqual(['-$9.00', '$2.00', '-$7.00']);
});

test('a disconnected connection keeps its days, and is named apart from the one that replaces it', () => {
  const old = series('conn_1aaaa', [100], { excluded: 'disconnected' });
  const before = series('conn_2bbbb', [], { excluded: 'disconnected' });
  const next = { ...series('conn_3cccc', [0, 120]), points: series('conn_3cccc', [0, 120]).points.slice(1) };
  const drawn = balancesOf(history([old, before, next]), 'USD', () => 'Checking');
  expect(drawn.names).toEqual(['Checking', 'Checking (disconnected)']);
  expect(drawn.rows.map((row) => figuresOf(row)?.at(-1))).toEqual(['$1.00', '$1.20']);
  const twice = balancesOf(
    history([old, series('conn_4dddd', [5], { excluded: 'disconnected' })]),
    'USD',
    () => 'Checking',
  );
  expect(twice.names).toEqual(['Checking (disconnected) aaaa', 'Checking (disconnected) dddd']);
});

test('beyond six series the smallest are drawn as one, and nothing is lost', () => {
  const many = Array.from({ length: 9 }, (_, i) => series(`s${i}`, [(i + 1) * 100]));
  const { names, rows } = balancesOf(history(many), 'USD', nameOf);
  expect(names).toEqual(['s8', 's7', 's6', 's5', 's4', 'Others']);
  expect(rows[0]?.values).toEqual([900, 800, 700, 600, 500, 1000]);
  expect(figuresOf(rows[0])?.at(-1)).toBe('$45.00');
});

test('a series counts from its first balance on', () => {
  const late = { ...series('late', [0, 300]), points: series('late', [0, 300]).points.slice(1) };
  const { rows } = balancesOf(history([series('a', [100, 100]), late]), 'USD', nameOf);
  expect(figuresOf(rows[0])?.at(-1)).toBe('$1.00');
});
