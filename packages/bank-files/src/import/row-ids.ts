import { sha256 } from '../hash.ts';
import type { FileTransaction } from '../interpret.ts';

/** An id for each row, the same whenever it is read: a hash of its content with its number among equal rows. */
export async function rowIds(rows: readonly FileTransaction[]): Promise<string[]> {
  const hashes = await Promise.all(rows.map((row) => sha256(contentOf(row))));
  const seen = new Map<string, number>();
  return hashes.map((full) => {
    const hash = full.slice(0, 32);
    const number = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, number);
    return `row-${hash}-${number}`;
  });
}

function contentOf({ posted_at, amount_cents, currency, description, counterparty, external_id }: FileTransaction) {
  return JSON.stringify([posted_at, amount_cents, currency, description, counterparty ?? '', external_id ?? '']);
}
