// Risk: an hour without deliveries is drawn as one without latency.
import { expect, test } from 'vitest';
import { formatMilliseconds, latencyRows } from './latency-plot.view.ts';

const hour = (from: string, p50: number | null, p95: number | null) => ({
  from,
  succeeded: 3,
  failed: 0,
  retrying: 0,
  waiting: 0,
  cancelled: 0,
  latency_p50_ms: p50,
  latency_p95_ms: p95,
});

test('hours without a delivery are left out; the others are in the zone', () => {
  const rows = latencyRows(
    [hour('2026-03-02T13:00:00.000Z', 90, 4_200), hour('2026-03-02T14:00:00.000Z', null, null)],
    'Europe/Berlin',
  );
  expect(rows.map(({ label, tip }) => [label, ...tip.map(([, figure]) => figure)])).toEqual([
    ['14:00 (Europe/Berlin)', '90 ms', '4.2 s', '3'],
  ]);
});

test('durations are in the unit that fits', () => {
  expect([5, 1_500, 90_000].map(formatMilliseconds)).toEqual(['5 ms', '1.5 s', '1.5 min']);
});
