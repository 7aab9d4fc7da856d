import { type Queryable, statement } from '../../db/queryable.ts';
import type { Context } from '../../kernel/context.ts';
import { rejectFields } from '../../kernel/domain-error.ts';

const findCase = statement(
  'find_case_of_company',
  'SELECT id FROM case_file WHERE id = $1 AND account_id = $2 AND company_id = $3',
);

/** Rejects a `case_id` that is no case of this company; null and undefined pass. */
export async function assertCase(
  db: Queryable,
  context: Context,
  companyId: string,
  caseId: string | null | undefined,
): Promise<void> {
  if (caseId == null) return;
  const rows = await db.query(findCase, [caseId, context.accountId, companyId]);
  if (rows.length > 0) return;
  rejectFields([{ pointer: '/case_id', code: 'record_not_found', message: 'is not a case of this company' }]);
}
