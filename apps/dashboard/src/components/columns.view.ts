import { shownFrom } from './table-cells.tsx';

/** The width of the window: a phone, a small screen (from 768 px), or a large one (from 1 280 px). */
export type Room = 'phone' | 'small' | 'large';

export interface Layout {
  grow?: number;
  /** Aligns figures to the right, and never truncates them. */
  align?: 'end';
  /** Never truncates a day, time or status: the column grows at the expense of others. */
  nowrap?: boolean;
  /** Not shown on a phone, or only on a large screen. */
  wide?: boolean | 'large';
}

/** The others are never cut, and take the room of these. */
export function isCut({ nowrap = false, align }: Layout): boolean {
  return !nowrap && align === undefined;
}

function isShown({ wide = false }: Layout, room: Room): boolean {
  return wide === false || room === 'large' || (wide === true && room === 'small');
}

/** The width of each column in percent; undefined takes what its content needs. */
export function widthsOf(columns: readonly Layout[], room: Room): ReadonlyArray<number | undefined> {
  const shown = columns.filter((column) => isShown(column, room));
  const cut = shown.filter(isCut);
  const sharing = room === 'large' || cut.length === 0 ? shown : cut;
  const total = sharing.reduce((sum, { grow = 1 }) => sum + grow, 0);
  return columns.map((column) => (sharing.includes(column) ? ((column.grow ?? 1) / total) * 100 : undefined));
}

/** The cell classes of each column. Those at the edges, which differ with the room, get padding there. */
export function columnClasses(columns: readonly Layout[]): readonly string[] {
  const [phone, small] = (['phone', 'small'] as const).map((room) => columns.filter((column) => isShown(column, room)));
  return columns.map((column, i) => {
    const left = `${column === phone?.[0] ? 'pl-5' : 'pl-2'} ${column === small?.[0] ? 'md:pl-5' : 'md:pl-2'} ${i === 0 ? 'xl:pl-5' : 'xl:pl-3'}`;
    const right = `${column === phone?.at(-1) ? 'pr-5' : 'pr-2'} ${column === small?.at(-1) ? 'md:pr-5' : 'md:pr-2'} ${i === columns.length - 1 ? 'xl:pr-5' : 'xl:pr-3'}`;
    const align = column.align === 'end' ? 'text-right' : 'text-left';
    // Zero width cuts the cell at its column's share.
    const cut = isCut(column) ? 'max-w-0 leading-5 wrap-anywhere xl:truncate' : 'whitespace-nowrap';
    return `${cut} border-b ${align} ${left} ${right} ${shownFrom(column)}`;
  });
}
