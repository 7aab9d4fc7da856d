import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { zoneName } from '../lib/format-time.ts';
import type { KeysetRows } from '../lib/keyset-rows.ts';
import type { ListOrder } from '../lib/list-order.ts';
import { plural } from '../lib/text.ts';
import { Button } from './button.tsx';
import { useZone } from './shell/company-context.ts';
import { ErrorState, Loading, Skeleton } from './states.tsx';
import { opensOnPress, shownFrom } from './table-cells.tsx';

export interface Column<Row> {
  title: string;
  grow?: number;
  /** Aligns figures to the right, and never truncates them. */
  align?: 'end';
  /** Never truncates a day, time or status: the column grows at the expense of others. */
  nowrap?: boolean;
  /** Not shown on a phone, or only on a large screen. */
  wide?: boolean | 'large';
  /** The title is for screen readers only. */
  untitled?: boolean;
  /** It can't be hidden. */
  fixed?: boolean;
  /** It is hidden until somebody chooses it. */
  extra?: boolean;
  /** Its header sorts the list by this value of the parameter `sort`. The first such column is the default. */
  sort?: string;
  /** Its times are shown without a zone, which the header names. */
  zoned?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface Sort extends ListOrder {
  onPress: (by: string) => void;
}

export interface DataTableProps<Row> {
  label: string;
  rows: KeysetRows<Row>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  empty: ReactNode;
  rowHeight?: number | undefined;
  height?: string | undefined;
  sort?: Sort | undefined;
  /** Replaces the number of rows below the table. */
  foot?: ReactNode;
}

/** The cell classes of each column. The outer columns, which differ on a phone, get padding at the edge. */
function columnClasses<Row>(columns: readonly Column<Row>[]): readonly string[] {
  const narrow = columns.filter(({ wide = false }) => wide === false);
  return columns.map((column, i) => {
    const left = `${column === narrow[0] ? 'pl-5' : 'pl-2'} ${i === 0 ? 'md:pl-5' : 'md:pl-2 xl:pl-3'}`;
    const right = `${column === narrow.at(-1) ? 'pr-5' : 'pr-2'} ${i === columns.length - 1 ? 'md:pr-5' : 'md:pr-2 xl:pr-3'}`;
    const align = column.align === 'end' ? 'text-right' : 'text-left';
    // Zero width truncates the cell at its column's share.
    const cut = column.nowrap === true || column.align === 'end' ? 'whitespace-nowrap' : 'max-w-0 truncate';
    return `${cut} border-b ${align} ${left} ${right} ${shownFrom(column)}`;
  });
}

const OVERSCAN = 12;
const UNMEASURED = { width: 0, height: 700 };

/** A table of any length: only visible rows are rendered, and only their pages are in memory. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, rows, empty } = props;
  const pressed = useRef<string>(undefined);
  if (rows.error != null && rows.count === 0)
    return (
      <div className="px-5 py-3">
        <ErrorState error={rows.error} onRetry={rows.retry} />
      </div>
    );
  if (rows.isLoading)
    return (
      <div className="px-5 py-3">
        <Loading label={label} lines={6} />
      </div>
    );
  return rows.count === 0 ? empty : <VirtualTable key={rows.name} {...props} pressed={pressed} />;
}

/** The header that was pressed last. The table that it sorts is another one, where it gets the focus. */
type Pressed = RefObject<string | undefined>;

function VirtualTable<Row>({
  label,
  rows,
  columns,
  keyOf,
  rowHeight = 44,
  height = 'max-h-[70vh]',
  sort,
  foot,
  pressed,
}: DataTableProps<Row> & { pressed: Pressed }): React.JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.count + rows.ahead,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    initialRect: UNMEASURED,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { show } = rows;
  useEffect(() => show(first, last), [show, first, last]);
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const classes = columnClasses(columns);
  return (
    <div className="relative flex min-w-0 flex-col">
      <NewRows
        news={rows.news}
        onShow={() => {
          frame.current?.focus({ preventScroll: true });
          frame.current?.scrollTo({ top: 0 });
        }}
      />
      {/* A scrollable region must be focusable. */}
      <div
        ref={frame}
        tabIndex={0}
        role="group"
        aria-label={label}
        onScroll={({ currentTarget }) => rows.hold(currentTarget.scrollTop > 0)}
        // Rows that get the focus are not below the head.
        className={`scroll-pt-10 overflow-auto [overflow-anchor:none] ${height}`}
      >
        <table
          className="w-full border-separate border-spacing-0 text-sm"
          aria-rowcount={rows.hasMore ? -1 : rows.count + 1}
        >
          <caption className="sr-only">{label}</caption>
          <TableHead columns={columns} classes={classes} sort={sort} pressed={pressed} />
          <tbody>
            {above > 0 && <Spacer height={above} />}
            {keyed(rows, first, last, keyOf).map(([key, index, row]) => (
              <DataRow key={key} index={index} row={row} columns={columns} classes={classes} rowHeight={rowHeight} />
            ))}
            {below > 0 && <Spacer height={below} />}
          </tbody>
        </table>
      </div>
      <TableFoot rows={rows}>{foot}</TableFoot>
    </div>
  );
}

