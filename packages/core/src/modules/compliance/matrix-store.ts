import type { ComplianceMatrix } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import type { MatrixRow } from './matrix-row.ts';
import type { KnownFiling } from './plan-resync.ts';

const readStored = statement(
  'read_compliance_items',
  `SELECT key, due_date, period_start, period_end, filing_id, texts FROM compliance_item
   WHERE company_id = $1 ORDER BY due_date, key`,
);

const readFilings = statement(
  'read_compliance_filings',
  `SELECT id, obligation_key AS key, due_date, status = 'open' AS "isOpen" FROM filing
   WHERE company_id = $1 AND obligation_key IS NOT NULL`,
);

const clear = statement('clear_compliance_items', 'DELETE FROM compliance_item WHERE company_id = $1');

const insert = statement(
  'insert_compliance_items',
  `INSERT INTO compliance_item (company_id, account_id, key, due_date, period_start, period_end, filing_id, texts)
   SELECT $1, $2, key, due_date, period_start, period_end, filing_id, texts
   FROM jsonb_to_recordset($3::jsonb) AS r (key text, due_date date, period_start date, period_end date,
     filing_id text, texts jsonb)`,
);

const stamp = statement(
  'stamp_compliance_matrix',
  `INSERT INTO compliance_matrix (company_id, account_id, resynced_at) VALUES ($1, $2, $3)
   ON CONFLICT (company_id) DO UPDATE SET resynced_at = excluded.resynced_at`,
);

const readStamp = statement('read_compliance_stamp', 'SELECT resynced_at FROM compliance_matrix WHERE company_id = $1');

export function readMatrixRows(db: Queryable, companyId: string): Promise<MatrixRow[]> {
  return db.query<MatrixRow>(readStored, [companyId]);
}

export function readKnownFilings(db: Queryable, companyId: string): Promise<KnownFiling[]> {
  return db.query<KnownFiling>(readFilings, [companyId]);
}

export async function storeMatrix(
  db: Queryable,
  context: Context,
  companyId: string,
  rows: readonly MatrixRow[],
): Promise<void> {
  await db.query(clear, [companyId]);
  await db.query(insert, [companyId, context.accountId, JSON.stringify(rows)]);
  await db.query(stamp, [companyId, context.accountId, context.clock.now().toISOString()]);
}

/** Null before the first resync. */
export async function readResyncedAt(db: Queryable, companyId: string): Promise<ComplianceMatrix['resynced_at']> {
  const [row] = await db.query<{ resynced_at: string }>(readStamp, [companyId]);
  return row === undefined ? null : toTimestamp(row.resynced_at);
}
