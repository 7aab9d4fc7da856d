// Risk: a stale account is not explained: its balance arrived a minute ago, and is a week old.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { balanceDay, type FreshnessEntry, freshnessReason } from './freshness.view.ts';

// 27 November in UTC, and still 26 November in New York.
const graded = { at: '2026-11-27T02:30:00Z', zone: 'America/New_York' };
const entry = (as_of: string | null, last_received_at: string | null = '2026-11-27T02:29:30Z') =>
  partial<FreshnessEntry>({ as_of, last_received_at });

test.each([
  ['2026-11-19', { day: '19 Nov 2026', age: '7 days old' }],
  ['2026-11-25', { day: '25 Nov 2026', age: '1 day old' }],
  ['2026-11-26', { day: '26 Nov 2026', age: undefined }],
  ['2026-11-27', { day: '27 Nov 2026', age: undefined }],
  [null, undefined],
])('a balance of %s: %j', (as_of, day) => {
  expect(balanceDay(entry(as_of), graded)).toEqual(day);
});

test.each([
  ['balance', entry('2026-11-19'), 'Expected hourly · Balance of 19 Nov 2026 (7 days old)'],
  [
    'transactions',
    entry(null, '2026-11-24T02:30:00Z'),
    'Expected every 15 minutes during business hours · Last received 3 days ago',
  ],
  ['transactions', entry(null, null), 'Never received'],
] as const)('%s: what the grade is based on', (kind, given, text) => {
  expect(freshnessReason(kind, given, graded)).toBe(text);
});
