import { z } from 'zod';
import { currency, date, id } from '../scalars.ts';
import { burn, month, monthlyFlow, runway } from './burn.ts';
import { cashOnHand } from './cash-on-hand.ts';
import { statementType } from './financial-snapshot.ts';
import { freshnessGrade } from './freshness.ts';
import { checkId } from './snapshot-check.ts';

/** Everything that the tiles show. It changes only when a figure does, so that its ETag holds. */
export const financialSummary = z
  .object({
    object: z.literal('financial_summary'),
    company_id: id('co'),
    as_of: date,
    timezone: z.string(),
    base_currency: currency,
    cash: cashOnHand,
    burn,
    runway,
    this_month: z.object({ month, flows: z.array(monthlyFlow) }),
    freshness: z.object({
      grade: freshnessGrade,
      balance: freshnessGrade,
      transactions: freshnessGrade,
      statements: freshnessGrade,
    }),
    checks: z.object({
      passed: z.int(),
      failed: z.int(),
      skipped: z.int(),
      failing: z.array(z.object({ snapshot_id: id('fin'), statement_type: statementType, id: checkId })),
    }),
    data_quality: z.object({
      issues: z.int(),
      failed_checks: z.int(),
      stale_streams: z.int(),
      unexplained_streams: z.int(),
      changed_duplicates: z.int(),
    }),
  })
  .meta({ id: 'FinancialSummary' });
export type FinancialSummary = z.output<typeof financialSummary>;
