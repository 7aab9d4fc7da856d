/**
 * financials: statement snapshots with their revisions and checks; burn, runway, freshness and data quality, computed
 * from sums of transactions that follow the feed. Owns those sums and the settings for exclusions.
 */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { getBreakdown } from './figures/breakdown.ts';
import { getDataQuality } from './figures/data-quality.ts';
import { getForecast } from './figures/forecast.ts';
import { getBurn, getFreshness, getMonthly, getRunway } from './figures/get-figures.ts';
import { getSettings, updateSettings } from './figures/settings.ts';
import { getSummary } from './figures/summary.ts';
import { checkSnapshot } from './statements/checks.ts';
import { getSnapshot, listRevisions, listSnapshots } from './statements/read.ts';
import { getStatements } from './statements/statements.ts';
import { upsertSnapshot } from './statements/upsert.ts';
import { bulkUpdateTransactions } from './transactions/bulk.ts';
import { listTransactions } from './transactions/list.ts';

export const financials = {
  snapshots: {
    upsert: upsertSnapshot,
    get: getSnapshot,
    list: listSnapshots,
    checks: checkSnapshot,
    revisions: listRevisions,
  },
  summary: getSummary,
  runway: getRunway,
  burn: getBurn,
  monthly: getMonthly,
  breakdown: getBreakdown,
  statements: getStatements,
  forecast: getForecast,
  freshness: getFreshness,
  dataQuality: getDataQuality,
  settings: {
    get: getSettings,
    update: updateSettings,
  },
} satisfies Handlers<typeof operations.financials>;

export const countedTransactions = {
  list: listTransactions,
  bulk: bulkUpdateTransactions,
} satisfies Handlers<Pick<typeof operations.bank.transactions, 'list' | 'bulk'>>;
