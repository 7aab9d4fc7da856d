import { createHash } from 'node:crypto';
import { type Queryable, systemStatement } from '../../db/queryable.ts';

/** One link of the chain, over rows that no earlier seal has. */
export interface AuditSeal {
  /** Starts at 1, without gaps. */
  sequence: number;
  /** The transaction and the id of the last row; only in seals of version 0.2.0. */
  last?: { xid: string; id: string } | undefined;
  rowIds: readonly string[];
  /** SHA-256 of each row, in hex. */
  rowHashes: readonly string[];
  previousHash: string;
  /** ISO 8601, UTC. */
  sealedAt: string;
}

export const chainStart = { sequence: 0, hash: '0'.repeat(64) };

/** Hex SHA-256 of the previous seal's hash and the seal's own fields. */
export function hashSeal({ sequence, last, rowIds, rowHashes, previousHash, sealedAt }: AuditSeal): string {
  const content = [previousHash, sequence, ...(last ? [last.xid, last.id] : []), sealedAt, rowIds, rowHashes];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

export interface HashedRow {
  id: string;
  account_id: string;
  position: string;
  hash: string;
}

// SHA-256 of the row as JSON: fixed column order, `jsonb` in PostgreSQL's normal form, times in milliseconds since the
// epoch. Rows of version 0.2.0 have a transaction id, later ones their position and their events.
const ROW_HASH = `encode(sha256(convert_to((jsonb_build_array(id, account_id, company_id, actor::text, actor_id, actor_type, action,
  resource_id, request_id, ip, before::text, after::text, (extract(epoch FROM created_at) * 1000)::bigint, xid::text)
  || CASE WHEN event_id IS NULL THEN '[]' ELSE jsonb_build_array(event_id) END
  || CASE WHEN xid IS NULL THEN jsonb_build_array(position, event_ids) ELSE '[]' END)::text, 'UTF8')), 'hex')`;

const hashed = `id, account_id, position, ${ROW_HASH} AS hash`;

// Rows of an account become visible in the order of their positions, so none is skipped.
const readUnsealed = systemStatement(
  'read_unsealed_audit',
  `SELECT a.* FROM account_sequence s LEFT JOIN audit_seal_position p ON p.account_id = s.account_id
   CROSS JOIN LATERAL (
     SELECT ${hashed} FROM audit_log
     WHERE account_id = s.account_id AND position > coalesce(p.position, 0) ORDER BY position LIMIT $1
   ) a
   WHERE s.audit_position > coalesce(p.position, 0)
   ORDER BY s.account_id, a.position LIMIT $1`,
);

const readByIds = systemStatement('read_sealed_audit', `SELECT ${hashed} FROM audit_log WHERE id = ANY ($1::text[])`);

const readUnlisted = systemStatement(
  'read_unlisted_audit',
  `SELECT a.id FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS r (account_id, first, last)
   JOIN audit_log a ON a.account_id = r.account_id AND a.position BETWEEN r.first AND r.last
   WHERE a.id <> ALL ($4::text[]) ORDER BY a.id LIMIT 1`,
);

/** At most `limit` rows, by account and position. */
export function readUnsealedRows(db: Queryable, limit: number): Promise<HashedRow[]> {
  return db.query<HashedRow>(readUnsealed, [limit]);
}

export function readRows(db: Queryable, ids: readonly string[]): Promise<HashedRow[]> {
  return db.query<HashedRow>(readByIds, [ids]);
}

/** First row id missing from the seal. */
export async function findUnlistedRow(db: Queryable, rows: readonly HashedRow[]): Promise<string | undefined> {
  const ranges = [...rangesOf(rows)];
  const [found] = await db.query<{ id: string }>(readUnlisted, [
    ranges.map(([accountId]) => accountId),
    ranges.map(([, { first }]) => String(first)),
    ranges.map(([, { last }]) => String(last)),
    rows.map(({ id }) => id),
  ]);
  return found?.id;
}

export function rangesOf(rows: readonly HashedRow[]): Map<string, { first: bigint; last: bigint }> {
  const ranges = new Map<string, { first: bigint; last: bigint }>();
  for (const { account_id, position } of rows) {
    const at = BigInt(position);
    const { first, last } = ranges.get(account_id) ?? { first: at, last: at };
    ranges.set(account_id, { first: at < first ? at : first, last: at > last ? at : last });
  }
  return ranges;
}
