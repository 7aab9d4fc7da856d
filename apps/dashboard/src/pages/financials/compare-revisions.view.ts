import { type StatementContent, type StatementRow, statementRows } from './statement.view.ts';

export type Change = 'same' | 'changed' | 'added' | 'removed';

export interface ComparedRow {
  id: string;
  label: string;
  indent: number;
  isTotal: boolean;
  before: number | undefined;
  after: number | undefined;
  /** after − before in minor units, exact; undefined if a side is missing. */
  difference: string | undefined;
  change: Change;
}

interface Placed {
  id: string;
  row: StatementRow;
}

function placed(content: StatementContent): Placed[] {
  const times = new Map<string, number>();
  return statementRows(content).map((row) => {
    const nth = (times.get(row.key) ?? 0) + 1;
    times.set(row.key, nth);
    return { id: `${row.key} ${nth}`, row };
  });
}

function differenceOf(before: number, after: number): string | undefined {
  return Number.isInteger(before) && Number.isInteger(after) ? String(BigInt(after) - BigInt(before)) : undefined;
}

function compared(id: string, before: StatementRow | undefined, after: StatementRow | undefined): ComparedRow[] {
  const row = after ?? before;
  if (!row) return [];
  const isSame =
    before?.amount === after?.amount &&
    before?.label === after?.label &&
    before?.indent === after?.indent &&
    before?.isTotal === after?.isTotal;
  return [
    {
      id,
      label: before && after && before.label !== after.label ? `${after.label} (was ${before.label})` : row.label,
      indent: row.indent,
      isTotal: row.isTotal,
      before: before?.amount,
      after: after?.amount,
      difference: before && after ? differenceOf(before.amount, after.amount) : undefined,
      change: !before ? 'added' : !after ? 'removed' : isSame ? 'same' : 'changed',
    },
  ];
}

/** Compares two revisions row by row in the order of the later one; removed rows keep their position. */
export function compareRevisions(before: StatementContent, after: StatementContent): ComparedRow[] {
  const old = placed(before);
  const later = placed(after);
  const found = new Map(old.map((entry, index) => [entry.id, index]));
  const kept = new Set(later.map(({ id }) => id));
  const rows: ComparedRow[] = [];
  let told = 0;
  const tellGone = (until: number): void => {
    for (; told < until; told++) {
      const entry = old[told];
      if (entry && !kept.has(entry.id)) rows.push(...compared(entry.id, entry.row, undefined));
    }
  };
  for (const { id, row } of later) {
    const index = found.get(id);
    if (index !== undefined) tellGone(index);
    rows.push(...compared(id, index === undefined ? undefined : old[index]?.row, row));
  }
  tellGone(old.length);
  return rows;
}

/** The two revisions in the URL (`2..3`), the earlier one first; defaults to the last two. */
export function chosenRevisions(text: string | undefined, revisions: readonly number[]): [number, number] | undefined {
  const named = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text ?? '');
  const [a, b] = named ? [Number(named[1]), Number(named[2])] : revisions;
  if (a === undefined || b === undefined || a === b) return undefined;
  if (!revisions.includes(a) || !revisions.includes(b)) return undefined;
  return [Math.min(a, b), Math.max(a, b)];
}
