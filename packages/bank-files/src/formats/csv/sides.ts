import type { Step } from '../../step.ts';
import { isEmpty, parseAmount } from './amounts.ts';
import type { CsvRecord } from './split.ts';
import { sizeOf, type Table } from './table.ts';

interface Columns {
  date: readonly number[];
  money: readonly number[];
  free: readonly number[];
  /** False for a record that the bank has not booked. */
  isBooked: (record: CsvRecord) => boolean;
}

/**
 * Finds a column with amounts only in dated rows that have none in the money columns: the other of debit and credit.
 */
export function findOtherSide({ records }: Table, columns: Columns, step: Step): number | undefined {
  const { date, money, free, isBooked } = columns;
  const dated = records.filter((record) => {
    step(1);
    return date.some((i) => /\d/.test(record.cells[i] ?? '')) && isBooked(record);
  });
  const rows = Map.groupBy(dated, ({ cells }) => money.some((i) => hasValue(cells[i])));
  const found = new Set<number>();
  const zeros = new Set<number>();
  const excluded = new Set<number>();
  const isFree = new Set(free);
  for (const record of rows.get(false) ?? []) {
    step(sizeOf(record));
    const isZero = money.some((i) => !isEmpty(record.cells[i]?.trim() ?? ''));
    for (const [i, text] of record.cells.entries()) {
      if (!isFree.has(i) || isEmpty(text.trim())) continue;
      if (parseAmount(text.trim()) === undefined) excluded.add(i);
      else if (hasValue(text)) (isZero ? zeros : found).add(i);
    }
  }
  const sides = [...found, ...zeros].filter((i) => !excluded.has(i));
  return sides.find((i) => {
    step(dated.length);
    const others = (rows.get(true) ?? []).map(({ cells }) => cells[i]?.trim() ?? '');
    return !others.some(hasValue) && (found.has(i) || !others.some(isEmpty));
  });
}

export function hasValue(cell: string | undefined): boolean {
  return cell !== undefined && /[1-9]/.test(cell);
}
