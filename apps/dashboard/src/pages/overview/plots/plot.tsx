import { currencyExponent } from '@finhook/contracts/currency';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { CartesianGrid, ResponsiveContainer, Tooltip, type TooltipContentProps, YAxis } from 'recharts';
import type { Column } from '../../../components/data-table.tsx';
import { Panel } from '../../../components/page.tsx';
import { SimpleTable } from '../../../components/simple-table.tsx';
import { Loaded } from '../../../components/states.tsx';
import { scaleMoney } from '../../../lib/format-number.ts';

/** A point of a plot: its exact figures are shown in the tooltip and in the table. */
export interface PlotRow {
  label: string;
  tip: ReadonlyArray<readonly [name: string, figure: string]>;
}

interface PlotPanelProps<Data> {
  title: string;
  query: UseQueryResult<Data, unknown>;
  className?: string;
  children: (data: Data) => ReactNode;
}

export function PlotPanel<Data>({ title, query, className, children }: PlotPanelProps<Data>): React.JSX.Element {
  return (
    <Panel title={title} className={className}>
      <Loaded query={query} label={title} lines={9}>
        {children}
      </Loaded>
    </Panel>
  );
}

export function NoPlot({ children }: { children: ReactNode }): React.JSX.Element {
  return <p className="py-8 text-center text-sm text-muted">{children}</p>;
}

interface ChartFrameProps<Row extends PlotRow> {
  label: string;
  /** Tailwind class of the height. */
  height?: string;
  rows: readonly Row[];
  /** Opens the records behind a point. */
  onOpen?: (row: Row) => void;
  /** `chosen` is the point that the keyboard has chosen. */
  children: (chosen: Row | undefined) => ReactElement;
}

/**
 * An image for screen readers, with a slider for the keyboard: arrow keys move from point to point, the figures of each are
 * read out, and Enter opens it.
 */
export function ChartFrame<Row extends PlotRow>(props: ChartFrameProps<Row>): React.JSX.Element {
  const { label, height = 'h-64', rows, onOpen, children } = props;
  const { frame, isNear } = useIsNear();
  const [at, setAt] = useState<number>();
  const last = rows.length - 1;
  const index = Math.min(at ?? last, last);
  const row = rows[index];
  const chosen = at === undefined ? undefined : row;
  const spoken = row === undefined ? '' : spokenRow(row);
  return (
    <div
      className={`relative ${height} w-full rounded-md text-xs has-focus-visible:outline-2 has-focus-visible:outline-accent`}
    >
      <div ref={frame} role="img" aria-label={`${label} ${spoken}`} className="size-full">
        {isNear && (
          <ResponsiveContainer width="100%" height="100%">
            {children(chosen)}
          </ResponsiveContainer>
        )}
      </div>
      {chosen && (
        <div aria-hidden className="absolute top-0 right-2">
          <Tip row={chosen} />
        </div>
      )}
      <input
        type="range"
        className="sr-only"
        aria-label={label}
        aria-valuetext={spoken}
        min={0}
        max={last}
        value={index}
        onChange={({ target }) => setAt(Number(target.value))}
        onFocus={() => setAt(index)}
        onBlur={() => setAt(undefined)}
        onKeyDown={({ key }) => key === 'Enter' && chosen && onOpen?.(chosen)}
      />
    </div>
  );
}

/** Marks the point that the keyboard has chosen. */
export const chosenMark = { stroke: 'var(--color-accent)', strokeDasharray: '2 2' } as const;

/** True once an element is near the viewport or the page is printed. Drawing six charts at once blocks the page. */
function useIsNear() {
  const [isNear, setNear] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const print = (): void => flushSync(() => setNear(true));
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '50%' },
    );
    if (frame.current) observer.observe(frame.current);
    addEventListener('beforeprint', print);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', print);
    };
  }, []);
  return { frame, isNear };
}

/** Settings of all charts. Charts are images; the slider of their frame gets the focus. */
export const chartProps = { accessibilityLayer: false, margin: { top: 8, right: 8, bottom: 0, left: 0 } } as const;

