import type { SkippedTransaction, Warning } from '@finhook/contracts';
import type { KnownRow } from './compare-rows.ts';
import type { IngestPlan, PlannedRow } from './plan-ingest.ts';

/** A row of the request that was not inserted. */
export interface Skip {
  index: number;
  reason: SkippedTransaction['reason'];
  /** What was sent; of a key that the request repeats, the repetition. */
  sent: PlannedRow;
}

/** Every row of the request that was not inserted, in request order. */
export function skipsOf(plan: IngestPlan, insertedIds: ReadonlySet<string>): Skip[] {
  const known = plan.rows.filter(({ row }) => !insertedIds.has(row.id));
  return [
    ...known.map((sent): Skip => ({ index: sent.index, reason: 'duplicate', sent })),
    ...plan.duplicates.map(({ index, again }): Skip => ({ index, reason: 'duplicate_in_request', sent: again })),
  ].sort((a, b) => a.index - b.index);
}

/** Names them with the row that stands in their place and what differs. */
export function describeSkips(skips: readonly Skip[], known: ReadonlyMap<PlannedRow, KnownRow>): SkippedTransaction[] {
  return skips.map(({ index, reason, sent }) => {
    const existing = known.get(sent);
    return {
      index,
      external_id: sent.row.external_id,
      connection_id: sent.row.connection_id,
      reason,
      existing_id: existing?.id ?? null,
      differs: existing?.differs ?? [],
    };
  });
}

/** One warning for each skipped row whose content is not what is stored. */
export function differenceWarnings(
  skipped: readonly SkippedTransaction[],
  rowPointer: (index: number) => string,
): Warning[] {
  return skipped
    .filter(({ differs }) => differs.length > 0)
    .map(({ index, external_id, differs }) => ({
      code: 'duplicate_with_different_content',
      pointer: rowPointer(index),
      message: `${external_id} is already stored with another ${differs.join(', ')}; stored rows are not changed.`,
    }));
}
