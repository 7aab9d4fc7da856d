// Risk: a replay sends more than was counted, or an inexact count looks exact.
import { expect, test } from 'vitest';
import { countWords, isRecover, type ReplayInput } from './replay-form.tsx';
import { failedText, progressOf } from './replay-list.tsx';

test('failed deliveries since a time are a recover; a narrower selection is a replay', () => {
  const all = { since: '2026-03-01T14:00:00.000Z', only: 'failed', types: null, company_id: null } as const;
  const narrow: Partial<ReplayInput>[] = [
    { only: 'missing' },
    { until: '2026-03-02T09:00:00.000Z' },
    { types: ['bank.balance.updated'] },
    { company_id: 'co_1' },
  ];
  const recovers = [{}, ...narrow].map((part) => isRecover({ ...all, ...part }));
  expect(recovers).toEqual([true, false, false, false, false]);
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
  const replay = { matched: 3, delivered: 1, failed: 1, cancelled: 0, status: 'running' } as const;
  expect(progressOf(replay)).toBe(66);
  expect(progressOf({ ...replay, matched: 0 })).toBe(0);
  expect(progressOf({ ...replay, status: 'completed' })).toBe(100);
});

test('a replay that ended says how many failed, one that runs or succeeded does not', () => {
  const replay = { matched: 1_250, failed: 1_023, status: 'completed' } as const;
  expect(failedText(replay)).toBe('1,023 of 1,250 failed');
  expect(failedText({ ...replay, failed: 0 })).toBeUndefined();
  expect(failedText({ ...replay, status: 'running' })).toBeUndefined();
  expect(failedText({ ...replay, status: 'cancelled' })).toBeUndefined();
});
