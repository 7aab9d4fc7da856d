// Risk: the totals above a list are not those of the figure that led to it.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import {
  averagedMonths,
  figureMonths,
  type TotalsInput,
  totalLines,
  transfersFilter,
} from './transaction-totals.view.ts';

type Total = TotalsInput['totals'][number];
const total = (currency: string, into: number, out: number) =>
  partial<Total>({ currency, transactions: 1, in_cents: into, out_cents: out, net_cents: into - out });
const ecb = { base: 'EUR', as_of: '2026-11-27', rates: { USD: '1.0842' } };
const linesOf = (change: Partial<TotalsInput>) =>
  totalLines({ totals: [], transfers: [], months: 1, rates: ecb, base: 'USD', today: '2026-11-28', ...change });

test('one currency is one line, and has no average within a month', () => {
  expect(linesOf({ totals: [total('USD', 29_725_046, 46_030_060)] })).toEqual([
    {
      currency: 'USD',
      isTotal: false,
      in: '29725046',
      out: '46030060',
      net: '-16305014',
      average: undefined,
      transfers: undefined,
    },
  ]);
});

test('several months have the average of a month, rounded half to even', () => {
  expect(linesOf({ totals: [total('USD', 0, 47_222_769)], months: 3 })).toMatchObject([{ average: '-15740923' }]);
  expect(linesOf({ totals: [total('USD', 5, 0)], months: 2 })).toMatchObject([{ average: '2' }]);
});

test('several currencies add up in the base currency while the rates are current', () => {
  const totals = [total('EUR', 0, 4_193_967), total('USD', 0, 16_305_014)];
  expect(linesOf({ totals })[2]).toMatchObject({ currency: 'USD', isTotal: true, net: '-20852113' });
  // The sum is divided before it is rounded.
  expect(linesOf({ totals: [total('EUR', 0, 1), total('USD', 0, 1)], months: 3 })[2]).toMatchObject({ average: '-1' });
  expect(linesOf({ totals, today: '2026-12-04' })).toHaveLength(3);
  expect(linesOf({ totals, today: '2026-12-05' })).toHaveLength(2);
  const [none, other]: [TotalsInput['rates'], TotalsInput['rates']] = [
    { base: null, as_of: null, rates: {} },
    { ...ecb, rates: { CHF: '1' } },
  ];
  for (const rates of [undefined, none, other]) expect(linesOf({ totals, rates })).toHaveLength(2);
});

test('a currency without money needs no rate, and amounts beyond the safe range are exact', () => {
  const large = partial<Total>({
    currency: 'USD',
    in_cents: null,
    in_string: '90071992547409930',
    out_cents: 0,
    net_cents: null,
    net_string: '90071992547409930',
  });
  expect(linesOf({ totals: [total('JPY', 0, 0), large] })[2]).toMatchObject({ net: '90071992547409930' });
});

test('transfers stand with their currency', () => {
  const lines = linesOf({ totals: [total('EUR', 5, 1), total('USD', 9, 7)], transfers: [total('USD', 4, 3)] });
  expect(lines.map(({ transfers }) => transfers)).toEqual([undefined, { in: '4', out: '3' }, undefined]);
});

test.each([
  [{ month: '2026-10' }, { first: '2026-10', last: '2026-10' }],
  [
    { month: '2026-08', month_to: '2026-10' },
    { first: '2026-08', last: '2026-10' },
  ],
  [{ month_to: '2026-10' }, undefined],
  [{ month: '2026-11', month_to: '2026-10' }, undefined],
  [{ month: '2026-1' }, undefined],
])('the months of %j are %j', (search, months) => expect(figureMonths(search)).toEqual(months));

test.each([
  [{}, 1],
  [{ month: '2026-10' }, 1],
  [{ month: '2026-08', month_to: '2026-10' }, 3],
  [{ month: '2025-11', month_to: '2026-10' }, 12],
  // The last month is not over, or has not begun.
  [{ month: '2026-09', month_to: '2026-11' }, 1],
  [{ month: '2026-09', month_to: '2026-12' }, 1],
  // The days cut the months.
  [{ month: '2026-08', month_to: '2026-10', posted_from: '2026-09-15' }, 1],
  [{ month: '2026-08', month_to: '2026-10', posted_to: '2026-09-15' }, 1],
])('the average of %j is over %i months', (search, months) => {
  expect(averagedMonths(search, '2026-11-28')).toBe(months);
});

test.each([
  [{}, undefined],
  [{ posted_from: '2026-07-01' }, undefined],
  [{ posted_from: '2026-07-01', posted_to: 'soon' }, undefined],
  [{ posted_from: '2024-07-01', posted_to: '2026-07-01' }, undefined],
  [{ month: '2026-10', counts: 'true' }, undefined],
  [{ month: '2026-10', counted_as: 'counted' }, undefined],
  [{ month: '2026-10' }, { month: '2026-10', month_to: '2026-10', counted_as: 'transfer' }],
  [
    { posted_from: '2026-07-15', posted_to: '2026-09-30' },
    { month: '2026-07', month_to: '2026-09', counted_as: 'transfer' },
  ],
])('the transfers of %j are selected by %j', (search, filter) => expect(transfersFilter(search)).toEqual(filter));
