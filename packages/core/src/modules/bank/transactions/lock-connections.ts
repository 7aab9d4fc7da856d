import { type Queryable, statement } from '../../../db/queryable.ts';
import { connectionDisconnected, isRegistered, unknownConnection } from '../../../ids/connection-id.ts';
import { sharesLock } from '../../../outbox/transaction.ts';
import { type IngestPlan, type PlannedRow, withRejected } from './plan-ingest.ts';

export interface LockedConnection {
  id: string;
  status: string;
  currency: string | null;
  /** True if the arrival must be noted on it: it waits for its first rows, or the last note is a minute old. */
  is_due: boolean;
}

const lock = statement(
  'lock_connections_shared',
  `SELECT id, status, currency,
          status = 'pending' OR transactions_at IS NULL OR transactions_at < $3::timestamptz - interval '1 minute' AS is_due
   FROM bank_connection WHERE id = ANY ($2::text[]) AND company_id = $1 AND ${sharesLock('id')} ORDER BY id FOR KEY SHARE`,
);

const note = statement(
  'note_arrivals_on_connections',
  `UPDATE bank_connection
   SET transactions_at = $2,
       updated_at = CASE WHEN status = 'pending' THEN $2 ELSE updated_at END,
       status = CASE WHEN status = 'pending' THEN 'active' ELSE status END
   WHERE id = ANY ($1::text[])`,
);

/**
 * Share-locks by id the registered connections that the plan's rows name; without any it runs no query. Throws
 * `connection_disconnected` if one of them is. Connections of another company are absent from the result.
 */
export async function lockConnections(
  db: Queryable,
  companyId: string,
  plan: IngestPlan,
  now: Date,
): Promise<Map<string, LockedConnection>> {
  const named = new Set(plan.rows.map(({ row }) => row.connection_id).filter(isRegistered));
  if (named.size === 0) return new Map();
  const rows = await db.query<LockedConnection>(lock, [companyId, [...named], now.toISOString()]);
  const gone = rows.find(({ status }) => status === 'disconnected');
  if (gone) throw connectionDisconnected(gone.id);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Notes the arrival of transactions on connections, at most once a minute each, and activates pending ones. */
export async function noteArrivals(
  db: Queryable,
  connections: ReadonlyMap<string, LockedConnection>,
  now: Date,
): Promise<void> {
  const due = [...connections.values()].filter((connection) => connection.is_due).map(({ id }) => id);
  if (due.length > 0) await db.query(note, [due, now.toISOString()]);
}

/** Returns the plan with rows of other companies' connections among the rejected ones. */
export function rejectUnknownConnections(
  plan: IngestPlan,
  connections: ReadonlyMap<string, LockedConnection>,
): IngestPlan {
  const isUnknown = ({ row }: PlannedRow) => isRegistered(row.connection_id) && !connections.has(row.connection_id);
  const unknown = [
    ...plan.rows.filter(isUnknown).map(({ index }) => index),
    ...plan.duplicates.filter(({ first }) => isUnknown(first)).map(({ index }) => index),
  ];
  if (unknown.length === 0) return plan;
  const errors = unknown.map((index) => ({ index, ...unknownConnection(`${plan.rowPointer(index)}/connection_id`) }));
  return {
    ...withRejected(plan, errors),
    rows: plan.rows.filter((planned) => !isUnknown(planned)),
    duplicates: plan.duplicates.filter(({ first }) => !isUnknown(first)),
  };
}
