import type { RunwayLine } from '../runway.view.ts';

export const sampleLine = (fields: Partial<RunwayLine> = {}): RunwayLine => ({
  currency: 'USD',
  status: 'ok',
  text: '6.0 months',
  basis: 'transactions',
  basis_excluded: [],
  runway_months: 6,
  runway_gross_months: 5,
  cash_out_date: '2026-09-01',
  capped: false,
  cash_cents: 12_000_000,
  net_burn_cents: 2_000_000,
  gross_burn_cents: 2_400_000,
  window: ['2026-01', '2026-02', '2026-03'],
  flags: { stale: false, mixed_currency: false, low_confidence: false, unexplained: false },
  confidence_reasons: [],
  ...fields,
});
