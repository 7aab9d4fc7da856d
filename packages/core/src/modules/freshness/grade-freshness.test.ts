// Risk: data looks fresh although its sync has stopped, or stale every night and weekend.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openZone, type Zone } from '../../time/calendar.ts';
import { businessTime, gradeFreshness, type Received, worstGrade } from './grade-freshness.ts';

const zone = openZone('America/New_York');
const at = (text: string): number => Date.parse(text);
/** A Wednesday, noon local time. */
const NOON = at('2026-05-20T16:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const gradeOf = (received: Received, now = NOON) => gradeFreshness(received, now, zone).grade;
const ago = (kind: Received['kind'], hours: number) => gradeOf({ kind, last: NOON - hours * HOUR });

test('balances are expected hourly: fresh to two, late to six, then stale', () => {
  expect([0, 2, 2.01, 6, 6.01, 500].map((hours) => ago('balance', hours))).toEqual([
    'fresh',
    'fresh',
    'late',
    'late',
    'stale',
    'stale',
  ]);
});

test('statements are expected daily', () => {
  expect([24, 48, 49, 144, 145].map((hours) => ago('statements', hours))).toEqual([
    'fresh',
    'fresh',
    'late',
    'late',
    'stale',
  ]);
});

test('transactions are expected every 15 minutes of business hours', () => {
  expect([0.5, 0.51, 1.5, 1.51].map((hours) => ago('transactions', hours))).toEqual(['fresh', 'late', 'late', 'stale']);
});

test('a night is one interval and a weekend five; Monday morning continues from there', () => {
  const evening = at('2026-05-20T22:00:00Z');
  expect(gradeOf({ kind: 'transactions', last: evening }, at('2026-05-21T12:00:00Z'))).toBe('fresh');
  const friday = at('2026-05-22T22:00:00Z');
  expect(gradeOf({ kind: 'transactions', last: friday }, at('2026-05-23T22:00:00Z'))).toBe('fresh');
  expect(gradeOf({ kind: 'transactions', last: friday }, at('2026-05-25T12:00:00Z'))).toBe('late');
  expect(gradeOf({ kind: 'transactions', last: friday }, at('2026-05-25T12:30:00Z'))).toBe('stale');
});

test('a balance of nine days ago is stale although it came just now, one of yesterday is not', () => {
  const day = (asOf: string) => gradeFreshness({ kind: 'balance', last: NOON, asOf }, NOON, zone);
  expect(['2026-05-21', '2026-05-19', '2026-05-18', '2026-05-17', '2026-05-11'].map((asOf) => day(asOf).grade)).toEqual(
    ['fresh', 'fresh', 'fresh', 'late', 'stale'],
  );
  expect(day('2026-05-11')).toMatchObject({ as_of: '2026-05-11', reason: 'The newest balance is of 9 days ago.' });
});

test('what never came is never, not stale', () => {
  expect(gradeFreshness({ kind: 'balance', last: undefined }, NOON, zone)).toEqual({
    grade: 'never',
    last_received_at: null,
    missed_intervals: null,
    as_of: null,
    reason: 'No balance yet.',
  });
  expect(worstGrade(['never', 'fresh'])).toBe('fresh');
  expect(worstGrade(['late', 'stale', 'fresh'])).toBe('stale');
  expect(worstGrade([])).toBe('never');
});

test('a clock that runs ahead is no error: what comes from the future is fresh', () => {
  expect(gradeFreshness({ kind: 'balance', last: NOON + HOUR }, NOON, zone)).toMatchObject({
    grade: 'fresh',
    missed_intervals: 0,
  });
});

test('business time is ten hours a working day, also when the clock is changed', () => {
  const week = businessTime(zone, at('2026-05-18T04:00:00Z'), at('2026-05-25T04:00:00Z'));
  expect(week).toBe(50 * HOUR);
  expect(businessTime(openZone('America/New_York'), at('2026-03-06T05:00:00Z'), at('2026-03-10T04:00:00Z'))).toBe(
    20 * HOUR,
  );
});

test('missed intervals are exact over any span', () => {
  // 261 workdays of 40 quarters of an hour in the year, and 8 760 h − 2 610 h at 12 h each.
  const year = (from: string, to: string) =>
    gradeFreshness({ kind: 'transactions', last: at(from) }, at(to), zone).missed_intervals;
  expect(year('2025-05-20T16:00:00Z', '2026-05-20T16:00:00Z')).toBe(261 * 40 + (8_760 - 2_610) / 12);
  // A Friday noon: 521 weeks of 50 hours until Friday the 15th at noon, then 6, 10, 10 and 4 hours.
  expect(businessTime(zone, at('2016-05-20T16:00:00Z'), NOON)).toBe((521 * 50 + 30) * HOUR);
});

test('business time of any span is the sum of its days, in any zone', () => {
  const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'Australia/Lord_Howe', 'Asia/Kathmandu'].map(
    openZone,
  );
  const daily = (of: Zone, from: number, to: number): number => {
    let total = 0;
    for (let day = Math.floor(of.wallClock(from) / DAY) * DAY; day <= of.wallClock(to); day += DAY) {
      if ([0, 6].includes(new Date(day).getUTCDay())) continue;
      const [opens, closes] = [of.instantOf(day + 8 * HOUR), of.instantOf(day + 18 * HOUR)];
      total += Math.max(0, Math.min(closes, to) - Math.max(opens, from));
    }
    return total;
  };
  const start = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: NOON });
  const span = fc.integer({ min: 0, max: 400 * DAY });
  fc.assert(
    fc.property(fc.constantFrom(...zones), start, span, (of, from, length) => {
      expect(businessTime(of, from, from + length)).toBe(daily(of, from, from + length));
    }),
  );
});

test('data only gets older: the grade never improves while nothing comes', () => {
  const severity = { never: 0, fresh: 1, late: 2, stale: 3 };
  const kind = fc.constantFrom('balance', 'transactions', 'statements' as const);
  const hours = fc.double({ min: 0, max: 300, noNaN: true });
  fc.assert(
    fc.property(kind, hours, hours, (of, first, more) => {
      const last = at('2026-05-20T13:00:00Z');
      const earlier = gradeOf({ kind: of, last }, last + first * HOUR);
      const later = gradeOf({ kind: of, last }, last + (first + more) * HOUR);
      expect(severity[later]).toBeGreaterThanOrEqual(severity[earlier]);
    }),
  );
});