function NewRows({ news, onShow }: { news: KeysetRows<unknown>['news']; onShow: () => void }): React.JSX.Element {
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 top-11 z-20 flex justify-center">
      {news.count > 0 && (
        <Button variant="primary" size="small" onClick={onShow} className="pointer-events-auto rounded-full shadow-lg">
          {news.count}
          {news.isMore && '+'} new
        </Button>
      )}
    </div>
  );
}

interface TableHeadProps<Row> extends Pick<DataRowProps<Row>, 'columns' | 'classes'> {
  sort: Sort | undefined;
  pressed: Pressed;
}

function TableHead<Row>({ columns, classes, sort, pressed }: TableHeadProps<Row>): React.JSX.Element {
  const total = columns.reduce((sum, { grow = 1 }) => sum + grow, 0);
  return (
    <thead className="sticky top-0 z-10 bg-surface">
      <tr aria-rowindex={1}>
        {columns.map((column, i) => (
          <th
            key={column.title}
            scope="col"
            style={{ width: `${((column.grow ?? 1) / total) * 100}%` }}
            aria-sort={sort && sort.by === column.sort ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
            className={`group py-2 font-medium text-muted ${classes[i] ?? ''}`}
          >
            <ColumnTitle column={column} sort={sort} pressed={pressed} />
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface ColumnTitleProps<Row> extends Omit<TableHeadProps<Row>, 'columns' | 'classes'> {
  column: Column<Row>;
}

function ColumnTitle<Row>({ column, sort, pressed }: ColumnTitleProps<Row>): React.JSX.Element {
  const zone = zoneName(useZone());
  const { sort: by } = column;
  return (
    <>
      {sort && by !== undefined ? (
        <SortButton by={by} sort={sort} pressed={pressed}>
          {column.title}
        </SortButton>
      ) : (
        <span className={column.untitled ? 'sr-only' : ''}>{column.title}</span>
      )}
      {column.zoned && <span className="block text-xs font-normal">{zone}</span>}
    </>
  );
}

function SortButton({
  by,
  sort,
  pressed,
  children,
}: {
  by: string;
  sort: Sort;
  pressed: Pressed;
  children: string;
}): React.JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The region around the table, or the page, got the focus when the button of before was removed.
    const isLost = pressed.current === by && document.activeElement?.contains(button.current) === true;
    if (isLost) button.current?.focus({ preventScroll: true });
  }, [by, pressed]);
  return (
    <button
      ref={button}
      type="button"
      onClick={() => {
        pressed.current = by;
        sort.onPress(by);
      }}
      className="rounded font-medium hover:text-text"
    >
      {/* Figures stay below the end of their title. */}
      <span className="inline-flex gap-1 group-[.text-right]:flex-row-reverse">
        {children}
        {sort.by === by && <span aria-hidden>{sort.isDescending ? '↓' : '↑'}</span>}
      </span>
    </button>
  );
}

/** Rows with stable keys while others arrive above them; a row that briefly appears twice gets two keys. */
function keyed<Row>(rows: KeysetRows<Row>, first: number, last: number, keyOf: (row: Row) => string) {
  const byKey = new Map<string, [key: string, index: number, row: Row | undefined]>();
  for (let index = first; index <= last; index++) {
    const row = rows.rowAt(index);
    const key = row === undefined ? '' : keyOf(row);
    const own = key === '' || byKey.has(key) ? `#${index}` : key;
    byKey.set(own, [own, index, row]);
  }
  return [...byKey.values()];
}

interface DataRowProps<Row> {
  index: number;
  row: Row | undefined;
  rowHeight: number;
  columns: readonly Column<Row>[];
  classes: readonly string[];
}

function DataRow<Row>({ index, row, rowHeight, columns, classes }: DataRowProps<Row>): React.JSX.Element {
  return (
    <tr aria-rowindex={index + 2} className={`relative last:[&>td]:border-b-0 ${opensOnPress}`}>
      {columns.map((column, i) => (
        <td key={column.title} style={{ height: rowHeight }} className={classes[i]}>
          {row === undefined ? <Skeleton /> : column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** A single cell: one per column would take space for columns that a phone hides. */
function Spacer({ height }: { height: number }): React.JSX.Element {
  return (
    <tr aria-hidden style={{ height }}>
      <td />
    </tr>
  );
}

function TableFoot<Row>({ rows, children }: { rows: KeysetRows<Row>; children: ReactNode }): React.JSX.Element {
  return (
    <div className="flex items-center justify-between gap-3 border-t px-5 py-2 text-xs text-muted">
      <p role="status">{children ?? `${plural(rows.count, 'row')}${rows.hasMore ? ' loaded. Scroll for more' : ''}`}</p>
      {rows.error != null && (
        <Button size="small" onClick={rows.retry}>
          Loading more failed. Try again
        </Button>
      )}
      {rows.isFetching && <span>Loading…</span>}
    </div>
  );
}
