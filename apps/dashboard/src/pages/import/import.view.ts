import type { FileFormat, FileProblem, SkippedRow } from '@finhook/bank-files';
import { bigOf } from '../../lib/exact-cents.ts';
import { plural } from '../../lib/text.ts';
import type { Outcome } from './import-run.ts';

export const formatNames: Readonly<Record<FileFormat, string>> = {
  csv: 'CSV',
  ofx: 'OFX',
  'camt.053': 'CAMT.053 (ISO 20022)',
  mt940: 'MT940 (SWIFT)',
  bai2: 'BAI2',
};

export interface Tally {
  inserted: number;
  known: number;
  invalid: number;
  /** Rows that the service rejected. */
  faults: readonly SkippedRow[];
  duplicates: readonly SkippedRow[];
  totals: ReadonlyArray<{ currency: string; in: string; out: string }>;
  warnings: readonly string[];
  balances: {
    created: number;
    updated: number;
    unchanged: number;
    rejected: ReadonlyArray<{ day: string; reason: string }>;
    /** The key may not post balances. */
    leftOut: number;
  };
}

export function tallyOf(outcomes: readonly Outcome[]): Tally {
  const chunks = outcomes.filter((outcome) => outcome.kind === 'transactions');
  const balances = outcomes.filter((outcome) => outcome.kind === 'balance');
  const sum = (name: 'inserted' | 'known' | 'invalid'): number =>
    chunks.reduce((total, chunk) => total + chunk[name], 0);
  const count = (result: (typeof balances)[number]['result']): number =>
    balances.filter((balance) => balance.result === result).length;
  return {
    inserted: sum('inserted'),
    known: sum('known'),
    invalid: sum('invalid'),
    faults: chunks.flatMap(({ faults }) => faults),
    duplicates: chunks.flatMap(({ duplicates }) => duplicates),
    totals: totalsOf(chunks.flatMap(({ totals }) => totals)),
    warnings: [...new Set(chunks.flatMap(({ warnings }) => warnings))],
    balances: {
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      rejected: balances.flatMap((balance) => (balance.result === 'rejected' ? [balance] : [])),
      leftOut: outcomes.filter(({ kind }) => kind === 'left-out').length,
    },
  };
}

type Flow = (Outcome & { kind: 'transactions' })['totals'][number];

function totalsOf(flows: readonly Flow[]): Tally['totals'] {
  const sums = new Map<string, { in: bigint; out: bigint }>();
  for (const flow of flows) {
    const before = sums.get(flow.currency) ?? { in: 0n, out: 0n };
    sums.set(flow.currency, {
      in: before.in + bigOf(flow.in_cents, flow.in_string),
      out: before.out + bigOf(flow.out_cents, flow.out_string),
    });
  }
  return Array.from(sums, ([currency, { in: into, out }]) => ({ currency, in: String(into), out: String(out) }));
}

/** `3 balances, of which 1 replaces a stored one`, before or after the import. */
export function balanceWords(
  { created, updated, unchanged }: Tally['balances'],
  isStored: boolean,
): string | undefined {
  const parts = [
    created > 0 && plural(created, 'new balance'),
    updated > 0 && `${plural(updated, 'balance')} ${isStored ? 'updated' : 'to update'}`,
    unchanged > 0 && `${plural(unchanged, 'balance')} already stored`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}

/** What the button of the dry run's result imports; undefined if everything is stored or invalid. */
export function importLabel({ inserted, balances }: Tally): string | undefined {
  const count = balances.created + balances.updated;
  if (inserted > 0) return `Import ${plural(inserted, 'row')}`;
  return count > 0 ? `Import ${plural(count, 'balance')}` : undefined;
}

/** Rows that the parser left out, apart from what only concerns the file as a whole. */
export function splitProblems(problems: readonly FileProblem[]) {
  return {
    rows: problems.filter(({ code }) => code === 'row'),
    others: problems.filter(({ code }) => code !== 'row'),
  };
}

/** A problem as a sentence with its place. */
export function problemText({ line, column, message }: FileProblem): string {
  return `Line ${line}, column ${column}: ${message}.`;
}

/** Name of the report: `statement.csv` as `statement-skipped.csv`. */
export function reportName(file: string): string {
  return `${file.replace(/\.[^.]*$/, '')}-skipped.csv`;
}

/** `12 kB`, in powers of 1000 as file managers show it. */
export function sizeText(bytes: number): string {
  const [unit, size] = bytes < 1_000_000 ? (['kB', 1_000] as const) : (['MB', 1_000_000] as const);
  return `${(bytes / size).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}
