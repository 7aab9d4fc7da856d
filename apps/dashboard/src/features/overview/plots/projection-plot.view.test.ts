// Risk: the projection leaves the figure of the runway tile, or draws a band that nobody computed.
import { expect, test } from 'vitest';
import type { RunwayLine } from '../runway-tile.view.ts';
import { projectionRows } from './projection-plot.view.ts';

const line = (fields: Partial<RunwayLine> = {}): RunwayLine => ({
  currency: 'USD',
  status: 'ok',
  text: '6.0 months',
  basis: 'transactions',
  runway_months: 6,
  runway_gross_months: 5,
  cash_out_date: '2026-09-01',
  capped: false,
  cash_cents: 12_000_000,
  net_burn_cents: 2_000_000,
  gross_burn_cents: 2_400_000,
  window: ['2026-01', '2026-02', '2026-03'],
  flags: { stale: false, mixed_currency: false, low_confidence: false, unexplained: false },
  ...fields,
});

test('cash falls by the mean net burn and reaches zero where the runway ends', () => {
  const rows = projectionRows(line(), 100, '2026-03-02');
  expect(rows).toHaveLength(8);
  expect(rows[0]).toMatchObject({ date: '2026-03-02', mean: 12_000_000, band: [12_000_000, 12_000_000] });
  expect(rows[6]?.mean).toBe(0);
  expect(rows[4]?.band).toEqual([3_999_800, 4_000_200]);
});

test('without a deviation there is no band; without cash or burn there is no projection', () => {
  expect(projectionRows(line(), null, '2026-03-02')[3]?.band).toBeUndefined();
  expect(projectionRows(line({ cash_cents: null }), 1, '2026-03-02')).toEqual([]);
  expect(projectionRows(line({ net_burn_cents: null }), 1, '2026-03-02')).toEqual([]);
});

test('a long runway is drawn for five years, a growing balance for one', () => {
  expect(projectionRows(line({ runway_months: 500 }), null, '2026-03-02')).toHaveLength(61);
  expect(projectionRows(line({ runway_months: null, net_burn_cents: -5 }), null, '2026-03-02')).toHaveLength(13);
});
