// Risk: a headline is trusted although a series is stale, excluded or in another currency; digits beyond 2^53 are lost.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { asOfText, cashCautions, countedTwiceText, noCashText, sparkOf, spokenCash } from './cash-tile.view.ts';

type OnHand = Parameters<typeof cashCautions>[0];

const line = (fields: Partial<OnHand['lines'][number]>): OnHand['lines'][number] => ({
  currency: 'USD',
  balance_cents: 12_345,
  investment_cents: 0,
  streams: 1,
  oldest_as_of: '2026-03-02',
  newest_as_of: '2026-03-02',
  as_of_spread_days: 0,
  stale_cents: 0,
  stale_streams: 0,
  freshness: 'fresh',
  ...fields,
});
const onHand = (lines: OnHand['lines'], rest: Partial<OnHand> = {}) =>
  partial<OnHand>({ lines, excluded: [], warnings: [], ...rest });
const series = partial<OnHand['excluded'][number]>({ connection_id: 'a' });

test('a fresh figure in one currency needs no caution', () => {
  expect(cashCautions(onHand([line({})]))).toEqual([]);
});

test('stale, overdrawn, mixed, unassigned and excluded cash is each named', () => {
  const stale = line({ stale_cents: 5_000, stale_streams: 1 });
  const overdrawn = line({ currency: 'JPY', balance_cents: -5 });
  const cautions = cashCautions(
    onHand([stale, overdrawn], {
      warnings: [{ code: 'unassigned_alongside_connections', message: 'May count twice.' }],
      excluded: [
        { ...series, reason: 'disconnected' },
        { ...series, reason: 'user' },
      ],
    }),
  );
  expect(cautions).toEqual([
    '$50.00 of the USD total is from 1 stale connection.',
    'The JPY balance is overdrawn.',
    '2 currencies. Amounts are not converted or added up.',
    'May count twice.',
    'Excluded: 1 disconnected connection.',
    'Excluded in settings: 1 connection.',
  ]);
});

test('spoken amounts are exact: yen without decimals, dinars with three, and any size', () => {
  const lines = [
    line({ currency: 'JPY', balance_cents: 1_000 }),
    line({ currency: 'KWD', balance_cents: 1_234 }),
    line({ balance_cents: null, balance_string: '18014398509481982' }),
  ];
  const spoken = spokenCash(onHand(lines)).replaceAll('\u00A0', ' ');
  expect(spoken).toBe('Cash on hand: ¥1,000, KWD 1.234, $180,143,985,094,819.82');
  expect(spokenCash(onHand([]))).toBe('Cash on hand: no balance yet');
  const excluded = onHand([], { excluded: [{ ...series, reason: 'user' }] });
  expect(spokenCash(excluded)).toBe('Cash on hand: all balances excluded');
});

test.each([
  [true, false, 'All balances are excluded.'],
  [true, true, 'All balances are excluded.'],
  [false, true, 'The company is dissolved and has no balances.'],
  [false, false, 'No balance yet. Post one or connect a bank.'],
])('without a figure (excluded: %s, dissolved: %s) the tile says: %s', (isExcluded, isDissolved, text) => {
  expect(noCashText(isExcluded, isDissolved)).toBe(text);
});

test('balances of different days show the range', () => {
  expect(asOfText(line({ oldest_as_of: '2026-02-20', streams: 2 }))).toBe(
    'As of 20 Feb 2026 to 2 Mar 2026 · 2 connections',
  );
});

test('the sparkline shows the requested currency only', () => {
  const points = [
    { date: '2026-03-01', balance_cents: 100, streams: 1 },
    { date: '2026-03-02', balance_cents: -50, streams: 1 },
  ];
  const history = partial<Parameters<typeof sparkOf>[0]>({ lines: [{ currency: 'USD', points }] });
  expect(sparkOf(history, 'USD')?.values).toEqual([100n, -50n]);
  expect(sparkOf(history, 'EUR')).toBeUndefined();
});

test('an account that two connections deliver has both figures, and no figure that is not known', () => {
  const counted = {
    connections: [{ connection_id: 'item_B', repeats: 'item_A', transactions: 60, repeated_transactions: 60 }],
    figures: [
      { currency: 'USD', cash_cents: 200, cash_once_cents: 100, gross_burn_cents: 40, gross_burn_once_cents: 20 },
      { currency: 'EUR', cash_cents: null, cash_once_cents: null, gross_burn_cents: 2, gross_burn_once_cents: 1 },
    ],
  };
  expect(countedTwiceText(counted, String)).toBe(
    'Counted twice? item_B repeats item_A; cash is $2.00, counted once $1.00; gross burn is $0.40, counted once $0.20; gross burn is €0.02, counted once €0.01.',
  );
});
