/**
 * surface: burn, runway, freshness and data quality, from sums of transactions that follow the feed. Owns those sums and
 * the settings of what figures leave out; writes no record of the customer's.
 */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { getBurn, getFreshness, getRunway } from './figures.ts';
import { getDataQuality } from './get-data-quality.ts';
import { getMonthly } from './get-monthly.ts';
import { getSummary } from './get-summary.ts';
import { getSettings, updateSettings } from './settings.ts';

export const surface = {
  summary: getSummary,
  runway: getRunway,
  burn: getBurn,
  monthly: getMonthly,
  freshness: getFreshness,
  dataQuality: getDataQuality,
  settings: {
    get: getSettings,
    update: updateSettings,
  },
} satisfies Handlers<
  Pick<
    typeof operations.financials,
    'summary' | 'runway' | 'burn' | 'monthly' | 'freshness' | 'dataQuality' | 'settings'
  >
>;
