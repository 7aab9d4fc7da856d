import { formatMoney, type LineItem } from '@finhook/contracts';
import type { Finding } from './finding.ts';
import { COST_KEYS, type StatementContent, type StatementValues } from './statement-values.ts';

/** Totals that may follow deeper rows and still sum up everything above them. */
export const LEVEL_TOTAL_KEYS: ReadonlySet<string> = new Set([
  'gross_profit',
  'ebitda',
  'ebit',
  'operating_income',
  'operating_profit',
  'income_before_tax',
  'profit_before_tax',
  'pretax_income',
  'net_income',
  'net_change_in_cash',
  'closing_cash',
  'total_assets',
  'total_liabilities',
  'total_equity',
  'total_liabilities_and_equity',
]);

/** The three parts of a balance sheet: rows above the total of one don't belong to the next. */
const SECTION_TOTAL_KEYS: ReadonlySet<string> = new Set(['total_assets', 'total_liabilities', 'total_equity']);

interface RowSum {
  sum: bigint;
  lines: number;
}

/** K4: a total is the sum of the deeper rows next to it, else of the rows of its level. Missing detail is no error. */
export function checkTotalRows(items: readonly LineItem[], currency: string): Finding {
  let checked = 0;
  for (const [index, row] of items.entries()) {
    if (!row.is_total) continue;
    const actual = BigInt(row.amount_cents);
    const sums = possibleSums(items, index, row);
    const expected = sums.find(({ lines }) => lines > 0);
    if (!expected && actual !== 0n) continue;
    checked++;
    if (expected && !sums.some(({ sum, lines }) => within(actual - sum, lines))) {
      const [is, sum] = [actual, expected.sum].map((amount) => formatMoney(amount, currency));
      const message = `${row.label === '' ? row.key : row.label} is ${is}; its lines add up to ${sum}.`;
      return { expected: expected.sum, actual, lines: expected.lines, message };
    }
  }
  if (checked === 0) return { skip: 'No total has lines of its own.' };
  return {
    message: checked === 1 ? 'The total is the sum of its lines.' : `${checked} totals are the sums of their lines.`,
  };
}

function possibleSums(items: readonly LineItem[], index: number, total: LineItem): RowSum[] {
  const { key, indent } = total;
  const above = sumOf(deeperRows(items.slice(0, index).reverse(), indent));
  const below = sumOf(deeperRows(items.slice(index + 1), indent));
  const own = [above, below].filter(({ lines }) => lines > 0);
  if (above.lines > 0 && !LEVEL_TOTAL_KEYS.has(key)) return own;
  return [...(above.lines > 0 ? [above] : []), ...sumsOfLevel(items, index, total), ...own];
}

/** The first rows that are indented deeper than `indent`, until one that is not. */
function deeperRows(items: readonly LineItem[], indent: number): readonly LineItem[] {
  const end = items.findIndex((row) => row.indent <= indent);
  return end < 0 ? items : items.slice(0, end);
}

function sumOf(items: readonly LineItem[]): RowSum {
  const rows = items.filter(({ is_total }) => !is_total);
  return { sum: rows.reduce((sum, row) => sum + BigInt(row.amount_cents), 0n), lines: rows.length };
}

/** Sums of the rows above at this level or deeper, since each earlier total (nearest first) and since the level began. */
function sumsOfLevel(items: readonly LineItem[], index: number, { key, indent }: LineItem): RowSum[] {
  const sums: RowSum[] = [];
  let [sum, lines] = [0n, 0];
  for (const row of items.slice(0, index).reverse()) {
    if (row.indent < indent || isOtherSection(row.key, key)) break;
    if (row.is_total) sums.push({ sum, lines });
    else [sum, lines] = [sum + BigInt(row.amount_cents), lines + 1];
  }
  return [...sums, { sum, lines }];
}

function isOtherSection(above: string, key: string): boolean {
  return key !== above && SECTION_TOTAL_KEYS.has(key) && SECTION_TOTAL_KEYS.has(above);
}

function within(difference: bigint, lines: number): boolean {
  return (difference < 0n ? -difference : difference) <= BigInt(lines);
}

/** K5: a total equals the line item of the same key; a cost is positive as a total and negative as a line. */
export function checkTotalsAgainstLines(content: StatementContent, values: StatementValues): Finding {
  const keys = Object.keys(content.totals).filter((key) => values.line(key) !== undefined);
  for (const key of keys) {
    const [total = 0n, line = 0n] = [values.total(key), values.line(key)];
    const expected = COST_KEYS.has(key) && total > 0n && line < 0n ? -line : line;
    if (!within(total - expected, 1)) {
      return { expected, actual: total, lines: 1, message: `totals.${key} differs from its line item.` };
    }
  }
  if (keys.length === 0) return { skip: 'No key is both a total and a line item.' };
  return { message: `${keys.length} totals match their line items.` };
}
