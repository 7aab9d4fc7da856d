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

test('hours without an arrival are left out; the others are told in the zone', () => {
  const rows = latencyRows(
    [hour('2026-03-02T13:00:00.000Z', 90, 4_200), hour('2026-03-02T14:00:00.000Z', null, null)],
    'Europe/Berlin',
  );
  expect(rows.map(({ label, figures }) => [label, ...figures])).toEqual([
    ['From 14:00 in Europe/Berlin', '90 ms', '4.2 s'],
  ]);
});

test('durations are told in the unit that fits', () => {
  expect([5, 1_500, 90_000].map(formatMilliseconds)).toEqual(['5 ms', '1.5 s', '1.5 min']);
});
