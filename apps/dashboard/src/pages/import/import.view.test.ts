// Risk: the dry run shows other sums than those of the file, or hides that rows are lost.
import { expect, test } from 'vitest';
import { balanceWords, importLabel, reportName, sizeText, tallyOf } from './import.view.ts';
import type { Outcome } from './import-run.ts';

const chunk: Outcome = {
  kind: 'transactions',
  inserted: 2,
  known: 1,
  invalid: 1,
  faults: [{ line: 4, reason: 'wrong' }],
  duplicates: [{ line: 5, reason: 'duplicate' }],
  totals: [{ currency: 'EUR', in_cents: 5, out_cents: 7 }],
  warnings: ['All amounts are money out.'],
  isComplete: true,
};

test('the results of all requests add up, sums beyond 2^53 too, and equal warnings are shown once', () => {
  const large: Outcome = {
    ...chunk,
    totals: [{ currency: 'EUR', in_cents: null, in_string: '9007199254740993', out_cents: 0 }],
  };
  const tally = tallyOf([
    chunk,
    large,
    { kind: 'balance', day: '2026-01-01', result: 'created' },
    { kind: 'balance', day: '1026-01-02', result: 'rejected', reason: 'as_of is too early' },
    { kind: 'left-out' },
  ]);
  expect(tally).toMatchObject({ inserted: 4, known: 2, invalid: 2, warnings: ['All amounts are money out.'] });
  expect(tally.totals).toEqual([{ currency: 'EUR', in: '9007199254740998', out: '7' }]);
  expect(tally.balances).toMatchObject({ created: 1, updated: 0, unchanged: 0, leftOut: 1 });
  expect(tally.balances.rejected).toMatchObject([{ day: '1026-01-02', reason: 'as_of is too early' }]);
  expect(tally.faults).toHaveLength(2);
  expect(importLabel(tally)).toBe('Import 4 rows');
});

test('the button imports balances if no row is new, and is missing if nothing is', () => {
  const known: Outcome = { ...chunk, inserted: 0 };
  expect(importLabel(tallyOf([known]))).toBeUndefined();
  const tally = tallyOf([known, { kind: 'balance', day: '2026-01-01', result: 'updated' }]);
  expect(importLabel(tally)).toBe('Import 1 balance');
  expect(balanceWords(tally.balances, false)).toBe('1 balance to update.');
  expect(balanceWords(tally.balances, true)).toBe('1 balance updated.');
  expect(balanceWords(tallyOf([]).balances, true)).toBeUndefined();
});

test('names and sizes', () => {
  expect(reportName('2026.04.csv')).toBe('2026.04-skipped.csv');
  expect(sizeText(250)).toBe('0.3 kB');
  expect(sizeText(52_400_000)).toBe('52.4 MB');
});
