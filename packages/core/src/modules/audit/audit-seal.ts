import { createHash } from 'node:crypto';
import { type Queryable, statement } from '../../db/queryable.ts';
import { feedHorizon } from '../../kernel/feed-horizon.ts';

/** One link of the chain: the rows after the previous seal's position up to its own. */
export interface AuditSeal {
  /** Starts at 1, without gaps. */
  sequence: number;
  position: AuditPosition;
  rowIds: readonly string[];
  /** SHA-256 of each row, in hex. */
  rowHashes: readonly string[];
  previousHash: string;
  /** ISO 8601, UTC. */
  sealedAt: string;
}

/** A position in the audit log, ordered by (transaction id, id); settled rows never move. */
export interface AuditPosition {
  xid: string;
  id: string;
}

export const chainStart = { sequence: 0, hash: '0'.repeat(64), position: { xid: '0', id: '' } };

/** SHA-256 of the seal in hex, over the previous seal's hash and all its own fields. */
export function hashSeal({ sequence, position, rowIds, rowHashes, previousHash, sealedAt }: AuditSeal): string {
  const content = [previousHash, sequence, position.xid, position.id, sealedAt, rowIds, rowHashes];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

export interface HashedRow {
  id: string;
  xid: string;
  hash: string;
}

/**
 * SHA-256 of the whole row as canonical JSON: a fixed order of columns, `jsonb` in PostgreSQL's normal form, times in
 * milliseconds since the epoch.
 */
const ROW_HASH = `encode(sha256(convert_to((jsonb_build_array(id, account_id, company_id, actor::text, actor_id, actor_type, action,
  resource_id, request_id, ip, before::text, after::text, (extract(epoch FROM created_at) * 1000)::bigint, xid::text)
  || CASE WHEN event_id IS NULL THEN '[]' ELSE jsonb_build_array(event_id) END)::text, 'UTF8')), 'hex')`;

// `ORDER BY xid` alone would mean the output column, which is text: 1000 before 999.
const readSettled = statement(
  'read_settled_audit',
  `SELECT id, xid::text AS xid, ${ROW_HASH} AS hash FROM audit_log
   WHERE (xid, id) > ($1::xid8, $2::text) AND xid < ${feedHorizon}
   ORDER BY audit_log.xid, id LIMIT $3`,
);

const readBetween = statement(
  'read_audit_between',
  `SELECT id, xid::text AS xid, ${ROW_HASH} AS hash FROM audit_log
   WHERE (xid, id) > ($1::xid8, $2::text) AND (xid, id) <= ($3::xid8, $4::text)
   ORDER BY audit_log.xid, id`,
);

/** Rows after `from` that no open transaction can precede any more (as in the feed), in order. */
export function readSettledRows(db: Queryable, from: AuditPosition, limit: number): Promise<HashedRow[]> {
  return db.query<HashedRow>(readSettled, [from.xid, from.id, limit]);
}

export function readRowsBetween(db: Queryable, from: AuditPosition, to: AuditPosition): Promise<HashedRow[]> {
  return db.query<HashedRow>(readBetween, [from.xid, from.id, to.xid, to.id]);
}
