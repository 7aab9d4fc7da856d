// Risk: the tile does not count a failed check or a stale series, or says "no issues" for a company without data.
import { expect, test } from 'vitest';
import { findingsOf, healthHeadline } from './data-health-tile.view.ts';

type Quality = Parameters<typeof findingsOf>[0];
function asQuality(fields: object): Quality {
  return fields as Quality;
}

const quality = asQuality({
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

test('U-15: data that is late is not called free of issues', () => {
  const { freshness } = quality;
  expect(healthHeadline({ issues: 0, warnings: [], freshness: { ...freshness, grade: 'late' } })).toBe('Data is late');
});

test('data with a warning is not called free of issues', () => {
  const { freshness, warnings } = quality;
  expect(healthHeadline({ issues: 0, warnings, freshness: { ...freshness, grade: 'fresh' } })).toBe('1 warning');
  expect(healthHeadline({ issues: 0, warnings, freshness: { ...freshness, grade: 'stale' } })).toBe('Data is stale');
});

test('the headline shows the issues, their absence, and the absence of data', () => {
  const { freshness, warnings } = quality;
  expect(healthHeadline({ issues: 1, freshness, warnings })).toBe('1 issue');
  expect(healthHeadline({ issues: 0, warnings: [], freshness: { ...freshness, grade: 'fresh' } })).toBe('No issues');
  expect(healthHeadline({ issues: 0, warnings: [], freshness: { ...freshness, grade: 'never' } })).toBe('No data yet');
});
