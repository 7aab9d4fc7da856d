import type { SkippedTransaction } from '@finhook/contracts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import type { LockedCompany } from '../companies/lock-company.ts';

const keep = statement(
  'keep_changed_duplicates',
  `INSERT INTO changed_duplicate AS d
     (company_id, account_id, transaction_id, external_id, connection_id, differs, times, first_seen_at, last_seen_at)
   SELECT $1, $2, r.existing_id, r.external_id, coalesce(r.connection_id, ''), r.differs, 1, $4, $4
   FROM json_to_recordset($3) AS r (existing_id text, external_id text, connection_id text, differs text[])
   ON CONFLICT (company_id, transaction_id) DO UPDATE
     SET differs = excluded.differs, times = d.times + 1, last_seen_at = excluded.last_seen_at`,
);

/** Remembers skipped rows whose content is not what is stored, for the data-quality report; free where there are none. */
export async function keepChangedDuplicates(
  db: Queryable,
  company: LockedCompany,
  skipped: readonly SkippedTransaction[],
  now: Date,
): Promise<void> {
  const changed = skipped.filter(({ existing_id, differs }) => existing_id !== null && differs.length > 0);
  if (changed.length === 0) return;
  // Each row once, in the order of ids: two requests that overlap cannot deadlock.
  const byId = new Map(changed.map((skip) => [skip.existing_id ?? '', skip]));
  const rows = [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, skip]) => skip);
  await db.query(keep, [company.id, company.account_id, JSON.stringify(rows), now.toISOString()]);
}
