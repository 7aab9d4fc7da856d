import { harmlessText } from '@finhook/contracts/harmless-text';
import { type FileProblem, isSkipped } from '../statement.ts';
import type { Outcome } from './send-request.ts';

interface SkippedRow {
  file?: string | undefined;
  line?: number | undefined;
  reason: string;
  external_id?: string | undefined;
  posted_at?: string;
  amount_cents?: number;
  currency?: string;
  description?: string;
}

const columns = ['line', 'reason', 'external_id', 'posted_at', 'amount_cents', 'currency', 'description'] as const;

/** All rows that were not stored, as CSV (RFC 4180); empty if there are none. */
export function skippedRowsCsv(problems: readonly FileProblem[], outcomes: readonly Outcome[]): string {
  const unread: SkippedRow[] = problems
    .filter(isSkipped)
    .map(({ file, line, message }) => ({ file, line, reason: message }));
  const left = outcomes.flatMap((outcome) =>
    outcome.kind === 'transactions' ? [...outcome.rejected, ...outcome.similar] : [],
  );
  const all = [...unread, ...left.map(({ row, reason }): SkippedRow => ({ ...row, reason }))];
  if (all.length === 0) return '';
  const used = all.some(({ file }) => file !== undefined) ? (['file', ...columns] as const) : columns;
  const lines = all.map((row) => used.map((name) => cellOf(row[name])).join(','));
  return `${[used.join(','), ...lines].join('\r\n')}\r\n`;
}

/** Texts are escaped against formula injection; numbers are unchanged. */
function cellOf(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value);
  const safe = harmlessText(value ?? '');
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
