// Risk: a failed check or a stale connection is not counted, so that nobody looks at it.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { findingsOf } from './findings.view.ts';

type Quality = Parameters<typeof findingsOf>[0];
const quality = partial<Quality>({
  issues: 4,
  snapshots: [
    { checks: [{ status: 'warn' }, { status: 'pass' }, { status: 'skip' }] },
    { checks: [{ status: 'warn' }] },
  ],
  freshness: { grade: 'stale', stale_streams: 1, late_streams: 2 },
  reconciliation: [{ status: 'warn' }, { status: 'pass' }],
  changed_duplicates: { count: 0, latest: [] },
  suspected_transfers: { count: 50, truncated: true, latest: [] },
  warnings: [{ code: 'large_inflow', message: 'Much came in.' }],
});

test('every kind of finding is counted; of checks and balances, only the failed ones', () => {
  expect(findingsOf(quality).map(({ id, count, atLeast }) => [id, count, atLeast])).toEqual([
    ['checks', 2, false],
    ['stale', 1, false],
    ['unexplained', 1, false],
    ['duplicates', 0, false],
    ['transfers', 50, true],
    ['warnings', 1, false],
  ]);
});
