import type { FinancialSnapshot, Warning } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import type { Context } from '../../../kernel/context.ts';

/** Days for which a changed period is reported after the statement was last stored. */
const RECENT_DAYS = 30;
const SHOWN = 20;

// A balance sheet is as of its last day, whatever the start of its period.
const readRows = statement(
  'read_overwritten_periods',
  `SELECT s.id, s.statement_type, s.period_start, s.period_end, o.period_start AS replaced_start
   FROM financial_snapshot s CROSS JOIN LATERAL (
     SELECT r.period_start FROM financial_snapshot_revision r
     WHERE r.snapshot_id = s.id AND r.period_start <> s.period_start
       AND r.recorded_at > $3::timestamptz - interval '${RECENT_DAYS} days'
     ORDER BY r.revision DESC LIMIT 1
   ) o
   WHERE s.company_id = $1 AND s.account_id = $2 AND s.statement_type <> 'balance'
     AND s.updated_at > $3::timestamptz - interval '${RECENT_DAYS} days'
   ORDER BY s.period_end DESC, s.id LIMIT ${SHOWN}`,
);

interface Row {
  id: string;
  statement_type: FinancialSnapshot['statement_type'];
  period_start: string;
  period_end: string;
  replaced_start: string;
}

const names = { income: 'income statement', balance: 'balance sheet', cashflow: 'cash flow statement' } as const;

/**
 * Statements that recently replaced one with another period and the same end, such as a month replacing the year to
 * date.
 */
export async function readOverwritten(context: Context, companyId: string, now: number): Promise<Warning[]> {
  const values = [companyId, context.accountId, new Date(now).toISOString()];
  const rows = await context.database.query<Row>(readRows, values);
  return rows.map((row) => ({
    code: 'period_changed',
    message: `The ${names[row.statement_type]} to ${row.period_end} (${row.id}) begins ${row.period_start} and replaced one that began ${row.replaced_start}. A month and the year to date with the same last day replace each other. The revisions keep the replaced one.`,
  }));
}
