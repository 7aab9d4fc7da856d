// Risk: a replay sends more than was counted, or an inexact count looks exact.
import { expect, test } from 'vitest';
import { countWords, isRecover, progressOf, type ReplayDraft, readReplay } from './replays.view.ts';

const draft: ReplayDraft = {
  only: 'failed',
  since: '2026-03-01T09:00',
  until: '',
  types: [],
  allTypes: true,
  companyId: '',
};

test('failed deliveries since a time are a recover; a narrower selection is a replay', () => {
  const read = readReplay(draft, 'America/New_York');
  expect(read).toEqual({ input: { since: '2026-03-01T14:00:00.000Z', only: 'failed' } });
  const narrow: Partial<ReplayDraft>[] = [
    { only: 'missing' },
    { until: '2026-03-02T09:00' },
    { allTypes: false, types: ['bank.balance.updated'] },
    { companyId: 'co_1' },
  ];
  const recovers = [{}, ...narrow].map((part) => {
    const one = readReplay({ ...draft, ...part }, 'UTC');
    return 'input' in one && isRecover(one.input);
  });
  expect(recovers).toEqual([true, false, false, false, false]);
});

test('a missing value is an error at its field', () => {
  const read = readReplay({ ...draft, since: '', until: 'x', allTypes: false }, 'UTC');
  expect(Object.keys('errors' in read ? read.errors : {})).toEqual(['since', 'until', 'types']);
});

test('counts say if they are a lower bound', () => {
  expect([0, 1, 1_234, 100_000].map(countWords)).toEqual([
    '0 events',
    '1 event',
    '1,234 events',
    '100,000 events or more',
  ]);
});

test('progress counts ended deliveries, and is 100 only at the end', () => {
  const replay = { matched: 3, delivered: 1, failed: 1, cancelled: 0, status: 'running' };
  expect(progressOf(replay)).toBe(66);
  expect(progressOf({ ...replay, matched: 0 })).toBe(0);
  expect(progressOf({ ...replay, status: 'completed' })).toBe(100);
});
