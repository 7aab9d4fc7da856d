import type { Context } from '../src/verbs/context.ts';

export interface AuditRow {
  action: string;
  company_id: string | null;
  resource_id: string;
  actor: { type: string };
  ip: string | null;
  request_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

interface AuditFilter {
  resource_id?: string;
  company_id?: string;
  request_id?: string;
  /** An action, or a pattern for LIKE. */
  action?: string;
}

/** Returns these columns of the account's matching audit rows, oldest first. */
export async function readAudits<Column extends keyof AuditRow>(
  context: Context,
  filter: AuditFilter,
  ...columns: [Column, ...Column[]]
): Promise<Pick<AuditRow, Column>[]> {
  const { resource_id = null, company_id = null, request_id = null, action = '%' } = filter;
  return context.database.query(
    `SELECT ${columns.join(', ')} FROM audit_log WHERE account_id = $1 AND action LIKE $2
       AND resource_id = coalesce($3, resource_id) AND request_id = coalesce($4, request_id)
       AND ($5::text IS NULL OR company_id = $5) ORDER BY id`,
    [context.accountId, action, resource_id, request_id, company_id],
  );
}
