import type { LineItem } from '@finhook/contracts';
import { LEVEL_TOTAL_KEYS } from './check-line-items.ts';
import { knownTotals } from './snapshot-warnings.ts';
import { COST_KEYS, countedLines, readValues, type StatementContent } from './statement-values.ts';

const SUM_KEYS: ReadonlySet<string> = new Set([...LEVEL_TOTAL_KEYS, 'current_assets', 'current_liabilities']);

type Shape = Pick<LineItem, 'key' | 'label' | 'is_total' | 'indent'>;

export interface JoinedRow extends Shape {
  amounts: Map<string, bigint>;
}

export interface MonthStatement extends StatementContent {
  month: string;
}

/** Joins statements (newest first) by key. A row missing in newer statements follows the row above it. */
export function joinRows(statements: readonly MonthStatement[]): JoinedRow[] {
  const rows = new Map<string, JoinedRow>();
  const below = new Map<string | undefined, string>();
  for (const statement of statements) {
    let above: string | undefined;
    for (const { amount, ...shape } of rowsOf(statement)) {
      let row = rows.get(shape.key);
      if (row === undefined) {
        row = { ...shape, amounts: new Map() };
        rows.set(shape.key, row);
        const next = below.get(above);
        below.set(above, shape.key);
        if (next !== undefined) below.set(shape.key, next);
      }
      if (row.label === '') row.label = shape.label;
      row.amounts.set(statement.month, amount);
      above = shape.key;
    }
  }
  return inOrder(rows, below);
}

function inOrder(rows: ReadonlyMap<string, JoinedRow>, below: ReadonlyMap<string | undefined, string>): JoinedRow[] {
  const ordered: JoinedRow[] = [];
  let row = rows.get(below.get(undefined) ?? '');
  while (row !== undefined) {
    ordered.push(row);
    row = rows.get(below.get(row.key) ?? '');
  }
  return ordered;
}

type Amount = Shape & { amount: bigint };

function rowsOf(statement: StatementContent): Amount[] {
  const byKey = Map.groupBy(statement.line_items, ({ key }) => key);
  if (byKey.size === 0) return rowsOfTotals(statement);
  return [...byKey].map(([key, lines]) => {
    const counted = countedLines(lines);
    const { label = '', is_total = false, indent = 0 } = counted[0] ?? {};
    return { key, label, is_total, indent, amount: counted.reduce((sum, line) => sum + BigInt(line.amount_cents), 0n) };
  });
}

/** In the usual order; costs become negative, as they are as line items. */
function rowsOfTotals(statement: StatementContent): Amount[] {
  const values = readValues(statement);
  const usual = [...knownTotals[statement.statement_type]];
  const posted = Object.keys(statement.totals);
  const keys = [...usual.filter((key) => Object.hasOwn(statement.totals, key)), ...posted.filter(isNew(usual))];
  const costs = [...COST_KEYS].map((key) => values.total(key)).filter((cost) => cost !== undefined);
  // The majority of signs are those of costs; one that differs is a credit.
  const negative = costs.filter((cost) => cost < 0n).length > costs.filter((cost) => cost > 0n).length;
  return keys.flatMap((key) => {
    const value = values.total(key);
    if (value === undefined) return [];
    const amount = COST_KEYS.has(key) && !negative ? -value : value;
    return [{ key, label: '', is_total: SUM_KEYS.has(key), indent: 0, amount }];
  });
}

function isNew(known: readonly string[]): (key: string) => boolean {
  const keys = new Set(known);
  return (key) => !keys.has(key);
}