export const axisProps = {
  tick: { fill: 'var(--color-muted)', fontSize: 'var(--text-xs)' },
  stroke: 'var(--color-line)',
  tickLine: false,
} as const;

interface ValueAxisProps {
  format: (value: number) => string;
  domain?: ['auto', 'auto'];
}

/** Puts the figures of a month beside its bars. */
const TIP_OFFSET = 32;

/** Fits `-IDR 1.265B`. */
const AXIS_WIDTH = 80;

/** The vertical axis with its grid, and the tooltip. */
export function ValueAxis({ format, domain }: ValueAxisProps): React.JSX.Element {
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--color-line)" />
      <YAxis width={AXIS_WIDTH} tickFormatter={format} {...(domain && { domain })} {...axisProps} />
      <Tooltip
        content={PlotTip}
        offset={TIP_OFFSET}
        isAnimationActive={false}
        cursor={{ fill: 'var(--color-sunken)' }}
      />
    </>
  );
}

export function moneyFormat(currency: string): (cents: number) => string {
  const digits = currencyExponent(currency);
  return (cents) => scaleMoney(cents, currency, digits);
}

function asRow(value: unknown): PlotRow | undefined {
  return value as PlotRow | undefined;
}

function PlotTip({ active, payload }: Partial<Pick<TooltipContentProps, 'active' | 'payload'>>): ReactNode {
  const row = asRow(payload?.[0]?.payload);
  return active === true && row ? <Tip row={row} /> : null;
}

function Tip({ row }: { row: PlotRow }): React.JSX.Element {
  return (
    <div className="rounded-md border bg-surface px-3 py-2 text-xs shadow-lg">
      <p className="font-medium">{row.label}</p>
      <dl className="mt-1 grid grid-cols-[max-content_max-content] gap-x-4 gap-y-1">
        {row.tip.map(([name, figure]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right tabular-nums">{figure}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** `Oct 2026: In $1.00, Out $2.00`, for screen readers. */
function spokenRow({ label, tip }: PlotRow): string {
  return `${label}: ${tip.map(([name, figure]) => `${name} ${figure}`).join(', ')}`;
}

interface PlotTableProps<Row extends PlotRow> {
  label: string;
  /** Title of the column with the rows' labels. */
  first: string;
  rows: readonly Row[];
  /** A link to what a figure consists of; `column` counts the figures of the row. */
  link?: (row: Row, figure: string, column: number) => ReactNode;
}

export function PlotTable<Row extends PlotRow>({ label, first, rows, link }: PlotTableProps<Row>): React.JSX.Element {
  return (
    <FoldedTable
      label={label}
      rows={rows}
      keyOf={(row) => `${rows.indexOf(row)}`}
      columns={[
        { title: first, cell: (row) => row.label },
        ...(rows[0]?.tip ?? []).map(([title], i) => ({
          id: `${i}`,
          title,
          align: 'end' as const,
          cell: (row: Row) => {
            const figure = row.tip[i]?.[1] ?? '–';
            return <span className="tabular-nums">{link ? link(row, figure, i) : figure}</span>;
          },
        })),
      ]}
    />
  );
}

interface FoldedTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
}

function FoldedTable<Row>(table: FoldedTableProps<Row>): React.JSX.Element {
  return (
    <details className="mt-3 text-sm">
      <summary className="text-xs text-muted">Show as table</summary>
      <div className="mt-2 max-h-80 overflow-y-auto">
        <SimpleTable {...table} empty={null} />
      </div>
    </details>
  );
}

interface LegendProps {
  entries: ReadonlyArray<readonly [name: string, colour: string] | readonly [name: string, swatch: ReactElement]>;
}

/** A swatch is a colour, or an element of its own. */
export function Legend({ entries }: LegendProps): React.JSX.Element {
  return (
    <ul aria-label="Legend" className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {entries.map(([name, swatch]) => (
        <li key={name} className="inline-flex min-w-0 items-center gap-2">
          {typeof swatch === 'string' ? (
            <span aria-hidden className="size-3 shrink-0 rounded-sm" style={{ background: swatch }} />
          ) : (
            swatch
          )}
          <span className="truncate">{name}</span>
        </li>
      ))}
    </ul>
  );
}
