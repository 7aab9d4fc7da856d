import { type Queryable, statement } from '../db/queryable.ts';
import type { Context } from './context.ts';

export interface AuditEntry {
  action: string;
  companyId?: string | null;
  resourceId: string;
  before?: unknown;
  after?: unknown;
}

/** Columns and values of one audit row, for statements that also write other rows. */
export const auditColumns =
  'id, account_id, company_id, actor, actor_id, actor_type, action, resource_id, request_id, ip, before, after, created_at';

export const auditTypes = 'text text text jsonb text text text text text text jsonb jsonb timestamptz'.split(' ');

const insertAudit = statement(
  'insert_audit',
  `INSERT INTO audit_log (${auditColumns}) SELECT ${auditTypes.map((type, i) => `$${i + 1}::${type}`).join(', ')}`,
);

const insertAudits = statement(
  'insert_audits',
  `INSERT INTO audit_log (${auditColumns}) SELECT ${auditTypes.map((type, i) => `a${i}::${type}`).join(', ')}
   FROM unnest(${auditTypes.map((_, i) => `$${i + 1}::text[]`).join(', ')}) r(${auditTypes.map((_, i) => `a${i}`).join(', ')})`,
);

export function auditValues(context: Context, entry: AuditEntry): unknown[] {
  return [
    context.newId('aud'),
    context.accountId,
    entry.companyId ?? null,
    JSON.stringify(context.actor),
    // Also as columns, for the indexes of the activity log.
    context.actor.id,
    context.actor.type,
    entry.action,
    entry.resourceId,
    context.request.id,
    context.request.ip,
    entry.before === undefined ? null : JSON.stringify(entry.before),
    entry.after === undefined ? null : JSON.stringify(entry.after),
    context.clock.now().toISOString(),
  ];
}

export async function audit(tx: Queryable, context: Context, entry: AuditEntry): Promise<void> {
  await tx.query(insertAudit, auditValues(context, entry));
}

/** Writes rows of several callers with one statement, each with the values of `auditValues`. */
export async function auditAll(tx: Queryable, rows: readonly (readonly unknown[])[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = auditTypes.map((_, i) => rows.map((row) => row[i]));
  await tx.query(insertAudits, columns);
}
