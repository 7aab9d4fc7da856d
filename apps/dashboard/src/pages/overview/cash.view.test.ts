// Risk: a headline is trusted although a series is stale or excluded, a debt counts as cash, or digits beyond 2^53 are lost.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import {
  asOfText,
  cashCautions,
  cashChange,
  mainCash,
  noCashText,
  nonDepositoryBalances,
  otherCash,
  spokenCash,
} from './cash.view.ts';

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
  partial<OnHand>({ lines, total: null, streams: [], excluded: [], warnings: [], ...rest });
const series = partial<OnHand['excluded'][number]>({ connection_id: 'a' });
const totalOf = (cents: number) => partial<NonNullable<OnHand['total']>>({ currency: 'USD', balance_cents: cents });

test('a fresh figure in one currency needs no caution', () => {
  expect(cashCautions(onHand([line({})]), new Map())).toEqual([]);
});

test('stale, overdrawn, unassigned and excluded cash is each named', () => {
  const overdrawn = line({ currency: 'JPY', balance_cents: -5 });
  const named = (id: string, replaces: string | null = null) =>
    [id, { id, name: `Bank ${id}`, registered: true, replaces }] as const;
  const names = new Map([named('old'), named('a'), named('b', 'c'), named('c')]);
  const stale = { ...series, freshness: 'stale' } as const;
  const cautions = cashCautions(
    onHand([line({}), overdrawn], {
      as_of: '2026-03-02',
      streams: [
        { ...stale, connection_id: 'old', as_of: '2026-02-23' },
        { ...stale, connection_id: null, as_of: '2026-03-02' },
        { ...series, freshness: 'late', as_of: '2026-02-27' },
      ],
      warnings: [{ code: 'unassigned_alongside_connections', message: 'May count twice.' }],
      excluded: [
        { ...series, reason: 'disconnected', connection_id: 'a' },
        { ...series, reason: 'disconnected', connection_id: 'c' },
        { ...series, reason: 'user', connection_id: 'escrow' },
        { ...series, reason: 'loan', connection_id: 'loan' },
      ],
    }),
    names,
  );
  expect(cautions).toEqual([
    'Bank old is 7 days old.',
    'Unassigned is several hours old.',
    'The JPY balance is overdrawn.',
    'May count twice.',
    'Excluded: Bank a (disconnected), Bank c (replaced by Bank b).',
    'Excluded in settings: escrow.',
  ]);
  const streams = ['old', 'a', 'b', 'c', 'd'].map((connection_id) => ({ ...stale, connection_id }));
  expect(cashCautions(onHand([line({})], { streams }), names)).toEqual([
    'Old balances of 5 accounts: Bank old, Bank a, Bank b and 2 more.',
  ]);
});

test('the total leads and has a line for each currency; without one the base currency leads', () => {
  const [usd, eur] = [line({}), line({ currency: 'EUR' })];
  const total = totalOf(99);
  expect(mainCash(onHand([usd, eur], { total }))?.balance_cents).toBe(99);
  expect(otherCash(onHand([usd, eur], { total }))).toEqual([usd, eur]);
  expect(otherCash(onHand([usd], { total }))).toEqual([]);
  expect(mainCash(onHand([usd, eur]))).toBe(usd);
  expect(otherCash(onHand([usd, eur]))).toEqual([eur]);
  expect(mainCash(onHand([]))).toBeUndefined();
});

test('spoken amounts are exact: yen without decimals, dinars with three, and any size', () => {
  const lines = [
    line({ currency: 'JPY', balance_cents: 1_000 }),
    line({ currency: 'KWD', balance_cents: 1_234 }),
    line({ balance_cents: null, balance_string: '18014398509481982' }),
  ];
  const spoken = spokenCash(onHand(lines)).replaceAll('\u00A0', ' ');
  expect(spoken).toBe('Cash on hand: ¥1,000, KWD 1.234, $180,143,985,094,819.82');
  expect(spokenCash(onHand(lines, { total: totalOf(700) }))).toBe('Cash on hand: $7.00');
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
  expect(asOfText(line({ oldest_as_of: '2026-02-20' }))).toBe('As of 20 Feb–2 Mar 2026');
});

test('the change is that of the requested currency in 30 days, and unknown without a balance 30 days ago', () => {
  const points = [
    { date: '2026-02-01', balance_cents: 100, streams: 1 },
    { date: '2026-03-03', balance_cents: -50, streams: 1 },
  ];
  const history = (to: string) =>
    partial<Parameters<typeof cashChange>[0]>({ to, lines: [{ currency: 'USD', points }] });
  expect(cashChange(history('2026-03-03'), 'USD')).toBe(-150n);
  expect(cashChange(history('2026-03-03'), 'EUR')).toBeUndefined();
  expect(cashChange(history('2026-03-02'), 'USD')).toBeUndefined();
});

test('investments are named as a part of the cash; restricted money and debts are added up by currency', () => {
  const account = (reason: OnHand['excluded'][number]['reason'], fields: object) =>
    partial<OnHand['excluded'][number]>({ reason, currency: 'USD', balance_cents: 0, ...fields });
  const cash = onHand([line({ investment_cents: 700 })], {
    excluded: [
      account('restricted', { balance_cents: 300 }),
      account('credit_card', { balance_cents: -40, owed_cents: 40 }),
      account('credit_card', { balance_cents: -5, owed_cents: 5 }),
      account('loan', { balance_cents: 9, owed_cents: 9, currency: 'EUR' }),
      account('user', { balance_cents: 1_000 }),
    ],
  });
  expect(
    nonDepositoryBalances(cash).map(({ name, currency, cents, digits }) => [name, currency, digits ?? cents]),
  ).toEqual([
    ['Investments', 'USD', 700],
    ['Restricted', 'USD', '300'],
    ['Owed on cards', 'USD', '45'],
    ['Owed on loans', 'EUR', '9'],
  ]);
});
