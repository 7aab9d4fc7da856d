import { type BankFile, isSkipped } from '@finhook/bank-files';
import { formatMoney } from '@finhook/contracts/currency';
import { plain } from '../clean-text.ts';
import { plural } from './output.ts';
import type { Outcome } from './send-bank-file.ts';

interface Total {
  currency: string;
  in: bigint;
  out: bigint;
}

/** Counts over all requests of a file. A row that the file's reader left out is skipped too. */
export function countsOf({ problems }: BankFile, outcomes: readonly Outcome[]) {
  const unread = problems.filter(isSkipped).length;
  const counts = { rows: unread, stored: 0, stored_before: 0, skipped: unread, balances_stored: 0, balances_before: 0 };
  for (const { request, stored, before, skipped } of outcomes) {
    if (request.kind === 'balance') {
      counts.balances_stored += stored;
      counts.balances_before += before;
      continue;
    }
    counts.rows += request.rows.length;
    counts.stored += stored;
    counts.stored_before += before;
    counts.skipped += skipped;
  }
  return counts;
}

function totalsOf(outcomes: readonly Outcome[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { currency, in_cents, in_string, out_cents, out_string } of outcomes.flatMap(({ totals: each }) => each)) {
    const total = totals.get(currency) ?? { currency, in: 0n, out: 0n };
    total.in += BigInt(in_string ?? in_cents ?? 0);
    total.out += BigInt(out_string ?? out_cents ?? 0);
    totals.set(currency, total);
  }
  return [...totals.values()];
}

const MAX_LISTED = 10;

/** The result of a dry run, for a person who decides. */
export function dryRunLines(file: BankFile, outcomes: readonly Outcome[]): string[] {
  const { rows, stored, stored_before, skipped, balances_stored, balances_before } = countsOf(file, outcomes);
  const rejected = outcomes.flatMap((each) => each.rejected);
  const warnings = [...new Set(outcomes.flatMap((each) => each.warnings.map(({ message }) => message)))];
  const limit = (lines: readonly string[], what: string): string[] =>
    lines.length > MAX_LISTED
      ? [...lines.slice(0, MAX_LISTED), `  … and ${lines.length - MAX_LISTED} more ${what}`]
      : [...lines];
  return [
    `${plural(rows, 'row')}: ${stored} new, ${stored_before} stored before, ${skipped} to skip. ` +
      `${plural(balances_stored + balances_before, 'balance')}: ${balances_stored} new, ${balances_before} stored before.`,
    ...totalsOf(outcomes).map((total) => `  New: ${moneyOf(total, 'in')} in, ${moneyOf(total, 'out')} out`),
    ...limit(
      rejected.map(({ line, reason }) => `  Skips line ${line}: ${plain(reason)}`),
      'rows to skip',
    ),
    ...limit(
      warnings.map((message) => `  Warning: ${plain(message)}`),
      'warnings',
    ),
  ];
}

function moneyOf(total: Total, side: 'in' | 'out'): string {
  return formatMoney(total[side], total.currency);
}
