import type { Actor, Replay } from '@finhook/contracts';
import { toNullableTimestamp, toTimestamp } from '../../kernel/clock.ts';

/** A row of `replay` as PostgreSQL returns it. */
export interface ReplayRow {
  id: string;
  account_id: string;
  endpoint_id: string;
  kind: Replay['kind'];
  status: Replay['status'];
  selection: Replay['only'];
  since: string;
  until: string | null;
  types: string[] | null;
  company_id: string | null;
  /** The transaction that asked for it: what later ones emit reaches the endpoint in the ordinary way. */
  asked_xid: string;
  cursor_xid: string;
  cursor_id: string;
  /** Whether every event up to the end was looked at. */
  scanned: boolean;
  matched: number;
  enqueued: number;
  open: number;
  delivered: number;
  failed: number;
  cancelled: number;
  waiting_for: Replay['waiting_for'];
  error: Replay['error'];
  created_by: Actor;
  finished_at: string | null;
  created_at: string;
  updated_at: string;
}

export function toReplay(row: ReplayRow): Replay {
  return {
    id: row.id,
    object: 'replay',
    account_id: row.account_id,
    kind: row.kind,
    status: row.status,
    endpoint_id: row.endpoint_id,
    only: row.selection,
    since: toTimestamp(row.since),
    until: toNullableTimestamp(row.until),
    types: row.types,
    company_id: row.company_id,
    matched: row.matched,
    enqueued: row.enqueued,
    open: row.open,
    delivered: row.delivered,
    failed: row.failed,
    cancelled: row.cancelled,
    waiting_for: row.waiting_for,
    error: row.error,
    created_by: row.created_by,
    finished_at: toNullableTimestamp(row.finished_at),
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
