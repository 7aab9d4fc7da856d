import type { SkippedTransaction } from '@finhook/contracts';
import { type ArrayColumn, columnArrays, columnNames, textColumn, unnestSql } from '../../../db/binary-array.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import { contentColumns, contentOf, differsSql, type RowContent } from './compare-rows.ts';
import type { IngestPlan } from './plan-ingest.ts';

/** A row known by its content may have another format's text, and a voided row is no transaction. */
export const isChanged = ({ reason, differs }: SkippedTransaction): boolean =>
  reason !== 'known' && reason !== 'voided' && differs.length > 0;

type SentAgain = RowContent & { existing_id: string };

const columns: readonly ArrayColumn<SentAgain>[] = [
  textColumn('existing_id', (row) => row.existing_id),
  ...contentColumns,
];

// Locks rows in the order of other requests, and compares them again: an update may have stored this content since.
const keep = statement(
  'keep_changed_duplicates',
  `WITH b AS MATERIALIZED (
     SELECT * FROM bank_transaction WHERE company_id = $1 AND id = ANY ($4::text[])
     ORDER BY connection_id, external_id FOR SHARE
   )
   INSERT INTO changed_duplicate AS d
     (company_id, account_id, transaction_id, external_id, connection_id, differs, times, first_seen_at, last_seen_at)
   SELECT $1, $2, b.id, b.external_id, b.connection_id, string_to_array(c.differs, ','), 1, $3::timestamptz, $3::timestamptz
   FROM ${unnestSql(columns, 5)} AS k (${columnNames(columns)}) JOIN b ON b.id = k.existing_id
   CROSS JOIN LATERAL (SELECT ${differsSql} AS differs) c
   WHERE c.differs IS NOT NULL AND b.voided_at IS NULL
   ORDER BY b.id
   ON CONFLICT (company_id, transaction_id) DO UPDATE
     SET differs = excluded.differs, times = d.times + 1, last_seen_at = excluded.last_seen_at`,
);

/** For the data-quality report. */
export async function keepChangedDuplicates(
  db: Queryable,
  company: LockedCompany,
  { rows, duplicates }: IngestPlan,
  skipped: readonly SkippedTransaction[],
  now: Date,
): Promise<void> {
  const changed = skipped.filter(isChanged);
  if (changed.length === 0) return;
  const sent = new Map([...rows, ...duplicates.map(({ again }) => again)].map((planned) => [planned.index, planned]));
  // One entry per stored row.
  const byId = new Map<string, SentAgain>();
  for (const { index, existing_id } of changed) {
    const planned = sent.get(index);
    if (existing_id !== null && planned) byId.set(existing_id, { ...contentOf(planned), existing_id });
  }
  const again = [...byId.values()];
  if (again.length === 0) return;
  await db.query(keep, [
    company.id,
    company.account_id,
    now.toISOString(),
    [...byId.keys()],
    ...columnArrays(columns, again),
  ]);
}

const forget = statement(
  'forget_changed_duplicates',
  `DELETE FROM changed_duplicate d USING (
     SELECT transaction_id FROM changed_duplicate WHERE company_id = $1 AND transaction_id = ANY ($2::text[])
     ORDER BY transaction_id FOR UPDATE
   ) l
   WHERE d.company_id = $1 AND d.transaction_id = l.transaction_id`,
);

/** Ends the report of differences that are settled. */
export async function forgetChangedDuplicates(
  db: Queryable,
  company: LockedCompany,
  transactionIds: readonly string[],
): Promise<void> {
  if (transactionIds.length > 0) await db.query(forget, [company.id, transactionIds]);
}
