import type { Context } from '../verbs/context.ts';

export interface AuditEntry {
  action: string;
  companyId?: string | null;
  resourceId: string;
  before?: unknown;
  after?: unknown;
}

interface PendingAudit {
  /** As returned by `auditValues`. */
  values: readonly unknown[];
  /** Default: all events of the transaction. */
  eventIds?: readonly string[] | undefined;
}

export interface AuditCollector {
  readonly pending: { readonly audits: PendingAudit[] };
}

/** For statements that store audit rows with other rows. */
export const auditColumns =
  'id, account_id, company_id, actor, actor_id, actor_type, action, resource_id, request_id, ip, before, after, created_at';

export const auditTypes = 'text text text jsonb text text text text text text jsonb jsonb timestamptz'.split(' ');

export function auditValues(context: Context, entry: AuditEntry): unknown[] {
  const { reason } = context;
  const after: unknown = reason === undefined ? entry.after : Object.assign({}, entry.after, { reason });
  return [
    context.newId('aud'),
    context.accountId,
    entry.companyId ?? null,
    JSON.stringify(context.actor),
    // The activity log has indexes on these two.
    context.actor.id,
    context.actor.type,
    entry.action,
    entry.resourceId,
    context.request.id,
    context.request.ip,
    entry.before === undefined ? null : JSON.stringify(entry.before),
    after === undefined ? null : JSON.stringify(after),
    context.clock.now().toISOString(),
  ];
}

/** Adds an audit row, which the transaction stores last. */
export function audit(tx: AuditCollector, context: Context, entry: AuditEntry, eventIds?: readonly string[]): void {
  tx.pending.audits.push({ values: auditValues(context, entry), eventIds });
}
