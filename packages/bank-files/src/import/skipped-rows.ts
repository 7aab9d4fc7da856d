import { harmlessText } from '@finhook/contracts/harmless-text';
import type { BankFile, FileTransaction } from '../interpret.ts';
import { isSkipped } from '../statement.ts';

export interface SkippedRow {
  line: number;
  reason: string;
  external_id?: string;
  posted_at?: string;
  amount_cents?: number;
  currency?: string;
  description?: string | null | undefined;
}

/** What the service returns for a chunk. */
interface ChunkResult {
  skipped_transactions: readonly { index: number; reason: string; differs: readonly string[] }[];
  errors: readonly { index: number; pointer?: string; message: string }[];
}

/** The rows of a chunk that the service skipped or rejected. */
export function skippedRowsOf(rows: readonly FileTransaction[], result: ChunkResult): SkippedRow[] {
  const skips = result.skipped_transactions.map(({ index, reason, differs }) => ({
    index,
    reason: differs.length === 0 ? reason : `${reason}, with another ${differs.join(', ')}`,
  }));
  // A message like "must lie in the past" follows its field, the last part of the pointer.
  const errors = result.errors.map(({ index, pointer = '', message }) => {
    const field = /[^/\d][^/]*$/.exec(pointer)?.[0];
    return { index, reason: field === undefined ? message : `${field} ${message}` };
  });
  return [...skips, ...errors].flatMap(({ index, reason }) => {
    const row = rows[index];
    if (!row) return [];
    const { line, external_id, posted_at, amount_cents, currency, description } = row;
    return [{ line, reason, external_id, posted_at, amount_cents, currency, description }];
  });
}

const columns = ['line', 'reason', 'external_id', 'posted_at', 'amount_cents', 'currency', 'description'] as const;

/** All rows that were not stored, as CSV by RFC 4180: first those of the file's problems. */
export function skippedRowsCsv({ problems }: Pick<BankFile, 'problems'>, skipped: readonly SkippedRow[]): string {
  const left: SkippedRow[] = problems.filter(isSkipped).map(({ line, message }) => ({ line, reason: message }));
  const rows = [...left, ...skipped].map((row) => columns.map((name) => cellOf(row[name])).join(','));
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

/** Texts are harmless in a spreadsheet; numbers stay as they are. */
function cellOf(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value);
  const safe = harmlessText(value ?? '');
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
