import { type ReactNode, useEffect } from 'react';
import type { KeysetRows } from '../data/keyset-rows.ts';
import { Button } from './button.tsx';
import { plural } from './plural.ts';
import { ErrorState, Loading, Skeleton } from './states.tsx';
import { useRowWindow } from './use-row-window.ts';

export interface Column<Row> {
  id: string;
  title: string;
  /** Share of the width, as in `fr`; 1 by default. */
  grow?: number;
  /** Figures stand at the right, and are never cut off. */
  align?: 'end';
  /** Never cut off, as a day, a time or a status: the column grows at the cost of the others. */
  whole?: boolean;
  /** Left out on a phone. */
  wide?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface DataTableProps<Row> {
  /** Names the table for those who can't see it. */
  label: string;
  rows: KeysetRows<Row>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** Shown instead of the table when the filters select nothing. */
  empty: ReactNode;
  /** Height of a row in px; rows are one line high. */
  rowHeight?: number;
  /** The class that bounds the height of the frame. */
  height?: string;
}

/** The class of each column's cells. The outermost ones, which on a phone may be others, stand in from the edge. */
function columnClasses<Row>(columns: readonly Column<Row>[]): readonly string[] {
  const narrow = columns.filter(({ wide }) => wide !== true);
  return columns.map((column, i) => {
    const left = `${column === narrow[0] ? 'pl-5' : 'pl-2'} ${i === 0 ? 'md:pl-5' : 'md:pl-3'}`;
    const right = `${column === narrow.at(-1) ? 'pr-5' : 'pr-2'} ${i === columns.length - 1 ? 'md:pr-5' : 'md:pr-3'}`;
    const align = column.align === 'end' ? 'text-right' : 'text-left';
    // Without a width of its own a cell is cut off at what its column's share gives it.
    const cut = column.whole === true || column.align === 'end' ? 'whitespace-nowrap' : 'max-w-0 truncate';
    return `${cut} border-b ${align} ${left} ${right} ${column.wide === true ? 'hidden md:table-cell' : ''}`;
  });
}

/**
 * A table of any length: only rows in view exist, and only their pages are held. It scrolls inside its own frame, by
 * wheel, touch and keyboard. In a cell, a link whose class is `rowLink` is followed wherever the row is pressed.
 */
export function DataTable<Row>({
  label,
  rows,
  columns,
  keyOf,
  empty,
  rowHeight = 44,
  height = 'max-h-[70vh]',
}: DataTableProps<Row>): ReactNode {
  const { frame, onScroll, onKeyDown, toTop, first, last, above, below } = useRowWindow(
    rows.count + rows.ahead,
    rowHeight,
  );
  const { show } = rows;
  useEffect(() => show(first, last), [show, first, last]);

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
  if (rows.count === 0) return empty;
  const classes = columnClasses(columns);
  return (
    <div className="relative flex min-w-0 flex-col">
      <NewRows news={rows.news} onShow={toTop} />
      {/* A region that scrolls has to be reachable by keyboard. */}
      <div
        key={rows.name}
        ref={frame}
        tabIndex={0}
        role="group"
        aria-label={label}
        onScroll={({ currentTarget }) => {
          onScroll();
          rows.hold(currentTarget.scrollTop > 0);
        }}
        onKeyDown={onKeyDown}
        className={`overflow-auto [overflow-anchor:none] ${height}`}
      >
        <table
          className="w-full border-separate border-spacing-0 text-sm"
          aria-rowcount={rows.hasMore ? -1 : rows.count + 1}
        >
          <caption className="sr-only">{label}</caption>
          <TableHead columns={columns} classes={classes} />
          <tbody>
            {above > 0 && <Spacer height={above} />}
            {keyed(rows, first, last, keyOf).map(([key, index, row]) => (
              <DataRow key={key} index={index} row={row} columns={columns} classes={classes} rowHeight={rowHeight} />
            ))}
            {below > 0 && <Spacer height={below} />}
          </tbody>
        </table>
      </div>
      <TableFoot rows={rows} />
    </div>
  );
}

/** Brings in the rows that came in while the reader was further down. */
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

function TableHead<Row>({ columns, classes }: Pick<DataRowProps<Row>, 'columns' | 'classes'>): React.JSX.Element {
  const total = columns.reduce((sum, { grow = 1 }) => sum + grow, 0);
  return (
    <thead className="sticky top-0 z-10 bg-surface">
      <tr aria-rowindex={1}>
        {columns.map((column, i) => (
          <th
            key={column.id}
            scope="col"
            style={{ width: `${((column.grow ?? 1) / total) * 100}%` }}
            className={`py-2 font-medium text-muted ${classes[i] ?? ''}`}
          >
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Rows with keys that follow them when others come in above; a row that stands twice for a moment has two keys. */
function keyed<Row>(rows: KeysetRows<Row>, first: number, last: number, keyOf: (row: Row) => string) {
  const seen = new Map<string, [key: string, index: number, row: Row | undefined]>();
  for (let index = first; index <= last; index++) {
    const row = rows.rowAt(index);
    const key = row === undefined ? '' : keyOf(row);
    const own = key === '' || seen.has(key) ? `#${index}` : key;
    seen.set(own, [own, index, row]);
  }
  return [...seen.values()];
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
        <td key={column.id} style={{ height: rowHeight }} className={classes[i]}>
          {row === undefined ? <Skeleton /> : column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** The class of the link or button that opens the record of a row: in a `DataTable` it takes presses on the whole row. */
export const rowLink = 'row-link font-medium';

// Only a row that opens says so, and what else can be pressed in it lies above the link's area.
const opensOnPress =
  'has-[.row-link]:hover:bg-sunken/50 has-[:focus-visible]:bg-sunken/50 ' +
  '[&_.row-link]:after:absolute [&_.row-link]:after:inset-0 [&_.row-link]:after:cursor-pointer ' +
  '[&_:is(a,button):not(.row-link)]:relative [&_:is(a,button):not(.row-link)]:z-1';

/** One cell only: one for each column would give room to those that a phone leaves out. */
function Spacer({ height }: { height: number }): React.JSX.Element {
  return (
    <tr aria-hidden style={{ height }}>
      <td />
    </tr>
  );
}

function TableFoot<Row>({ rows }: { rows: KeysetRows<Row> }): React.JSX.Element {
  return (
    <div className="flex items-center justify-between gap-3 border-t px-5 py-2 text-xs text-muted">
      <p role="status">{`${plural(rows.count, 'row')}${rows.hasMore ? ' loaded. Scroll for more' : ''}`}</p>
      {rows.error != null && (
        <Button size="small" onClick={rows.retry}>
          Loading more failed. Try again
        </Button>
      )}
      {rows.isFetching && <span>Loading…</span>}
    </div>
  );
}
