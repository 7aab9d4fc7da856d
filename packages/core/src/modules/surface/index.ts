/**
 * surface: burn, runway, freshness and data quality, from sums of transactions that follow the feed. Owns those sums and
 * the settings of what figures leave out; writes no record of the customer's.
 */
export { getBurn, getFreshness, getRunway } from './figures.ts';
export { getDataQuality } from './get-data-quality.ts';
export { getMonthly } from './get-monthly.ts';
export { getSummary } from './get-summary.ts';
export { refreshRollup } from './refresh-rollup.ts';
export { getSettings, updateSettings } from './settings.ts';
export type { SurfaceRules } from './surface-rules.ts';
