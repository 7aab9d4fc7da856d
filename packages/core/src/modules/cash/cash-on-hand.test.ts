// Risk: sums of cash lose cents, or currencies are added to each other.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openZone } from '../../time/calendar.ts';
import { type JudgedSeries, type SeriesBalance, sumCash, toCashOnHand } from './cash-on-hand.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const seriesOf = (
  connection_id: string,
  balance_cents: number,
  currency = 'USD',
  as_of = '2026-01-01',
): SeriesBalance => ({
  connection_id,
  balance_cents,
  currency,
  as_of,
});

const NOW = Date.parse('2026-01-01T12:00:00Z');
const judged = (balance: SeriesBalance, more: Partial<JudgedSeries> = {}): JudgedSeries => ({
  ...balance,
  updated_at: '2026-01-01T11:30:00+00:00',
  account_type: 'depository',
  owed_sign: null,
  reason: null,
  ...more,
});
const onHand = (series: readonly JudgedSeries[], baseCurrency = 'USD') =>
  toCashOnHand({
    companyId: 'co_x',
    baseCurrency,
    today: '2026-01-01',
    now: NOW,
    zone: openZone('UTC'),
    series,
    rates: undefined,
  });
const linesOf = (series: readonly SeriesBalance[], baseCurrency = 'USD') =>
  onHand(
    series.map((member) => judged(member)),
    baseCurrency,
  ).lines;

test('sums beyond 2^53−1 are exact, as text, and the number is null', () => {
  const many = Array.from({ length: 1_000 }, (_, i) => seriesOf(`c${i}`, MAX));
  expect(linesOf(many)).toMatchObject([{ balance_cents: null, balance_string: '9007199254740991000' }]);
  expect(linesOf([seriesOf('a', MAX), seriesOf('b', 1)])).toMatchObject([
    { balance_cents: null, balance_string: '9007199254740992' },
  ]);
  expect(linesOf([seriesOf('a', MAX), seriesOf('b', 2)])).toMatchObject([
    { balance_cents: null, balance_string: '9007199254740993' },
  ]);
  expect(linesOf([seriesOf('a', -MAX), seriesOf('b', -1)])).toMatchObject([
    { balance_cents: null, balance_string: '-9007199254740992' },
  ]);
});

test('sums that fit are numbers without text, also when parts of them would not', () => {
  const [line] = linesOf([seriesOf('a', MAX), seriesOf('b', MAX), seriesOf('c', -MAX)]);
  expect(line).toEqual({
    currency: 'USD',
    balance_cents: MAX,
    investment_cents: 0,
    streams: 3,
    oldest_as_of: '2026-01-01',
    newest_as_of: '2026-01-01',
    as_of_spread_days: 0,
    stale_cents: 0,
    stale_streams: 0,
    freshness: 'fresh',
  });
});

test('currencies stay apart, the base currency first and the others by name', () => {
  const series = [seriesOf('a', 1, 'USD'), seriesOf('b', 2, 'EUR'), seriesOf('c', 3, 'JPY'), seriesOf('d', 4, 'EUR')];
  expect(linesOf(series, 'JPY').map(({ currency, balance_cents }) => [currency, balance_cents])).toEqual([
    ['JPY', 3],
    ['EUR', 6],
    ['USD', 1],
  ]);
  const { headline } = onHand(series.map((member) => judged(member)));
  expect(headline).toEqual({ currency: 'USD', balance_cents: 1 });
  expect(onHand([])).toMatchObject({ lines: [], headline: null });
});

test('a line has the span of days of its balances, and its stale amount', () => {
  const [line] = linesOf([seriesOf('a', 100, 'USD', '2025-12-31'), seriesOf('b', 30, 'USD', '2025-12-23')]);
  expect(line).toMatchObject({
    balance_cents: 130,
    oldest_as_of: '2025-12-23',
    newest_as_of: '2025-12-31',
    as_of_spread_days: 8,
    stale_cents: 30,
    stale_streams: 1,
    freshness: 'stale',
  });
});

test('excluded series are listed with the reason and counted nowhere', () => {
  const { lines, streams, excluded } = onHand([
    judged(seriesOf('a', 1)),
    judged(seriesOf('b', 2), { reason: 'user' }),
    judged(seriesOf('conn_c', 4), { reason: 'disconnected' }),
  ]);
  expect(lines).toMatchObject([{ balance_cents: 1, streams: 1 }]);
  expect(streams).toMatchObject([{ connection_id: 'a' }]);
  expect(excluded).toMatchObject([
    { connection_id: 'b', reason: 'user' },
    { connection_id: 'conn_c', reason: 'disconnected' },
  ]);
});

test('a total without a connection beside its parts gets a warning, unless it is excluded', () => {
  const codes = (reason: JudgedSeries['reason']) =>
    onHand([judged(seriesOf('', 3), { reason }), judged(seriesOf('a', 1))]).warnings.map(({ code }) => code);
  expect(codes(null)).toEqual(['unassigned_alongside_connections']);
  expect(codes('user')).toEqual([]);
  expect(onHand([judged(seriesOf('', 3))])).toMatchObject({ warnings: [], streams: [{ connection_id: null }] });
});

const balances = fc.array(
  fc.record({
    connection_id: fc.string(),
    as_of: fc.constantFrom('2026-01-01', '2026-01-02'),
    balance_cents: fc.maxSafeInteger(),
    currency: fc.constantFrom('USD', 'EUR', 'JPY'),
  }),
);

test('any balances in any order sum exactly per currency', () => {
  fc.assert(
    fc.property(balances, (series) => {
      const sums = sumCash(series, 'EUR').map(({ currency, balance }) => [currency, balance]);
      expect(sumCash(series.toReversed(), 'EUR').map(({ currency, balance }) => [currency, balance])).toEqual(sums);
      for (const [currency, balance] of sums) {
        const sum = series
          .filter((member) => member.currency === currency)
          .reduce((total, member) => total + BigInt(member.balance_cents), 0n);
        expect(balance).toBe(sum);
      }
    }),
  );
});
