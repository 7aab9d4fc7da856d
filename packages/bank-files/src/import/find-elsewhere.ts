import type { FileTransaction } from '../interpret.ts';
import type { IngestReply } from './api.ts';
import type { PlannedRows } from './plan-requests.ts';

export interface Elsewhere {
  index: number;
  connection: string;
  existing_id: string | null;
  /** Only day and amount match. */
  isProbable: boolean;
}

/** Finds rows stored under another connection by an earlier version. Rows known under their own don't count. */
export async function findElsewhere(
  { rows, former, reused }: PlannedRows,
  check: (rows: readonly FileTransaction[]) => Promise<IngestReply>,
): Promise<Elsewhere[]> {
  const found = new Map<number, Elsewhere>();
  const openRows = () =>
    [...rows.entries()]
      .filter(([index]) => found.get(index)?.isProbable !== false)
      .map(([index, row]) => ({ index, row }));
  for (const connection of former) {
    const open = openRows();
    if (open.length === 0) break;
    const { skipped_transactions } = await check(open.map(({ row }) => ({ ...row, connection_id: connection })));
    for (const known of skipped_transactions) {
      const one = open[known.index];
      const isOnlyProbable = isProbable(known, one?.row, reused);
      if (one === undefined || (isOnlyProbable && found.has(one.index))) continue;
      const { index } = one;
      found.set(index, { index, connection, existing_id: known.existing_id ?? null, isProbable: isOnlyProbable });
    }
  }
  if ([...found.values()].some((one) => one.isProbable)) {
    const open = openRows();
    const { skipped_transactions, errors } = await check(open.map(({ row }) => row));
    for (const { index } of [...skipped_transactions, ...errors]) found.delete(open[index]?.index ?? -1);
  }
  return [...found.values()];
}

/** True if only day and amount match, or also a reference that the bank uses for several rows. */
export function isProbable(
  { matched_by, differs }: IngestReply['skipped_transactions'][number],
  row: FileTransaction | undefined,
  reused: readonly string[],
): boolean {
  if (matched_by === 'amount') return true;
  const reference = row?.external_id;
  return (
    matched_by === 'reference' &&
    differs.includes('description') &&
    reference !== undefined &&
    reused.includes(reference)
  );
}
