import { z } from 'zod';
import { currency, date, id, objectType } from '../scalars.ts';
import { burn, countedTwice, month, monthlyFlow, runway } from './burn.ts';
import { cashOnHand } from './cash.ts';
import { checkId, statementType } from './financial-snapshot.ts';
import { freshnessGrade } from './freshness.ts';

export const financialSummary = z
  .object({
    object: objectType('financial_summary'),
    company_id: id('co'),
    as_of: date.describe("Today in the company's time zone."),
    timezone: z.string().describe('IANA time zone of the company.'),
    base_currency: currency.describe('ISO 4217 code of the currency that the company reports in.'),
    cash: cashOnHand.describe('Cash on hand per currency.'),
    counted_twice: countedTwice
      .nullable()
      .describe('Connections whose money is probably counted twice, with both figures; null if there are none.'),
    burn: burn.describe('Burn per currency over the last complete months.'),
    runway: runway.describe('Runway per currency.'),
    this_month: z
      .object({ month, flows: z.array(monthlyFlow).describe('Money in and out, one entry per currency.') })
      .describe('Money in and out of the current month so far.'),
    freshness: z
      .object({
        grade: freshnessGrade.describe('The worst grade of the data ever received.'),
        balance: freshnessGrade.describe('Worst grade of the cash balances.'),
        transactions: freshnessGrade.describe('Worst grade of the transactions.'),
        statements: freshnessGrade.describe('Worst grade of the financial statements.'),
      })
      .describe('How recent the data is.'),
    checks: z
      .object({
        passed: z.int().describe('Number of checks that passed.'),
        failed: z.int().describe('Number of checks that found a difference.'),
        skipped: z.int().describe('Number of checks whose figures are missing.'),
        failing: z
          .array(
            z.object({
              snapshot_id: id('fin'),
              statement_type: statementType.describe('`income`, `balance` or `cashflow`.'),
              id: checkId.describe('Check that found the difference, `K1` to `K14`.'),
            }),
          )
          .describe('The checks that found a difference.'),
      })
      .describe('Results of the checks of the newest statements.'),
    data_quality: z
      .object({
        issues: z.int().describe('Number of findings in all.'),
        failed_checks: z.int().describe('Number of statement checks that found a difference.'),
        stale_streams: z.int().describe('Number of connections with stale data.'),
        unexplained_streams: z.int().describe('Number of connections whose balances the transactions do not explain.'),
        changed_duplicates: z.int().describe('Number of transactions that were sent again with different content.'),
        duplicate_connections: z.int().describe('Number of connections that repeat another.'),
      })
      .describe('Counts of the data quality findings.'),
  })
  .meta({
    id: 'FinancialSummary',
    description:
      'The figures of the dashboard in one response. It changes only when a figure changes, so that its ETag holds.',
  });
export type FinancialSummary = z.output<typeof financialSummary>;
