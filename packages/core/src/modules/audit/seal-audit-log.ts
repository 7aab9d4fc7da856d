import type { Transaction } from '../../db/database.ts';
import { systemStatement } from '../../db/queryable.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Core } from '../../verbs/context.ts';
import { type AuditSeal, chainStart, hashSeal, rangesOf, readUnsealedRows } from './audit-seal.ts';

export interface AuditSealOptions {
  rowsPerSeal?: number;
  maxSeals?: number;
}

const readHead = systemStatement(
  'read_audit_head',
  `SELECT sequence::int AS sequence, hash FROM audit_seal WHERE sequence > $1
   ORDER BY audit_seal.sequence DESC LIMIT 1`,
);

const insertSeal = systemStatement(
  'insert_audit_seal',
  `WITH upto AS (
     INSERT INTO audit_seal_position (account_id, position, sequence)
     SELECT *, $1::bigint FROM unnest($7::text[], $8::bigint[])
     ON CONFLICT (account_id) DO UPDATE SET position = excluded.position, sequence = excluded.sequence
   )
   INSERT INTO audit_seal (sequence, row_ids, row_hashes, previous_hash, hash, sealed_at) VALUES ($1, $2, $3, $4, $5, $6)`,
);

/** Seals unsealed rows of the audit log and returns their number. Workers take turns. */
export async function sealAuditLog(core: Core, options: AuditSealOptions = {}): Promise<number> {
  const { rowsPerSeal = 1_000, maxSeals = 1_000 } = options;
  let rows = 0;
  for (let seals = 0; seals < maxSeals; seals++) {
    const sealed = await transaction(core, { records: 'nothing', lock: 'audit_seal' }, (tx) =>
      sealNext(tx, core, rowsPerSeal),
    );
    rows += sealed;
    if (sealed < rowsPerSeal) break;
  }
  return rows;
}

interface Head {
  sequence: number;
  hash: string;
}

async function sealNext(tx: Transaction, core: Core, limit: number): Promise<number> {
  const [head = chainStart] = await tx.query<Head>(readHead, [chainStart.sequence]);
  const rows = await readUnsealedRows(tx, limit);
  if (rows.length === 0) return 0;
  const seal: AuditSeal = {
    sequence: head.sequence + 1,
    rowIds: rows.map(({ id }) => id),
    rowHashes: rows.map(({ hash }) => hash),
    previousHash: head.hash,
    sealedAt: core.clock.now().toISOString(),
  };
  const ranges = [...rangesOf(rows)];
  await tx.query(insertSeal, [
    seal.sequence,
    seal.rowIds,
    seal.rowHashes,
    seal.previousHash,
    hashSeal(seal),
    seal.sealedAt,
    ranges.map(([accountId]) => accountId),
    ranges.map(([, { last }]) => String(last)),
  ]);
  return rows.length;
}
