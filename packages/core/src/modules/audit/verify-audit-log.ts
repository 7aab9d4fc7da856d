import { systemStatement } from '../../db/queryable.ts';
import { idTime } from '../../ids/ids.ts';
import { toTimestamp } from '../../time/clock.ts';
import type { Core } from '../../verbs/context.ts';
import { type AuditSeal, chainStart, findUnlistedRow, type HashedRow, hashSeal, readRows } from './audit-seal.ts';

/** The first difference. Without a row id it is in the chain itself. */
export interface AuditMismatch {
  kind: 'altered' | 'removed' | 'inserted';
  sequence: number;
  rowId?: string;
}

export interface SealHead {
  sequence: number;
  hash: string;
}

export interface AuditReport {
  seals: number;
  rows: number;
  /** Rows are compared from `fromSeal` on; before it, only the chain is verified. */
  compared: { seals: number; rows: number };
  unsealed: number;
  expired: number;
  head: SealHead | undefined;
  mismatch: AuditMismatch | undefined;
}

export interface AuditVerification {
  head?: SealHead | undefined;
  /** Rows of earlier seals may have expired. */
  fromSeal?: number;
  /** Rows of months before this time may have expired. */
  expiredBefore?: Date;
}

interface SealRow {
  sequence: number;
  last_xid: string | null;
  last_id: string | null;
  row_ids: string[];
  row_hashes: string[];
  previous_hash: string;
  hash: string;
  sealed_at: string;
}

const readSeal = systemStatement(
  'read_audit_seal',
  `SELECT sequence::int AS sequence, last_transaction::text AS last_xid, last_id, row_ids, row_hashes, previous_hash, hash, sealed_at
   FROM audit_seal WHERE sequence > $1 ORDER BY audit_seal.sequence LIMIT 1`,
);
const countUnsealed = systemStatement(
  'count_unsealed_audit',
  `SELECT count(*)::int AS unsealed
   FROM audit_log a LEFT JOIN audit_seal_position p ON p.account_id = a.account_id
   WHERE a.position > coalesce(p.position, $1::bigint)`,
);

/** Stops at the first difference. */
export async function verifyAuditLog(core: Core, options: AuditVerification = {}): Promise<AuditReport> {
  const { fromSeal = 1, head: noted, expiredBefore = new Date(0) } = options;
  const firstKept = `aud_${idTime(monthStart(expiredBefore))}`;
  let last: SealHead = chainStart;
  let rows = 0;
  const compared = { seals: 0, rows: 0 };
  let expired = 0;
  let mismatch: AuditMismatch | undefined;
  while (!mismatch) {
    const [row] = await core.database.query<SealRow>(readSeal, [last.sequence]);
    if (!row) break;
    const seal = toSeal(row);
    const found = seal.sequence < fromSeal ? undefined : await readRows(core.database, seal.rowIds);
    mismatch =
      findChainMismatch(seal, row.hash, last, noted) ??
      (found && (await findRowMismatch(core, seal, found, firstKept)));
    if (mismatch) break;
    rows += seal.rowIds.length;
    if (found) {
      compared.seals++;
      compared.rows += seal.rowIds.length;
      // No mismatch, so the missing rows have expired.
      expired += seal.rowIds.length - found.length;
    }
    last = { sequence: seal.sequence, hash: row.hash };
  }
  if (!mismatch && noted && noted.sequence > last.sequence) mismatch = { kind: 'removed', sequence: last.sequence + 1 };
  const [counted] = await core.database.query<{ unsealed: number }>(countUnsealed, [0]);
  const head = last.sequence === 0 ? undefined : { sequence: last.sequence, hash: last.hash };
  return { seals: last.sequence, rows, compared, unsealed: counted?.unsealed ?? 0, expired, head, mismatch };
}

/** Retention drops whole months. */
function monthStart(moment: Date): number {
  return Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), 1);
}

function toSeal(row: SealRow): AuditSeal {
  return {
    sequence: row.sequence,
    last: row.last_xid === null || row.last_id === null ? undefined : { xid: row.last_xid, id: row.last_id },
    rowIds: row.row_ids,
    rowHashes: row.row_hashes,
    previousHash: row.previous_hash,
    sealedAt: toTimestamp(row.sealed_at),
  };
}

function findChainMismatch(seal: AuditSeal, hash: string, last: SealHead, noted?: SealHead): AuditMismatch | undefined {
  const { sequence } = seal;
  if (sequence !== last.sequence + 1) return { kind: 'removed', sequence: last.sequence + 1 };
  const holds = seal.previousHash === last.hash && hashSeal(seal) === hash;
  const asNoted = noted?.sequence !== sequence || noted.hash === hash;
  return holds && asNoted ? undefined : { kind: 'altered', sequence };
}

async function findRowMismatch(
  { database }: Core,
  seal: AuditSeal,
  found: readonly HashedRow[],
  firstKept: string,
): Promise<AuditMismatch | undefined> {
  const { sequence } = seal;
  const now = new Map(found.map(({ id, hash }) => [id, hash]));
  for (const [i, rowId] of seal.rowIds.entries()) {
    const hash = now.get(rowId);
    if (hash === undefined && rowId < firstKept) continue;
    if (hash === undefined) return { kind: 'removed', sequence, rowId };
    if (hash !== seal.rowHashes[i]) return { kind: 'altered', sequence, rowId };
  }
  const extra = await findUnlistedRow(database, found);
  return extra === undefined ? undefined : { kind: 'inserted', sequence, rowId: extra };
}
