// Risk: sums of cash lose cents, or currencies are added to each other.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type StreamBalance, sumCash } from './cash-on-hand.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const stream = (
  connection_id: string,
  balance_cents: number,
  currency = 'USD',
  as_of = '2026-01-01',
): StreamBalance => ({
  connection_id,
  balance_cents,
  currency,
  as_of,
});

test('C32: sums beyond 2^53−1 are exact, as text, and the number is null', () => {
  const many = Array.from({ length: 1_000 }, (_, i) => stream(`c${i}`, MAX));
  expect(sumCash(many, 'USD')).toMatchObject([{ balance_cents: null, balance_string: '9007199254740991000' }]);
  expect(sumCash([stream('a', MAX), stream('b', 1)], 'USD')).toMatchObject([
    { balance_cents: null, balance_string: '9007199254740992' },
  ]);
  expect(sumCash([stream('a', MAX), stream('b', 2)], 'USD')).toMatchObject([
    { balance_cents: null, balance_string: '9007199254740993' },
  ]);
  expect(sumCash([stream('a', -MAX), stream('b', -1)], 'USD')).toMatchObject([
    { balance_cents: null, balance_string: '-9007199254740992' },
  ]);
});

test('C32: sums that fit are numbers without text, also when parts of them would not', () => {
  const [line] = sumCash([stream('a', MAX), stream('b', MAX), stream('c', -MAX)], 'USD');
  expect(line).toEqual({
    currency: 'USD',
    balance_cents: MAX,
    streams: 3,
    oldest_as_of: '2026-01-01',
    newest_as_of: '2026-01-01',
  });
});

test('currencies stay apart, the base currency first and the others by name', () => {
  const lines = sumCash(
    [stream('a', 1, 'USD'), stream('b', 2, 'EUR'), stream('c', 3, 'JPY'), stream('d', 4, 'EUR')],
    'JPY',
  );
  expect(lines.map(({ currency, balance_cents }) => [currency, balance_cents])).toEqual([
    ['JPY', 3],
    ['EUR', 6],
    ['USD', 1],
  ]);
  expect(sumCash([], 'USD')).toEqual([]);
});

test('a line tells the span of days that it is made of', () => {
  const [line] = sumCash([stream('a', 1, 'USD', '2026-02-01'), stream('b', 1, 'USD', '2025-12-31')], 'USD');
  expect([line?.oldest_as_of, line?.newest_as_of]).toEqual(['2025-12-31', '2026-02-01']);
});

const balances = fc.array(
  fc.record({
    connection_id: fc.string(),
    as_of: fc.constantFrom('2026-01-01', '2026-01-02'),
    balance_cents: fc.maxSafeInteger(),
    currency: fc.constantFrom('USD', 'EUR', 'JPY'),
  }),
);

test('C32, C47: any balances in any order give the exact sum of each currency', () => {
  fc.assert(
    fc.property(balances, (streams) => {
      const lines = sumCash(streams, 'EUR');
      expect(sumCash(streams.toReversed(), 'EUR')).toEqual(lines);
      for (const { currency, balance_cents, balance_string } of lines) {
        const sum = streams
          .filter((member) => member.currency === currency)
          .reduce((total, member) => total + BigInt(member.balance_cents), 0n);
        expect(BigInt(balance_string ?? balance_cents ?? 'none')).toBe(sum);
      }
    }),
  );
});
