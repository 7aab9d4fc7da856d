import type { BreakdownLine } from './breakdown.view.ts';

const sortNames = ['name', 'amount', 'previous', 'change', 'rows'] as const;
export type SortName = (typeof sortNames)[number];

export interface Sort {
  by: SortName;
  direction: 'asc' | 'desc';
}

/** The direction of the first press on a header. */
const firstDirection = (by: SortName): Sort['direction'] => (by === 'name' ? 'asc' : 'desc');

/** The order that the address names; by amount if it names none. */
export function sortOf({ sort, dir }: { sort?: string | undefined; dir?: string | undefined }): Sort {
  const by = sortNames.find((name) => name === sort) ?? 'amount';
  return { by, direction: dir === 'asc' || dir === 'desc' ? dir : firstDirection(by) };
}

/** What the address says of an order; nothing for the default. */
export function searchOf({ by, direction }: Sort): { sort: string | undefined; dir: string | undefined } {
  return {
    sort: by === 'amount' ? undefined : by,
    dir: direction === firstDirection(by) ? undefined : direction,
  };
}

/** The order after a press on a header: the other direction if it is sorted by it already. */
export function pressed(now: Sort, by: SortName): Sort {
  if (now.by !== by) return { by, direction: firstDirection(by) };
  return { by, direction: now.direction === 'asc' ? 'desc' : 'asc' };
}

const size = (value: bigint): bigint => (value < 0n ? -value : value);

/** Changes are compared by their size; those that are not known are the smallest. */
function valueOf({ total, before, transactions }: BreakdownLine, by: Exclude<SortName, 'name'>): bigint {
  switch (by) {
    case 'amount':
      return total;
    case 'previous':
      return before ?? -1n;
    case 'change':
      return before === undefined ? -1n : size(total - before);
    default:
      return BigInt(transactions);
  }
}

/** The sum of the others stays the last one. */
export function sorted(lines: readonly BreakdownLine[], { by, direction }: Sort): BreakdownLine[] {
  const sign = direction === 'asc' ? 1 : -1;
  return lines.toSorted((a, b) => {
    const isLast = Number(a.key === undefined) - Number(b.key === undefined);
    if (isLast !== 0) return isLast;
    if (by === 'name') return sign * a.label.localeCompare(b.label, 'en');
    const [one, other] = [valueOf(a, by), valueOf(b, by)];
    return one === other ? 0 : sign * (one > other ? 1 : -1);
  });
}
