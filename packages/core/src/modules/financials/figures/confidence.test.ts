// Risk: an uncertain runway has no reason for doubt, or a certain one has.
import { expect, test } from 'vitest';
import { rational } from '../../../input/exact-arithmetic.ts';
import { reasonsOf } from './confidence.ts';
import { inflowLimit } from './large-inflows.ts';

const WINDOW = ['2026-02', '2026-03', '2026-04'];
const codes = (more: Partial<Parameters<typeof reasonsOf>[0]>) =>
  reasonsOf({ window: WINDOW, mean: rational(100n), ...more }).map(({ code }) => code);

test('three months without anything odd give no reason', () => {
  expect(codes({ outThisMonth: 500n })).toEqual([]);
  expect(codes({ hasNewSeries: true, outThisMonth: 200n })).toEqual([]);
});

test('more than twice the mean this month is a reason with a new series or a short window', () => {
  expect(codes({ hasNewSeries: true, outThisMonth: 201n })).toEqual(['spending_jump']);
  expect(codes({ window: ['2026-04'], outThisMonth: 201n })).toEqual(['few_months', 'spending_jump']);
  expect(codes({ window: ['2026-04'], outThisMonth: 200n })).toEqual(['few_months']);
  expect(codes({ mean: rational(0n), hasNewSeries: true, outThisMonth: 1n })).toEqual(['spending_jump']);
  expect(codes({ mean: undefined, window: [], outThisMonth: 1n })).toEqual(['few_months']);
});

test('each reason is reported in words, a short window with its months', () => {
  const messages = (window: string[]) => reasonsOf({ window, mean: undefined, silent: true }).map((one) => one.message);
  expect(messages([])).toEqual([
    'There is no full month of transactions.',
    'An account that is usually active has no transactions in one of the months.',
  ]);
  expect(messages(['2026-04'])[0]).toBe('1 of 3 full months is available.');
  expect(messages(['2026-03', '2026-04'])[0]).toBe('2 of 3 full months are available.');
});

const limitOf = (ins: readonly bigint[], out = 100n) => inflowLimit(ins.map((moneyIn) => ({ moneyIn, moneyOut: out })));

test('an inflow is large above five times the median inflow of the months before it', () => {
  expect(limitOf([10n, 30n, 5_000n])).toBe(150n);
  expect(limitOf([10n, 31n])).toBe(102n);
});

test('an inflow below a quarter of the mean spending is not large; without spending none is', () => {
  expect(limitOf([0n, 1n, 0n])).toBe(25n);
  expect(limitOf([0n, 0n, 9_000n], 0n)).toBeUndefined();
});
