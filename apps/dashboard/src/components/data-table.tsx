import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { formatCount } from '../lib/format-number.ts';
import type { KeysetRows } from '../lib/keyset-rows.ts';
import { plural } from '../lib/text.ts';
import { useMinWidth } from '../lib/use-min-width.ts';
import { usePrinting } from '../lib/use-printing.ts';
import { Button } from './button.tsx';
import { columnClasses, isCut, type Room, widthsOf } from './columns.view.ts';
import { ErrorState, Loading, Skeleton } from './states.tsx';
import { opensOnPress, TWO_LINES } from './table-cells.tsx';
import { type Column, type Pressed, type Sort, TableHead } from './table-head.tsx';

export interface DataTableProps<Row> {
  label: string;
  rows: KeysetRows<Row>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  empty: ReactNode;
  rowHeight?: number | undefined;
  height?: string | undefined;
  sort?: Sort | undefined;
}

const OVERSCAN = 12;
const UNMEASURED = { width: 0, height: 700 };

/** A table of any length: only visible rows are rendered, and only their pages are in memory. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, rows, empty } = props;
  const pressed = useRef<string>(undefined);
  // As the other placeholders, it is replaced after short tasks.
  const isDrawn = useDeferredValue(!rows.isLoading);
  if (rows.error != null && rows.count === 0)
    return (
      <div className="px-5 py-3">
        <ErrorState error={rows.error} onRetry={rows.retry} />
      </div>
    );
  if (rows.isLoading || !isDrawn)
    return (
      <div className="px-5 py-3">
        <Loading label={label} lines={6} />
      </div>
    );
  return rows.count === 0 ? empty : <VirtualTable key={rows.name} {...props} pressed={pressed} />;
}

function VirtualTable<Row>({
  label,
  rows,
  columns,
  keyOf,
  rowHeight = 44,
  height: most = 'max-h-[70vh]',
  sort,
  pressed,
}: DataTableProps<Row> & { pressed: Pressed }): React.JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom();
  const height = room === 'large' ? rowHeight : withTwoLines(rowHeight);
  const virtual = useVirtualizer({
    count: rows.count + rows.ahead,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    initialRect: UNMEASURED,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  // The heights are of the layout before.
  useEffect(() => virtual.measure(), [virtual, height]);
  const isPrinting = usePrinting();
  const drawn = isPrinting
    ? keyed(rows, 0, rows.count - 1, keyOf).filter(([, , row]) => row !== undefined)
    : keyed(rows, first, last, keyOf);
  const { show } = rows;
  useEffect(() => {
    // On paper all rows are in view: each page would load the next.
    if (!isPrinting) show(first, last);
  }, [show, first, last, isPrinting]);
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const classes = useMemo(() => columnClasses(columns), [columns]);
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
        className={`scroll-pt-10 overflow-auto [overflow-anchor:none] ${most}`}
      >
        <table
          className="w-full border-separate border-spacing-0 text-sm"
          aria-rowcount={rows.hasMore ? -1 : rows.count + 1}
        >
          <caption className="sr-only">{label}</caption>
          <TableHead
            columns={columns}
            classes={classes}
            widths={widthsOf(columns, room)}
            sort={sort}
            pressed={pressed}
          />
          <tbody>
            {above > 0 && <Spacer height={above} />}
            {drawn.map(([key, index, row]) => (
              <KeptRow key={key} index={index} row={row} columns={columns} classes={classes} rowHeight={height} />
            ))}
            {below > 0 && <Spacer height={below} />}
          </tbody>
        </table>
      </div>
      <TableFoot rows={rows} printed={isPrinting ? drawn.length : undefined} />
    </div>
  );
}

function useRoom(): Room {
  const isSmall = useMinWidth(48);
  const isLarge = useMinWidth(80);
  return isLarge ? 'large' : isSmall ? 'small' : 'phone';
}

/** The height of a row whose name may take two lines. */
function withTwoLines(rowHeight: number): number {
  return rowHeight >= TWO_LINES ? rowHeight + 8 : Math.max(rowHeight, 44);
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
          {row === undefined ? <Skeleton /> : <Cell wraps={isCut(column)}>{column.cell(row)}</Cell>}
        </td>
      ))}
    </tr>
  );
}

/** Text that does not fit takes a second line, unless the screen is large. Each row has room for it. */
function Cell({ wraps, children }: { wraps: boolean; children: ReactNode }): ReactNode {
  return wraps ? <div className="xl:truncate max-xl:not-has-[div]:line-clamp-2">{children}</div> : children;
}

/** Names the type that `memo` forgets. */
function asDataRow(row: unknown): typeof DataRow {
  return row as typeof DataRow;
}

/** Is not drawn again while the table scrolls or is measured. */
const KeptRow = asDataRow(memo(DataRow));

/** A single cell: one per column would take space for columns that a phone hides. */
function Spacer({ height }: { height: number }): React.JSX.Element {
  return (
    <tr aria-hidden style={{ height }}>
      <td />
    </tr>
  );
}

interface TableFootProps<Row> {
  rows: KeysetRows<Row>;
  /** The number of rows on paper. */
  printed: number | undefined;
}

function TableFoot<Row>({ rows, printed }: TableFootProps<Row>): React.JSX.Element {
  const more = printed === undefined && rows.hasMore ? ' loaded. Scroll for more' : '';
  return (
    <div className="flex items-center justify-between gap-3 border-t px-5 py-2 text-xs text-muted">
      <p role="status">{`${plural(rows.count, 'row')}${more}`}</p>
      {printed !== undefined && <p>{printedText(printed, rows)}</p>}
      {rows.error != null && (
        <Button size="small" onClick={rows.retry}>
          Loading more failed. Try again
        </Button>
      )}
      {rows.isFetching && <span>Loading…</span>}
    </div>
  );
}

/** The rows that the paper leaves out: pages that left memory, and those that were never loaded. */
function printedText(printed: number, { count, hasMore }: KeysetRows<unknown>): string | undefined {
  if (printed === count && !hasMore) return undefined;
  return `${formatCount(printed)} of ${formatCount(count)} loaded rows${hasMore ? '. The list has more.' : '.'}`;
}
