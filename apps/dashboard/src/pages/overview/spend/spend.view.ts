import type { Amount } from '../../../lib/exact-cents.ts';
import { plural } from '../../../lib/text.ts';
import {
  type Breakdown,
  type BreakdownLine,
  breakdownLines,
  changeText,
  shareOf,
} from '../../spending/breakdown.view.ts';

/** A line of what the money goes on. */
export interface SpendLine {
  /** Undefined for the sum of the others. */
  key: string | null | undefined;
  label: string;
  total: Amount;
  /** Percent of the largest line. */
  share: number;
  /** Against the months before. */
  change: string;
}

/** The `most` largest lines, and the sum of all others. */
export function spendLines(breakdown: Breakdown, most: number): SpendLine[] {
  const lines = breakdownLines(breakdown);
  const known = lines.filter(({ key, total }) => key !== undefined && total > 0n);
  const shown = known.slice(0, most);
  const rest = lines.filter((line) => !shown.includes(line));
  const restCount = known.length - shown.length + (breakdown.other?.keys ?? 0);
  const largest = shown[0]?.total ?? 0n;
  return [...shown, ...(restCount === 0 ? [] : [sumOf(rest, restCount)])].map(({ key, label, total, before }) => ({
    key,
    label,
    total: { cents: null, digits: `${total}` },
    share: shareOf(total, largest),
    change: changeText(total, before),
  }));
}

function sumOf(lines: readonly BreakdownLine[], count: number): Omit<BreakdownLine, 'transactions'> {
  const isKnown = lines.every(({ before }) => before !== undefined);
  return {
    key: undefined,
    label: plural(count, 'other'),
    total: lines.reduce((sum, { total }) => sum + total, 0n),
    before: isKnown ? lines.reduce((sum, { before = 0n }) => sum + before, 0n) : undefined,
  };
}
