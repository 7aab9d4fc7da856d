import { type CheckedSnapshot, checkedSnapshot, type operations } from '@finhook/contracts';
import { dateInZone } from '../../../kernel/calendar.ts';
import type { Context } from '../../../kernel/context.ts';
import { record } from '../../../kernel/record.ts';
import type { InputOf, OutputOf } from '../../../kernel/verb.ts';
import { findCompany } from '../../companies/read.ts';
import { getSnapshot } from './read.ts';
import { readNewestStatements, readRelated, toRelated } from './read-related.ts';
import { type RelatedFigures, runChecks } from './run-checks.ts';
import type { StatementContent } from './statement-values.ts';

type Op = typeof operations.financials.snapshots.checks;

export async function checkSnapshot(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const company = await findCompany(context, input.company_id);
  const statement = await getSnapshot(context, input);
  const related = await readRelated(context.database, context.accountId, statement);
  const today = dateInZone(context.clock.now(), company.timezone);
  return { object: 'checked_snapshot', ...toChecked(statement, related, today) };
}

export async function checkNewest(context: Context, companyId: string, today: string): Promise<CheckedSnapshot[]> {
  const statements = await readNewestStatements(context, companyId, today);
  return statements.map((statement) => toChecked(statement, toRelated(statement), today));
}

function toChecked(
  statement: StatementContent & Pick<CheckedSnapshot, 'period_start' | 'period_end' | 'revision'> & { id: string },
  related: RelatedFigures,
  today: string,
): CheckedSnapshot {
  const checks = runChecks(statement, related, today);
  return record(checkedSnapshot, statement, { snapshot_id: statement.id, checks });
}
