// Risk: the sentence tells another change than the figures, or a comparison that is not known.
import { expect, test } from 'vitest';
import type { Outputs } from '../../lib/trpc.ts';
import { partial } from '../../test/partial.ts';
import type { Breakdown } from './breakdown.view.ts';
import { monthsToTell, spendingHeadline, toldMoney } from './headline.view.ts';

type Monthly = Outputs['financials']['monthly'];
type Flow = Monthly['months'][number]['flows'][number];

const TODAY = '2026-11-28';

interface Told {
  total: number;
  /** Null if it is not known, undefined without a comparison. */
  before?: number | null;
  month?: string;
  vendors?: ReadonlyArray<readonly [key: string | null, total: number, before: number | null]>;
  elsewhere?: Monthly['months'];
}

function headline({ total, before, month = '2026-10', vendors = [], elsewhere }: Told): string {
  const compared = before === undefined ? null : '2026-09';
  const breakdown = partial<Breakdown>({
    by: 'counterparty',
    currency: 'USD',
    compared_from: compared,
    compared_to: compared,
    total_cents: total,
    compared_total_cents: before ?? null,
    months: [{ month, partial: month === TODAY.slice(0, 7) }],
    rows: vendors.map(([key, total_cents, compared_total_cents]) => ({
      key,
      name: key,
      total_cents,
      compared_total_cents,
    })),
    other: null,
  });
  return spendingHeadline(breakdown, TODAY, elsewhere && { months: elsewhere });
}

test.each<[string, Told]>([
  ['You spent $453,468 in October.', { total: 45_346_792 }],
  ['You spent $453,468 in October, $12,934 less than in September.', { total: 45_346_792, before: 46_640_159 }],
  ['You spent $453,468 in October, $12,934 more than in September.', { total: 45_346_792, before: 44_053_425 }],
  ['You spent $5.00 in October, as much as in September.', { total: 500, before: 500 }],
  ['You spent $5.00 in October and nothing in September.', { total: 500, before: 0 }],
  ['No money went out in October, $5.00 less than in September.', { total: 0, before: 500 }],
  ['No money went out in October, as much as in September.', { total: 0, before: 0 }],
  ['No money went out in October.', { total: 0 }],
  [
    'You spent $5.00 in October. The data in September is incomplete, so there is no comparison.',
    { total: 500, before: null },
  ],
  ['You have spent $5.00 so far in November.', { total: 500, month: '2026-11' }],
  [
    'You have spent $5.00 so far in November.',
    { total: 500, before: 900, month: '2026-11', vendors: [['Acme', 5, 1]] },
  ],
  ['No money has gone out so far in November.', { total: 0, month: '2026-11' }],
])('%s', (text, told) => expect(headline(told)).toBe(text));

test.each<[string, Told['vendors']]>([
  [
    ' Anthropic grew by $5,422 (+19 %).',
    [
      ['Anthropic', 3_395_900, 2_853_700],
      ['Landlord', 900_000, 800_000],
    ],
  ],
  [' Acme was paid $20.00, and nothing in September.', [['Acme', 2_000, 0]]],
  // A bill of each quarter is no growth.
  [
    ' Of the vendors also paid in September, Landlord grew most: by $10.00 (+1 %).',
    [
      ['Acme', 900_000, 0],
      ['Landlord', 101_000, 100_000],
    ],
  ],
  [
    '',
    [
      ['Acme', 2_000, 2_000],
      ['Landlord', 10, 20],
    ],
  ],
  // Rows without a vendor are none, and what is not known did not grow.
  [
    '',
    [
      [null, 2_000, 0],
      ['Acme', 2_000, null],
    ],
  ],
])('the vendor that grew most is named:%s', (text, vendors = []) => {
  expect(headline({ total: 500, before: 500, vendors })).toBe(
    `You spent $5.00 in October, as much as in September.${text}`,
  );
});

test('currencies in which money went out in these months are named, because the sum leaves them out', () => {
  const flow = (currency: string, money_out_cents: number) => partial<Flow>({ currency, money_out_cents });
  const month = (name: string, ...flows: Flow[]) => partial<Monthly['months'][number]>({ month: name, flows });
  const told = (...elsewhere: Monthly['months']) => headline({ total: 500, elsewhere });
  expect(told(month('2026-10', flow('USD', 500)), month('2026-09', flow('EUR', 9)))).toBe(
    'You spent $5.00 in October.',
  );
  expect(told(month('2026-10', flow('SEK', 1), flow('EUR', 9), flow('GBP', 0)))).toBe(
    'You spent $5.00 in October. Money out in EUR and SEK is not included.',
  );
});

test.each([
  [{ from: '2026-10' }, 2],
  [{ from: '2025-03' }, 21],
  [{ from: '2021-11' }, undefined],
  // The monthly figures are of all accounts.
  [{ from: '2026-10', connection_id: 'card' }, undefined],
])('the currencies that %j leaves out are told by %s months', (input, months) => {
  expect(monthsToTell(input, TODAY)).toBe(months);
});

test.each([
  [99_999n, 'USD', '$999.99'],
  [100_050n, 'USD', '$1,001'],
  [1_234_567n, 'JPY', '¥1,234,567'],
  [9_007_199_254_740_993_00n, 'USD', '$9,007,199,254,740,993'],
])('%i of %s is told as %s', (value, currency, text) => expect(toldMoney(value, currency)).toBe(text));
