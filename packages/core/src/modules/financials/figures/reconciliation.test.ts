// Risk: a small balance causes a false warning, or a large one hides a gap.
import { expect, test } from 'vitest';
import { reconcile } from './reconciliation.ts';

const interval = {
  connectionId: 'a',
  accountType: 'depository',
  currency: 'USD',
  from: '2026-01-01',
  to: '2026-02-01',
} as const;

test.each([
  ['explained', 10_000n, 4_000n, -6_000n, 6_000n, 'pass', 0, 100],
  ['one percent of the balance', 990_000n, 1_000_000n, 0n, 500_000n, 'pass', 10_000, 10_000],
  ['more than one percent of the balance', 1_000_000n, 989_999n, 0n, 500_000n, 'warn', -10_001, 9_899],
  ['one percent of an overdraft', -990_000n, -1_000_000n, 0n, 500_000n, 'pass', -10_000, 10_000],
  ['a tenth of what moved', 1_000_000n, 1_000_000n, -5_000n, 50_000n, 'pass', 5_000, 5_000],
  ['more than a tenth of what moved', 1_000_000n, 1_000_000n, -5_001n, 50_000n, 'warn', 5_001, 5_000],
  ['a hundred cents where little moved', 1_000_000n, 1_000_100n, 0n, 0n, 'pass', 100, 100],
  ['more than a hundred cents of little', 0n, 101n, 0n, 500_000n, 'warn', 101, 100],
] as const)('reconciliation: %s', (_, opening, closing, posted, moved, status, unexplained, threshold) => {
  expect(reconcile({ ...interval, opening, closing, posted, moved })).toMatchObject({
    status,
    unexplained_cents: unexplained,
    threshold_cents: threshold,
  });
});

test.each([
  [
    'a deposit account whose balance moves against its rows may be a liability',
    'depository',
    null,
    'opposite_signs',
    'warn',
  ],
  ['a card whose positive balance is owed moves against its rows', 'credit_card', 1, null, 'pass'],
  ['a card whose negative balance is owed moves with its rows', 'credit_card', -1, null, 'warn'],
] as const)('reconciliation: %s', (_, accountType, owedSign, hint, status) => {
  const moved = { opening: 10_000n, closing: 30_000n, posted: -20_100n, moved: 50_000n };
  expect(reconcile({ ...interval, accountType, owedSign, ...moved })).toMatchObject({ hint, status });
});

test('reconciliation: rows within the tolerance give no hint about signs', () => {
  const still = { opening: 10_000n, closing: 10_000n, posted: -100n, moved: 50_000n };
  expect(reconcile({ ...interval, ...still })).toMatchObject({ hint: null, status: 'pass' });
});
