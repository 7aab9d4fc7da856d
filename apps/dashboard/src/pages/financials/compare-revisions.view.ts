import { type StatementContent, type StatementRow, statementRows } from './statement.view.ts';

export type Change = 'same' | 'changed' | 'added' | 'removed';

export interface ComparedRow {
  id: string;
  label: string;
  indent: number;
  isTotal: boolean;
  before: number | undefined;
  after: number | undefined;
  difference: string | undefined;
  change: Change;
}

/** Rows by key and by how often the key occurred before, because keys may repeat. */
function rowsById(content: StatementContent): Map<string, StatementRow> {
  const times = new Map<string, number>();
  return new Map(
    statementRows(content).map((row) => {
      const nth = (times.get(row.key) ?? 0) + 1;
      times.set(row.key, nth);
      return [`${row.key} ${nth}`, row];
    }),
  );
}

function differenceOf(before: number, after: number): string | undefined {
  return Number.isInteger(before) && Number.isInteger(after) ? String(BigInt(after) - BigInt(before)) : undefined;
}

function compared(id: string, before: StatementRow | undefined, after: StatementRow): ComparedRow {
  const { label, indent, isTotal, amount } = after;
  const row = { id, indent, isTotal, after: amount };
  if (!before) return { ...row, label, before: undefined, difference: undefined, change: 'added' };
  const isSame =
    before.amount === amount && before.label === label && before.indent === indent && before.isTotal === isTotal;
  return {
    ...row,
    label: before.label === label ? label : `${label} (was ${before.label})`,
    before: before.amount,
    difference: differenceOf(before.amount, amount),
    change: isSame ? 'same' : 'changed',
  };
}

function removed(id: string, { label, indent, isTotal, amount }: StatementRow): ComparedRow {
  return { id, label, indent, isTotal, before: amount, after: undefined, difference: undefined, change: 'removed' };
}

export function compareRevisions(before: StatementContent, after: StatementContent): ComparedRow[] {
  const [old, later] = [rowsById(before), rowsById(after)];
  const left = [...old.keys()];
  const rows: ComparedRow[] = [];
  const addRemoved = (until: number): void => {
    for (const id of left.splice(0, until)) {
      const row = old.get(id);
      if (row && !later.has(id)) rows.push(removed(id, row));
    }
  };
  for (const [id, row] of later) {
    addRemoved(left.indexOf(id));
    rows.push(compared(id, old.get(id), row));
  }
  addRemoved(left.length);
  return rows;
}

export function chosenRevisions(text: string | undefined, revisions: readonly number[]): [number, number] | undefined {
  const named = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text ?? '');
  const [a, b] = named ? [Number(named[1]), Number(named[2])] : revisions;
  if (a === undefined || b === undefined || a === b) return undefined;
  if (!revisions.includes(a) || !revisions.includes(b)) return undefined;
  return [Math.min(a, b), Math.max(a, b)];
}
