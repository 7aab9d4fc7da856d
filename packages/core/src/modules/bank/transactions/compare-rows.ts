import type { BankTransactionRow } from '@finhook/contracts';
import {
  type ArrayColumn,
  bigintColumn,
  columnArrays,
  columnNames,
  textColumn,
  timestamptzColumn,
  unnestSql,
} from '../../../db/binary-array.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import { type PlannedRow, rowKey } from './plan-ingest.ts';

/** `currency` and `source` are null if they are not compared. */
export type RowContent = Pick<
  BankTransactionRow,
  'connection_id' | 'external_id' | 'posted_at' | 'amount_cents' | 'description' | 'posted_category' | 'counterparty'
> & {
  currency: string | null;
  source: string | null;
};

type Sent = Pick<BankTransactionRow, 'posted_at' | 'amount_cents' | 'description' | 'posted_category' | 'counterparty'>;

export const sentColumns: readonly ArrayColumn<Sent>[] = [
  timestamptzColumn('posted_at', (row) => Date.parse(row.posted_at)),
  bigintColumn('amount_cents', (row) => row.amount_cents),
  textColumn('description', (row) => row.description),
  textColumn('category', (row) => row.posted_category),
  textColumn('counterparty', (row) => row.counterparty),
];

export const contentColumns: readonly ArrayColumn<RowContent>[] = [
  textColumn('connection_id', (row) => row.connection_id ?? ''),
  textColumn('external_id', (row) => row.external_id),
  ...sentColumns,
  textColumn('currency', (row) => row.currency),
  textColumn('source', (row) => row.source),
];

export interface KnownRow {
  id: string;
  differs: string[];
  voided: boolean;
}

const whereItDiffers = (field: string): string =>
  `CASE WHEN b.${field} IS DISTINCT FROM k.${field} THEN '${field}' END`;
/** A field that the request omits is not compared. */
const whereSentItDiffers = (field: string): string => `CASE WHEN b.${field} <> k.${field} THEN '${field}' END`;
const differences = [
  ...['posted_at', 'amount_cents', 'description', 'category', 'counterparty'].map(whereItDiffers),
  ...['currency', 'source'].map(whereSentItDiffers),
];
/** SQL: comma-separated fields in which the stored row `b` differs from the sent `k`; null if equal. */
export const differsSql = `nullif(concat_ws(',', ${differences.join(', ')}), '')`;

// The LIMIT makes it one index probe per key, even in a plan that was made while the table was empty.
const storedRow = `
     SELECT * FROM bank_transaction t
     WHERE t.company_id = $1 AND t.connection_id = k.connection_id AND t.external_id = k.external_id LIMIT 1`;

/**
 * A CTE after `known`: notes the arrival of known rows without a registered connection, at most once a minute. `$1` is the
 * company, `$2` the account, `$3` the time.
 */
export const notesReceipts = `receipts AS (
     INSERT INTO transaction_receipt AS r (company_id, account_id, connection_id, received_at)
     SELECT $1, $2, s.connection_id, $3::timestamptz
     FROM (
       SELECT DISTINCT connection_id FROM known
       WHERE NOT starts_with(connection_id, 'conn_') AND created_at <= $3::timestamptz - interval '1 minute'
     ) s
     WHERE NOT EXISTS (
       SELECT FROM transaction_receipt t WHERE t.company_id = $1 AND t.connection_id = s.connection_id
         AND t.received_at > $3::timestamptz - interval '1 minute'
     )
     ORDER BY s.connection_id
     ON CONFLICT (company_id, connection_id) DO UPDATE SET received_at = greatest(r.received_at, excluded.received_at)
   )`;

const compare = statement(
  'compare_transactions',
  `WITH known AS MATERIALIZED (
     SELECT k.position::int, b.id, b.connection_id, b.created_at, b.voided_at IS NOT NULL AS voided, ${differsSql} AS differs
     FROM ${unnestSql(contentColumns, 4)} WITH ORDINALITY AS k (${columnNames(contentColumns)}, position)
     CROSS JOIN LATERAL (${storedRow}) b
   ),
   ${notesReceipts}
   SELECT position, id, differs, voided FROM known`,
);

export async function compareRows(
  db: Queryable,
  company: LockedCompany,
  sent: readonly PlannedRow[],
  now: Date,
): Promise<Map<PlannedRow, KnownRow>> {
  if (sent.length === 0) return new Map();
  const known = await db.query<{ position: number; id: string; differs: string | null; voided: boolean }>(compare, [
    company.id,
    company.account_id,
    now.toISOString(),
    ...columnArrays(contentColumns, sent.map(contentOf)),
  ]);
  return new Map(
    known.flatMap(({ position, id, differs, voided }) => {
      const row = sent[position - 1];
      return row ? [[row, { id, differs: differs?.split(',') ?? [], voided }]] : [];
    }),
  );
}

export function contentOf({ row, explicit }: PlannedRow): RowContent {
  return {
    ...row,
    currency: explicit.currency ? row.currency : null,
    source: explicit.source ? row.source : null,
  };
}

const keysOf = (rows: readonly PlannedRow[]): string[][] => [
  rows.map(({ row }) => row.connection_id ?? ''),
  rows.map(({ row }) => row.external_id),
];
const probed = `unnest($2::text[], $3::text[]) AS k (connection_id, external_id) CROSS JOIN LATERAL (${storedRow}) b`;
const probe = statement('probe_transactions', `SELECT FROM ${probed} LIMIT 1`);
const readKeys = statement('read_transaction_keys', `SELECT k.connection_id, k.external_id FROM ${probed}`);

export async function storedKeys(
  db: Queryable,
  company: LockedCompany,
  rows: readonly PlannedRow[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const found = await db.query<{ connection_id: string; external_id: string }>(readKeys, [company.id, ...keysOf(rows)]);
  return new Set(found.map(rowKey));
}

/** With fewer rows, the extra query costs as much as it saves. */
const PROBED_ROWS = 10;

/** Guesses from the first and last row if the batch overlaps the previous one. A wrong guess only costs time. */
export async function looksKnown(db: Queryable, company: LockedCompany, rows: readonly PlannedRow[]): Promise<boolean> {
  if (rows.length < PROBED_ROWS) return false;
  const ends = [rows.at(0), rows.at(-1)].filter((planned) => planned !== undefined);
  const found = await db.query(probe, [company.id, ...keysOf(ends)]);
  return found.length > 0;
}
