import type { SkippedTransaction } from '@finhook/contracts';
import type { Queryable } from '../../kernel/queryable.ts';
import type { LockedCompany } from '../companies/lock-company.ts';
import { compareRows, type KnownRow, seemKnown } from './compare-rows.ts';
import { describeSkips, skipsOf } from './describe-skips.ts';
import { insertTransactions } from './insert-transactions.ts';
import type { IngestPlan, PlannedRow } from './plan-ingest.ts';

/**
 * Inserts the rows of the plan whose key is new, and says of every other one what stands in its place. Rows that seem to
 * be known are looked up before anything is inserted: an insertion that is not made costs twice as much as a look.
 */
export async function storeRows(
  db: Queryable,
  company: LockedCompany,
  plan: IngestPlan,
  now: Date,
): Promise<{ inserted: PlannedRow[]; skipped: SkippedTransaction[] }> {
  const { rows, createdAt } = plan;
  const known = (await seemKnown(db, company, rows))
    ? await compareRows(db, company, rows, now)
    : new Map<PlannedRow, KnownRow>();
  const unknown = rows.filter((row) => !known.has(row));
  const insertedIds = await insertTransactions(db, company, unknown, createdAt);
  const skips = skipsOf(plan, insertedIds);
  // What another request inserted meanwhile is known only now.
  const open = skips.map(({ sent }) => sent).filter((sent) => !known.has(sent));
  const compared = await compareRows(db, company, open, now);
  return {
    inserted: unknown.filter(({ row }) => insertedIds.has(row.id)),
    skipped: describeSkips(skips, new Map([...known, ...compared])),
  };
}
