import { statement } from '../../db/queryable.ts';
import type { Core } from '../../kernel/context.ts';
import { transaction, type UnitOfWork } from '../../kernel/transaction.ts';
import { type AuditSeal, chainStart, hashSeal, readSettledRows } from './audit-seal.ts';

export interface AuditSealOptions {
  rowsPerSeal?: number;
  maxSeals?: number;
}

const readHead = statement(
  'read_audit_head',
  `SELECT sequence::int AS sequence, last_transaction::text AS last_xid, last_id, hash FROM audit_seal
   WHERE sequence > $1 ORDER BY audit_seal.sequence DESC LIMIT 1`,
);

const insertSeal = statement(
  'insert_audit_seal',
  `INSERT INTO audit_seal (sequence, last_transaction, last_id, row_ids, row_hashes, previous_hash, hash, sealed_at)
   VALUES ($1, $2::xid8, $3, $4, $5, $6, $7, $8)`,
);

/**
 * Seals settled rows of the audit log, off the write path; returns the number of rows. It waits for transactions that
 * commit late, so it never skips a row. Runs of several workers are serialised.
 */
export async function sealAuditLog(core: Core, options: AuditSealOptions = {}): Promise<number> {
  const { rowsPerSeal = 1_000, maxSeals = 1_000 } = options;
  let rows = 0;
  for (let seals = 0; seals < maxSeals; seals++) {
    // no audit here: it seals the audit log, and would never come to an end
    // no event here: nothing of an account changes
    const sealed = await transaction(core, { lock: 'audit_seal' }, (tx) => sealNext(tx, core, rowsPerSeal));
    rows += sealed;
    if (sealed < rowsPerSeal) break;
  }
  return rows;
}

interface HeadRow {
  sequence: number;
  last_xid: string;
  last_id: string;
  hash: string;
}

async function sealNext(tx: UnitOfWork, core: Core, limit: number): Promise<number> {
  const [row] = await tx.query<HeadRow>(readHead, [chainStart.sequence]);
  const head = row ? { ...row, position: { xid: row.last_xid, id: row.last_id } } : chainStart;
  const rows = await readSettledRows(tx, head.position, limit);
  const last = rows.at(-1);
  if (!last) return 0;
  const seal: AuditSeal = {
    sequence: head.sequence + 1,
    position: { xid: last.xid, id: last.id },
    rowIds: rows.map(({ id }) => id),
    rowHashes: rows.map(({ hash }) => hash),
    previousHash: head.hash,
    sealedAt: core.clock.now().toISOString(),
  };
  await tx.query(insertSeal, [
    seal.sequence,
    seal.position.xid,
    seal.position.id,
    seal.rowIds,
    seal.rowHashes,
    seal.previousHash,
    hashSeal(seal),
    seal.sealedAt,
  ]);
  return rows.length;
}
