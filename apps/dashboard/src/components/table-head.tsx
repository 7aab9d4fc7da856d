import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { zoneName } from '../lib/format-time.ts';
import type { ListOrder } from '../lib/list-order.ts';
import type { Layout } from './columns.view.ts';
import { useZone } from './shell/company-context.ts';

export interface Column<Row> extends Layout {
  title: string;
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

/** The header that was pressed last. The table that it sorts is another one, where it gets the focus. */
export type Pressed = RefObject<string | undefined>;

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  classes: readonly string[];
  widths: ReadonlyArray<number | undefined>;
  sort: Sort | undefined;
  pressed: Pressed;
}

export function TableHead<Row>({ columns, classes, widths, sort, pressed }: TableHeadProps<Row>): React.JSX.Element {
  return (
    <thead className="sticky top-0 z-10 bg-surface">
      <tr aria-rowindex={1}>
        {columns.map((column, i) => (
          <th
            key={column.title}
            scope="col"
            style={{ width: widths[i] === undefined ? undefined : `${widths[i]}%` }}
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

interface ColumnTitleProps<Row> extends Omit<TableHeadProps<Row>, 'columns' | 'classes' | 'widths'> {
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

interface SortButtonProps {
  by: string;
  sort: Sort;
  pressed: Pressed;
  children: string;
}

function SortButton({ by, sort, pressed, children }: SortButtonProps): React.JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (pressed.current !== by) return;
    // A later table, as that of other filters, does not take the focus.
    pressed.current = undefined;
    // The region around the table, or the page, got the focus when the button of before was removed.
    if (document.activeElement?.contains(button.current)) button.current?.focus({ preventScroll: true });
  }, [by, pressed]);
  return (
    <button
      ref={button}
      type="button"
      onClick={() => {
        pressed.current = by;
        sort.onPress(by);
      }}
      className="min-h-6 rounded font-medium hover:text-text"
    >
      {/* Figures stay below the end of their title. */}
      <span className="inline-flex gap-1 group-[.text-right]:flex-row-reverse">
        {children}
        {sort.by === by && <span aria-hidden>{sort.isDescending ? '↓' : '↑'}</span>}
      </span>
    </button>
  );
}
