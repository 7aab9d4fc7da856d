import type { LineItem } from '@finhook/contracts';
import type { Finding } from './finding.ts';
import { COST_KEYS, type StatementContent, type StatementValues } from './statement-values.ts';

/**
 * K4: a total row is the sum of the other rows above it that are indented as deep or deeper. Statements do it in two
 * ways, by section (since some earlier total) or running (since the top); either is right.
 */
export function checkTotalRows(items: readonly LineItem[]): Finding {
  let checked = 0;
  for (const [index, row] of items.entries()) {
    if (!row.is_total) continue;
    const sums = sumsAbove(items, index, row.indent);
    const [nearest] = sums;
    if (!nearest || sums.every(({ lines }) => lines === 0)) continue;
    checked++;
    const actual = BigInt(row.amount_cents);
    const fits = sums.some(({ sum, lines }) => lines > 0 && within(actual - sum, lines));
    const told = sums.find(({ lines }) => lines > 0) ?? nearest;
    if (!fits) {
      return { expected: told.sum, actual, lines: told.lines, message: `Row ${row.key} is not the sum of its rows.` };
    }
  }
  if (checked === 0) return { skip: 'There is no total row with rows above it.' };
  return { message: `${checked} total rows are the sums of their rows.` };
}

/** Sums of rows since each earlier total, the nearest first, and since the top. */
function sumsAbove(items: readonly LineItem[], index: number, indent: number): { sum: bigint; lines: number }[] {
  const sums: { sum: bigint; lines: number }[] = [];
  let [sum, lines] = [0n, 0];
  for (let i = index - 1; i >= 0; i--) {
    const row = items[i];
    if (!row) break;
    if (row.is_total) sums.push({ sum, lines });
    else if (row.indent >= indent) [sum, lines] = [sum + BigInt(row.amount_cents), lines + 1];
  }
  return [...sums, { sum, lines }];
}

function within(difference: bigint, lines: number): boolean {
  return (difference < 0n ? -difference : difference) <= BigInt(lines);
}

/** K5: a total says what the line item of the same key says; a cost is positive there and negative here. */
export function checkTotalsAgainstLines(content: StatementContent, values: StatementValues): Finding {
  const keys = Object.keys(content.totals).filter((key) => values.line(key) !== undefined);
  for (const key of keys) {
    const [total = 0n, line = 0n] = [values.total(key), values.line(key)];
    const expected = COST_KEYS.has(key) && total > 0n && line < 0n ? -line : line;
    if (!within(total - expected, 1)) {
      return { expected, actual: total, lines: 1, message: `totals.${key} is not its line item.` };
    }
  }
  if (keys.length === 0) return { skip: 'No key is both a total and a line item.' };
  return { message: `${keys.length} totals agree with their line items.` };
}
