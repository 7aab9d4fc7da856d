import type { SkippedTransaction, Warning } from '@finhook/contracts';
import type { Queryable } from '../../../db/queryable.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import { isChanged } from './changed-duplicates.ts';
import { compareRows, type KnownRow, looksKnown } from './compare-rows.ts';
import { insertTransactions } from './insert-transactions.ts';
import type { IngestPlan, PlannedRow } from './plan-ingest.ts';
import { type UpdatedKnown, type UpdateOptions, updateKnown } from './update-known.ts';

export interface StoredRows {
  inserted: readonly PlannedRow[];
  updated: readonly UpdatedKnown[];
  /** Known rows that the request may not update. */
  rejected: readonly PlannedRow[];
  skipped: SkippedTransaction[];
}

interface StoreRowsOptions extends UpdateOptions {
  updates: boolean;
}

/** Rows that seem known are looked up before the insert: a conflicting insert costs twice as much as a look-up. */
export async function storeRows(
  db: Queryable,
  company: LockedCompany,
  plan: IngestPlan,
  { updates, ...options }: StoreRowsOptions,
): Promise<StoredRows> {
  const { rows, createdAt } = plan;
  const now = options.clock.now();
  const known = (await looksKnown(db, company, rows))
    ? await compareRows(db, company, rows, now)
    : new Map<PlannedRow, KnownRow>();
  const unknown = rows.filter((row) => !known.has(row));
  const insertedIds = await insertTransactions(db, company, unknown, createdAt);
  // Rows that another request inserted meanwhile.
  const late = unknown.filter(({ row }) => !insertedIds.has(row.id));
  for (const [row, found] of await compareRows(db, company, late, now)) known.set(row, found);
  const { updated, rejected } = await updateKnown(db, company, updates ? rows : [], known, options);
  // Repeated rows are compared with what is stored after the updates.
  const again = plan.duplicates.map((duplicate) => duplicate.again);
  for (const [row, found] of await compareRows(db, company, again, now)) known.set(row, found);
  return {
    inserted: unknown.filter(({ row }) => insertedIds.has(row.id)),
    updated,
    rejected,
    skipped: describeSkips(skipsOf(plan, insertedIds, [...updated.map(({ planned }) => planned), ...rejected]), known),
  };
}

interface Skip {
  index: number;
  reason: SkippedTransaction['reason'];
  sent: PlannedRow;
}

/** `others` are known rows that are not skipped. */
function skipsOf(plan: IngestPlan, insertedIds: ReadonlySet<string>, others: readonly PlannedRow[]): Skip[] {
  const isOther = new Set(others);
  const known = plan.rows.filter((planned) => !insertedIds.has(planned.row.id) && !isOther.has(planned));
  return [
    ...known.map((sent): Skip => ({ index: sent.index, reason: 'duplicate', sent })),
    ...plan.duplicates.map(({ index, again }): Skip => ({ index, reason: 'duplicate_in_request', sent: again })),
  ].sort((a, b) => a.index - b.index);
}

function describeSkips(skips: readonly Skip[], known: ReadonlyMap<PlannedRow, KnownRow>): SkippedTransaction[] {
  return skips.map(({ index, reason, sent }) => {
    const existing = known.get(sent);
    return {
      index,
      external_id: sent.row.external_id,
      connection_id: sent.row.connection_id,
      reason: existing?.voided ? 'voided' : reason,
      existing_id: existing?.id ?? null,
      differs: existing?.differs ?? [],
    };
  });
}

export function differenceWarnings(
  skipped: readonly SkippedTransaction[],
  rowPointer: (index: number) => string,
): Warning[] {
  return skipped.filter(isChanged).map(({ index, external_id, differs, reason }) => ({
    code: 'duplicate_with_different_content',
    pointer: rowPointer(index),
    message: `${external_id} is already stored with a different ${differs.join(', ')}. ${remedyOf(reason)}`,
  }));
}

function remedyOf(reason: SkippedTransaction['reason']): string {
  return reason === 'duplicate_in_request'
    ? 'Of rows with the same ID in one request, the first counts.'
    : 'The stored row was not changed; on_duplicate=update changes it.';
}
