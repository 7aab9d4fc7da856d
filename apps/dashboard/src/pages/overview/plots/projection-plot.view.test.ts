// Risk: the projection differs from the runway tile, or draws a band that nobody computed.
import { expect, test } from 'vitest';
import { sampleLine } from '../test/sample-line.ts';
import { monthTicks, projectionRows } from './projection-plot.view.ts';

test('cash falls by the mean net burn and reaches zero where the runway ends', () => {
  const rows = projectionRows(sampleLine(), 100, '2026-03-02');
  expect(rows).toHaveLength(7);
  expect(rows[0]).toMatchObject({ date: '2026-03-02', mean: 12_000_000, band: [12_000_000, 12_000_000] });
  expect(rows[6]?.mean).toBe(0);
  expect(rows[4]?.band).toEqual([3_999_800, 4_000_200]);
});

test('a projection ends on the day the cash reaches zero, and its band never falls below', () => {
  const rows = projectionRows(sampleLine({ cash_cents: 3_000_000, runway_months: 1.5 }), 5_000_000, '2026-03-02');
  expect(rows.map(({ day, mean }) => [day, mean])).toEqual([
    [0, 3_000_000],
    [30, 1_000_000],
    [45, 0],
  ]);
  expect(rows.map(({ band }) => band?.[0])).toEqual([3_000_000, 0, 0]);
  const days = projectionRows(sampleLine({ cash_cents: 10_100_000, net_burn_cents: 10_000_000 }), null, '2026-03-02');
  expect(days.map(({ day }) => day)).toEqual([0, 30, 31]);
  expect(projectionRows(sampleLine({ cash_cents: -165, runway_months: 0 }), null, '2026-03-02')).toEqual([]);
});

test('ticks are the first of months, as many as a scale has room for', () => {
  expect(monthTicks('2026-03-02', 61)).toEqual([30, 60]);
  expect(monthTicks('2026-03-01', 31)).toEqual([0, 31]);
  expect(monthTicks('2026-03-02', 1_826)).toHaveLength(7);
  expect(monthTicks('2026-03-02', 10)).toEqual([]);
});

test('without a deviation there is no band; without cash or burn there is no projection', () => {
  expect(projectionRows(sampleLine(), null, '2026-03-02')[3]?.band).toBeUndefined();
  expect(projectionRows(sampleLine({ cash_cents: null }), 1, '2026-03-02')).toEqual([]);
  expect(projectionRows(sampleLine({ net_burn_cents: null }), 1, '2026-03-02')).toEqual([]);
});

test('a long runway is drawn for five years, a growing balance for one', () => {
  expect(projectionRows(sampleLine({ runway_months: 500, net_burn_cents: 24_000 }), null, '2026-03-02')).toHaveLength(
    61,
  );
  expect(projectionRows(sampleLine({ runway_months: null, net_burn_cents: -5 }), null, '2026-03-02')).toHaveLength(13);
});
