// Risk: the tile does not count a failed check or a stale series, or says "no issues" for a company without data.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { findingsOf, healthHeadline } from './data-health-tile.view.ts';

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

test('each kind is counted: of checks and balances, the failed ones', () => {
  expect(findingsOf(quality).map(({ id, count, atLeast }) => [id, count, atLeast])).toEqual([
    ['checks', 2, false],
    ['stale', 1, false],
    ['unexplained', 1, false],
    ['duplicates', 0, false],
    ['transfers', 50, true],
    ['warnings', 1, false],
  ]);
});

test.each([
  [1, true, 'stale', '1 issue'],
  [0, true, 'fresh', '1 warning'],
  [0, true, 'stale', 'Data is stale'],
  [0, false, 'late', 'Data is late'],
  [0, false, 'fresh', 'No issues'],
  [0, false, 'never', 'No data yet'],
] as const)('%i issues, a warning: %s, and %s data are summed up as %s', (issues, isWarned, grade, headline) => {
  const warnings = isWarned ? quality.warnings : [];
  expect(healthHeadline({ issues, warnings, freshness: { ...quality.freshness, grade } })).toBe(headline);
});
