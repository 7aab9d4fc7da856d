import { type Queryable, statement } from '../../../db/queryable.ts';
import { connectionDisconnected, isRegistered, unknownConnection } from '../../../ids/connection-id.ts';
import { sharesLock } from '../../../outbox/transaction.ts';
import { type IngestPlan, type PlannedRow, withRejected } from './plan-ingest.ts';

export interface LockedConnection {
  id: string;
  status: string;
  currency: string | null;
  /** True if it is pending, or its last arrival was noted more than a minute ago. */
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

/** Connections of other companies are absent from the result. Throws `connection_disconnected`. */
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

/** At most once a minute per connection. Activates pending ones. */
export async function noteArrivals(
  db: Queryable,
  connections: ReadonlyMap<string, LockedConnection>,
  now: Date,
): Promise<void> {
  const due = [...connections.values()].filter((connection) => connection.is_due).map(({ id }) => id);
  if (due.length > 0) await db.query(note, [due, now.toISOString()]);
}

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
