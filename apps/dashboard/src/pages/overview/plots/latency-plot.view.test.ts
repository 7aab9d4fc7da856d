// Risk: an hour without deliveries is drawn as one without latency.
import { expect, test } from 'vitest';
import { partial } from '../../../test/partial.ts';
import { formatMilliseconds, latencyRows } from './latency-plot.view.ts';

type Hour = Parameters<typeof latencyRows>[0][number];
const hour = (from: string, latency_p50_ms: number | null, latency_p95_ms: number | null) =>
  partial<Hour>({ from, succeeded: 3, latency_p50_ms, latency_p95_ms });

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
