import type { Step } from '../../step.ts';
import { isEmpty, parseAmount } from './amounts.ts';
import { sizeOf, type Table } from './table.ts';

/** Columns of a table, by position. */
interface Columns {
  date: readonly number[];
  /** Those that are read as amounts. */
  money: readonly number[];
  /** Those that no field has. */
  free: readonly number[];
}

/**
 * The free column that has amounts only in dated rows whose money columns have none: the other side of debit and credit.
 * Zero counts as none.
 */
export function findOtherSide({ records }: Table, { date, money, free }: Columns, step: Step): number | undefined {
  const dated = records.filter(({ cells }) => {
    step(1);
    return date.some((i) => /\d/.test(cells[i] ?? ''));
  });
  const rows = Map.groupBy(dated, ({ cells }) => money.some((i) => hasValue(cells[i])));
  const found = new Set<number>();
  const excluded = new Set<number>();
  const isFree = new Set(free);
  for (const record of rows.get(false) ?? []) {
    step(sizeOf(record));
    for (const [i, text] of record.cells.entries()) {
      if (!isFree.has(i) || isEmpty(text.trim())) continue;
      if (parseAmount(text.trim()) === undefined) excluded.add(i);
      else if (hasValue(text)) found.add(i);
    }
  }
  const sides = [...found].filter((i) => !excluded.has(i));
  return sides.find((i) => {
    step(dated.length);
    return rows.get(true)?.every(({ cells }) => !hasValue(cells[i])) ?? true;
  });
}

/** True for a cell with an amount that is not zero. */
export function hasValue(cell: string | undefined): boolean {
  return cell !== undefined && /[1-9]/.test(cell);
}
