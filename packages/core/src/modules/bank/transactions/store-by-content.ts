import { createHash } from 'node:crypto';
import type { SkippedTransaction } from '@finhook/contracts';
import { withSuffix } from '@finhook/contracts/transaction-content';
import {
  bigintColumn,
  columnArrays,
  columnNames,
  textColumn,
  timestamptzColumn,
  unnestSql,
} from '../../../db/binary-array.ts';
import { WriteConflict } from '../../../db/database-error.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { firstInstantSql } from '../../../time/calendar.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import { notesReceipts, storedKeys } from './compare-rows.ts';
import { insertTransactions } from './insert-transactions.ts';
import { matchGroup, type StoredContent } from './match-content.ts';
import { type IngestPlan, type PlannedRow, rowKey } from './plan-ingest.ts';
import type { StoredRows } from './store-rows.ts';

const columns = [
  textColumn<PlannedRow>('connection_id', ({ row }) => row.connection_id ?? ''),
  timestamptzColumn<PlannedRow>('posted_at', ({ row }) => Date.parse(row.posted_at)),
  bigintColumn<PlannedRow>('amount_cents', ({ row }) => row.amount_cents),
  textColumn<PlannedRow>('currency', ({ row }) => row.currency),
];

/** Stored rows compared per group: more than a request can have, so that none counts as new by mistake. */
const MAX_GROUP_ROWS = 1000;
const group = 'connection_id, day, amount_cents, currency';

// One index range per day. IS TRUE keeps the list of groups a hash table; as a join, the planner may compare each row of
// the day with each row of the request.
const readGroups = statement(
  'read_alike_transactions',
  `WITH sent AS MATERIALIZED (
     SELECT s.connection_id, (s.posted_at AT TIME ZONE $4)::date AS day, s.amount_cents, s.currency, s.position
     FROM ${unnestSql(columns, 5)} WITH ORDINALITY AS s (${columnNames(columns)}, position)
   ),
   known AS MATERIALIZED (
     SELECT d.day, b.*, row_number() OVER (PARTITION BY ${group} ORDER BY posted_at, id) AS number
     FROM (SELECT DISTINCT day FROM sent) d
     CROSS JOIN LATERAL (
       SELECT * FROM bank_transaction t
       WHERE t.company_id = $1
         AND t.posted_at >= ${firstInstantSql('d.day::timestamp', '$4')}
         AND t.posted_at < ${firstInstantSql('(d.day + 1)::timestamp', '$4')}
       ORDER BY t.posted_at, t.id OFFSET 0
     ) b
     WHERE ((b.connection_id, d.day, b.amount_cents, b.currency) IN (SELECT ${group} FROM sent)) IS TRUE
   ),
   ${notesReceipts}
   SELECT (SELECT json_agg(day ORDER BY position) FROM sent) AS days,
     (SELECT json_agg(json_build_object('id', id, 'connection_id', connection_id, 'external_id', external_id, 'day', day,
        'amount_cents', amount_cents, 'currency', currency, 'description', description, 'category', category,
        'counterparty', counterparty, 'source', source))
      FROM known WHERE number <= ${MAX_GROUP_ROWS}) AS stored`,
);

const groupOf = (day: string | undefined, row: Pick<StoredContent, 'amount_cents' | 'currency'>, connection: string) =>
  `${day}|${row.amount_cents}|${row.currency}|${connection}`;

/** The transaction holds the lock of each connection. Throws `WriteConflict` if a new row's id was just stored. */
export async function storeByContent(
  db: Queryable,
  company: LockedCompany,
  { rows, createdAt }: IngestPlan,
  now: Date,
): Promise<StoredRows> {
  const known = await findKnown(db, company, rows, now);
  const unknown = rows.filter((row) => !known.has(row));
  const inserted = await withUniqueIds(db, company, unknown);
  const insertedIds = await insertTransactions(db, company, inserted, createdAt);
  if (insertedIds.size < inserted.length) throw new WriteConflict();
  return { inserted, updated: [], rejected: [], skipped: rows.flatMap((row) => known.get(row) ?? []) };
}

async function findKnown(
  db: Queryable,
  company: LockedCompany,
  rows: readonly PlannedRow[],
  now: Date,
): Promise<Map<PlannedRow, SkippedTransaction>> {
  if (rows.length === 0) return new Map();
  const [found] = await db.query<{ days: string[]; stored: StoredContent[] | null }>(readGroups, [
    company.id,
    company.account_id,
    now.toISOString(),
    company.timezone,
    ...columnArrays(columns, rows),
  ]);
  const stored = Map.groupBy(found?.stored ?? [], (row) => groupOf(row.day, row, row.connection_id));
  const sent = Map.groupBy(rows.entries(), ([i, { row }]) => groupOf(found?.days[i], row, row.connection_id ?? ''));
  const known = new Map<PlannedRow, SkippedTransaction>();
  for (const [key, candidates] of stored) {
    const matches = matchGroup(
      (sent.get(key) ?? []).map(([, planned]) => planned),
      candidates,
    );
    for (const [planned, match] of matches) known.set(planned, describe(planned, match.stored, match.by));
  }
  return known;
}

function describe(
  { index, row, reference, explicit }: PlannedRow,
  stored: StoredContent,
  by: SkippedTransaction['matched_by'],
): SkippedTransaction {
  const compared = (['description', 'category', 'counterparty', 'source'] as const).filter(
    (field) => field !== 'source' || explicit.source,
  );
  const sent = { ...row, category: row.posted_category };
  return {
    index,
    external_id: reference ?? stored.external_id,
    connection_id: row.connection_id,
    reason: 'known',
    existing_id: stored.id,
    differs: compared.filter((field) => sent[field] !== stored[field]),
    matched_by: by,
  };
}

/** Adds a suffix to references that are ids of stored rows or of earlier ones. */
async function withUniqueIds(
  db: Queryable,
  company: LockedCompany,
  rows: readonly PlannedRow[],
): Promise<PlannedRow[]> {
  const taken = await storedKeys(
    db,
    company,
    rows.filter(({ reference }) => reference !== undefined),
  );
  return rows.map((planned) => {
    const { row, reference } = planned;
    const key = rowKey(row);
    const isFree = !taken.has(key);
    taken.add(key);
    if (isFree || reference === undefined) return planned;
    const hex = createHash('sha256').update(row.id).digest('hex').slice(0, 16);
    return { ...planned, row: { ...row, external_id: withSuffix(reference, hex) } };
  });
}
