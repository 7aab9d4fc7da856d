import type { CheckedSnapshot } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { readNewestStatements, toRelated } from './read-related.ts';
import { toChecked } from './to-checked.ts';

/** Runs the checks of the newest statement of each type, against what is stored now. */
export async function checkNewest(context: Context, companyId: string, today: string): Promise<CheckedSnapshot[]> {
  const statements = await readNewestStatements(context, companyId, today);
  return statements.map((statement) => toChecked(statement, toRelated(statement), today));
}
