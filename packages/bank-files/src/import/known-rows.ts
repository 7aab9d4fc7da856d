import type { FileTransaction } from '../interpret.ts';
import type { IngestReply } from './api.ts';

/**
 * True if a row that the service knows may be another one: only day and amount match, or also a reference that the bank
 * uses for several rows.
 */
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
