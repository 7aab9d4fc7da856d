// Risk: the balance stack omits streams, adds excluded ones, or mixes currencies.
import { expect, test } from 'vitest';
import { balancesOf } from './balance-plot.view.ts';

type History = Parameters<typeof balancesOf>[0];
type Stream = History['streams'][number];

const stream = (
  id: string | null,
  cents: readonly number[],
  fields: Partial<Stream> = {},
  currency = 'USD',
): Stream => ({
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

const history = (streams: Stream[]): History => ({
  object: 'cash_history',
  company_id: 'co_1',
  from: '',
  to: '',
  lines: [],
  streams,
});
const nameOf = (id: string | null): string => id ?? 'Unassigned';

test('the largest stands first; what is left out or in another currency is not there', () => {
  const { series, rows } = balancesOf(
    history([
      stream('a', [100, 200]),
      stream(null, [-500, -900]),
      stream('gone', [7, 7], { excluded: 'user' }),
      stream('yen', [1, 1], {}, 'JPY'),
    ]),
    'USD',
    nameOf,
  );
  expect(series).toEqual(['Unassigned', 'a']);
  expect(rows.map(({ values }) => values)).toEqual([
    [-500, 100],
    [-900, 200],
  ]);
  expect(rows[1]?.figures).toEqual(['-$9.00', '$2.00', '-$7.00']);
});

test('a connection that ended keeps its days, and is told from the one that goes on under its name', () => {
  const old = stream('conn_1aaaa', [100], { excluded: 'disconnected' });
  const before = stream('conn_2bbbb', [], { excluded: 'disconnected' });
  const next = { ...stream('conn_3cccc', [0, 120]), points: stream('conn_3cccc', [0, 120]).points.slice(1) };
  const drawn = balancesOf(history([old, before, next]), 'USD', () => 'Checking');
  expect(drawn.series).toEqual(['Checking', 'Checking (disconnected)']);
  expect(drawn.rows.map(({ figures }) => figures.at(-1))).toEqual(['$1.00', '$1.20']);
  const twice = balancesOf(
    history([old, stream('conn_4dddd', [5], { excluded: 'disconnected' })]),
    'USD',
    () => 'Checking',
  );
  expect(twice.series).toEqual(['Checking (disconnected) aaaa', 'Checking (disconnected) dddd']);
});

test('beyond six streams the smallest are drawn as one, and nothing is lost', () => {
  const many = Array.from({ length: 9 }, (_, i) => stream(`s${i}`, [(i + 1) * 100]));
  const { series, rows } = balancesOf(history(many), 'USD', nameOf);
  expect(series).toEqual(['s8', 's7', 's6', 's5', 's4', 'Others']);
  expect(rows[0]?.values).toEqual([900, 800, 700, 600, 500, 1000]);
  expect(rows[0]?.figures.at(-1)).toBe('$45.00');
});

test('a stream that began later counts from then on', () => {
  const late = { ...stream('late', [0, 300]), points: stream('late', [0, 300]).points.slice(1) };
  expect(balancesOf(history([stream('a', [100, 100]), late]), 'USD', nameOf).rows[0]?.figures.at(-1)).toBe('$1.00');
});
