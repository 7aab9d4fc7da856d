import type { CheckedSnapshot } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { readNewestStatements, toRelated } from './read-related.ts';
import { runChecks } from './run-checks.ts';

/** Runs the checks of the newest statement of each type, against what is stored now. */
export async function checkNewest(context: Context, companyId: string, today: string): Promise<CheckedSnapshot[]> {
  const statements = await readNewestStatements(context, companyId, today);
  return statements.map((statement) => ({
    snapshot_id: statement.id,
    statement_type: statement.statement_type,
    period_start: statement.period_start,
    period_end: statement.period_end,
    currency: statement.currency,
    revision: statement.revision,
    checks: runChecks(statement, toRelated(statement), today),
  }));
}
