import { BankFileError } from './errors.ts';
import type { FileProblem, RawTransaction } from './statement.ts';

/** Rows of an account: four hundred requests. */
export const MAX_ROWS = 200_000;
/** Rows that are hashed at once. */
const BATCH = 1000;

export function tooManyRows(line: number): BankFileError {
  return new BankFileError(`more than ${MAX_ROWS} rows: split the file`, { line, column: 1 });
}

const encoder = new TextEncoder();

export async function sha256(data: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', typeof data === 'string' ? encoder.encode(data) : data);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * An id for each transaction of an account, the same whenever the file, or another with the same days, is read: the
 * bank's own reference, or a hash of the row with its number among equal rows. A reference that a bank uses for
 * different transactions gets the hash too, because the service would skip all but the first.
 */
export async function externalIds(rows: readonly RawTransaction[], problems: FileProblem[]): Promise<string[]> {
  const over = rows[MAX_ROWS];
  if (over) throw tooManyRows(over.line);
  const hashes: string[] = [];
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = await Promise.all(rows.slice(start, start + BATCH).map((row) => sha256(contentOf(row))));
    for (const hash of batch) hashes.push(hash);
  }
  const contents = new Map<string, string>();
  const seen = new Map<string, number>();
  return rows.map(({ reference, line }, i) => {
    const hash = (hashes[i] ?? '').slice(0, 32);
    if (reference !== undefined && reference.length <= 200) {
      const first = contents.get(reference) ?? hash;
      contents.set(reference, first);
      if (first === hash) return reference;
      const message = `the reference ${reference} is that of another transaction too; it is stored with a suffix`;
      problems.push({ line, column: 1, code: 'reference', message });
      return `${reference}-${hash.slice(0, 16)}`;
    }
    const number = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, number);
    return `row-${hash}-${number}`;
  });
}

function contentOf({ day, cents, currency, description, counterparty, reference }: RawTransaction): string {
  return JSON.stringify([day, cents, currency, description, counterparty ?? '', reference ?? '']);
}
