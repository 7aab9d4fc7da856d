import { sha256 } from './hash.ts';
import type { RawTransaction } from './statement.ts';

/** Rows that are hashed at once. */
const BATCH = 1000;

/**
 * An id for each transaction of an account, the same whenever the file, or another with the same days, is read: the
 * bank's own reference, or a hash of the row with its number among equal rows. A reference that a bank uses for
 * different transactions gets the hash too, because the service would skip all but the first.
 */
export async function externalIds(rows: readonly RawTransaction[]): Promise<string[]> {
  const hashes: string[] = [];
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = await Promise.all(rows.slice(start, start + BATCH).map((row) => sha256(contentOf(row))));
    for (const hash of batch) hashes.push(hash);
  }
  const contents = new Map<string, string>();
  const seen = new Map<string, number>();
  return rows.map(({ reference }, i) => {
    const hash = (hashes[i] ?? '').slice(0, 32);
    if (reference !== undefined && reference.length <= 200) {
      const first = contents.get(reference) ?? hash;
      contents.set(reference, first);
      return first === hash ? reference : `${reference}-${hash.slice(0, 16)}`;
    }
    const number = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, number);
    return `row-${hash}-${number}`;
  });
}

function contentOf({ day, cents, currency, description, counterparty, reference }: RawTransaction): string {
  return JSON.stringify([day, cents, currency, description, counterparty ?? '', reference ?? '']);
}
