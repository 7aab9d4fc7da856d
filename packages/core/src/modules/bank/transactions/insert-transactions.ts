import type { BankTransactionRow } from '@finhook/contracts';
import {
  type ArrayColumn,
  booleanColumn,
  columnArrays,
  columnNames,
  textColumn,
  unnestSql,
} from '../../../db/binary-array.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import { contentColumns } from './compare-rows.ts';
import type { LockedConnection } from './lock-connections.ts';
import { type PlannedRow, rowKey } from './plan-ingest.ts';

// IS TRUE keeps the day from influencing the choice of index.
const latestCurrencies = statement(
  'latest_balance_currencies',
  `SELECT w.connection_id, l.currency FROM unnest($2::text[]) AS w (connection_id)
   CROSS JOIN (SELECT ($3::timestamptz AT TIME ZONE $4)::date + 1 AS tomorrow) d
   CROSS JOIN LATERAL (
     SELECT b.currency FROM cash_balance b
     WHERE b.company_id = $1 AND b.connection_id = w.connection_id AND (b.as_of <= d.tomorrow) IS TRUE
     ORDER BY b.as_of DESC LIMIT 1
   ) l`,
);

const columns: readonly ArrayColumn<BankTransactionRow>[] = [
  textColumn('id', (row) => row.id),
  booleanColumn('currency_inferred', (row) => row.currency_inferred),
  ...contentColumns,
];

const insert = statement(
  'insert_transactions',
  `INSERT INTO bank_transaction (account_id, company_id, created_at, ${columnNames(columns)})
   SELECT $1, $2, $3::timestamptz, r.* FROM ${unnestSql(columns, 4)} AS r
   ON CONFLICT (company_id, connection_id, external_id) DO NOTHING
   RETURNING id`,
);

/**
 * Fills in a missing currency (decision D22): that of the registered connection, else of the latest balance under the
 * same `connection_id`, else of the company. As in the figures, the latest balance is at most of tomorrow.
 */
export async function inferCurrencies(
  db: Queryable,
  company: LockedCompany,
  rows: readonly PlannedRow[],
  now: Date,
  registered: ReadonlyMap<string, LockedConnection>,
): Promise<void> {
  const unnamed = rows.filter(({ row }) => row.currency_inferred);
  for (const { row } of unnamed) row.currency = registered.get(row.connection_id ?? '')?.currency ?? '';
  const open = unnamed.filter(({ row }) => row.currency === '');
  if (open.length === 0) return;
  const connections = [...new Set(open.map(({ row }) => row.connection_id ?? ''))];
  const known = await db.query<{ connection_id: string; currency: string }>(latestCurrencies, [
    company.id,
    connections,
    now.toISOString(),
    company.timezone,
  ]);
  const byConnection = new Map(known.map(({ connection_id, currency }) => [connection_id, currency]));
  for (const { row } of open) row.currency = byConnection.get(row.connection_id ?? '') ?? company.base_currency;
}

export async function insertTransactions(
  db: Queryable,
  company: LockedCompany,
  rows: readonly PlannedRow[],
  createdAt: string,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  // Sorted keys: overlapping batches lock their rows in the same order and cannot deadlock.
  const keyed = rows.map(({ row }) => ({ row, key: rowKey(row) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const sorted = keyed.map(({ row }) => row);
  const inserted = await db.query<{ id: string }>(insert, [
    company.account_id,
    company.id,
    createdAt,
    ...columnArrays(columns, sorted),
  ]);
  return new Set(inserted.map(({ id }) => id));
}
