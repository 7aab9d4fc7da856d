import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { formatMonth } from '../../../lib/format-time.ts';
import type { PlotRow } from './plot.tsx';
import { centreOf, labelClass, type Scale } from './scale.view.ts';

/** A month of a chart. */
interface ChartRow extends PlotRow {
  month: string;
}

interface ChartProps<Row extends ChartRow> {
  label: string;
  /** Tailwind class of the height. */
  height?: string;
  rows: readonly Row[];
  scale: Scale;
  format: (value: number) => string;
  /** Opens the records behind a point. */
  onOpen?: (row: Row) => void;
  /** The marks, in the coordinates of the plot: percents of its width and height. */
  children: ReactNode;
}

/**
 * An image for screen readers, with a slider for the keyboard: arrow keys move from point to point, the figures of each are
 * read out, and Enter opens it. All positions are percents, so that a chart fits any width, and paper, without being measured.
 */
export function Chart<Row extends ChartRow>(props: ChartProps<Row>): React.JSX.Element {
  const { label, height = 'h-64', rows, scale, format, onOpen, children } = props;
  const [at, setAt] = useState<number>();
  const slider = useRef<HTMLInputElement>(null);
  const { hovered, pointer } = usePointer({
    count: rows.length,
    at,
    onTap(tapped) {
      slider.current?.focus({ preventScroll: true });
      setAt(tapped);
    },
    onOpen: (i) => rows[i] && onOpen?.(rows[i]),
  });
  const last = rows.length - 1;
  const index = Math.min(at ?? last, last);
  const row = rows[index];
  const spoken = row === undefined ? '' : spokenRow(row);
  const active = hovered ?? (at === undefined ? undefined : index);
  return (
    <div
      className={`@container relative ${height} w-full rounded-md text-xs has-focus-visible:outline-2 has-focus-visible:outline-accent`}
    >
      <div role="img" aria-label={`${label} ${spoken}`} className="size-full">
        {/* Room for `-IDR 1.265B` beside the plot, and for a month below it. */}
        <div
          {...pointer}
          className={`absolute top-2 right-6 bottom-6 left-20 ${onOpen === undefined ? '' : 'cursor-pointer'}`}
        >
          <svg aria-hidden className="size-full overflow-visible">
            <Axes rows={rows} scale={scale} format={format} />
            {active !== undefined && <Mark centre={centreOf(active, rows.length)} />}
            {children}
          </svg>
          {active !== undefined && <Tip row={rows[active]} centre={centreOf(active, rows.length)} />}
        </div>
      </div>
      <input
        ref={slider}
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
        onKeyDown={({ key }) => key === 'Enter' && at !== undefined && row && onOpen?.(row)}
      />
    </div>
  );
}

interface PointerOptions {
  count: number;
  /** The point that the slider has chosen. */
  at: number | undefined;
  /** A finger has chosen a point. */
  onTap: (index: number) => void;
  onOpen: (index: number) => void;
}

/** The point under the pointer, which a click opens. A finger can't hover: its first tap on a point chooses it. */
function usePointer({ count, at, onTap, onOpen }: PointerOptions) {
  const [index, setIndex] = useState<number>();
  // The press takes the focus from the slider before the click, and with it the chosen point.
  const pressed = useRef<{ isTouch: boolean; chosen: number | undefined }>(undefined);
  const indexAt = ({ clientX, currentTarget }: Pick<PointerEvent, 'clientX' | 'currentTarget'>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
  };
  return {
    hovered: index === undefined || index >= count ? undefined : index,
    pointer: {
      onPointerDown({ pointerType }: PointerEvent) {
        pressed.current = { isTouch: pointerType === 'touch', chosen: at };
      },
      onPointerMove: (event: PointerEvent) => setIndex(indexAt(event)),
      onPointerLeave: () => setIndex(undefined),
      // Before the click of a bar, which opens a part of the point.
      onClickCapture(event: React.MouseEvent) {
        const tapped = indexAt(event);
        if (pressed.current?.isTouch !== true || pressed.current.chosen === tapped) return;
        event.stopPropagation();
        onTap(tapped);
      },
      onClick: (event: React.MouseEvent) => onOpen(indexAt(event)),
    },
  };
}

/** The grid, with values at its left and months below. */
function Axes({ rows, scale, format }: Pick<ChartProps<ChartRow>, 'rows' | 'scale' | 'format'>): ReactNode {
  return (
    <g className="fill-muted">
      {scale.ticks.map((tick) => {
        const y = `${scale.percentOf(tick)}%`;
        return (
          <g key={tick}>
            <line x2="100%" y1={y} y2={y} className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'} />
            <text x={-8} y={y} dy="0.32em" textAnchor="end">
              {format(tick)}
            </text>
          </g>
        );
      })}
      {rows.map(({ month }, i) => (
        <text
          key={month}
          x={`${centreOf(i, rows.length)}%`}
          y="100%"
          dy="1.5em"
          textAnchor="middle"
          className={labelClass(i, rows.length)}
        >
          {formatMonth(month)}
        </text>
      ))}
    </g>
  );
}

/** The point that the pointer or the keyboard has chosen. */
function Mark({ centre }: { centre: number }): React.JSX.Element {
  return <line x1={`${centre}%`} x2={`${centre}%`} y2="100%" strokeDasharray="2 2" className="stroke-accent" />;
}

/** The figures of a point, at the side of it that has more room. A narrow chart has none, so they are below it. */
function Tip({ row, centre }: { row: PlotRow | undefined; centre: number }): React.JSX.Element | null {
  if (row === undefined) return null;
  const side = centre < 50 ? 'left' : 'right';
  const distance = `min(${centre < 50 ? centre : 100 - centre}% + 2rem, 100% - 12rem)`;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-0 z-10 rounded-md border bg-surface px-3 py-2 shadow-lg @max-lg:top-full @max-lg:right-0! @max-lg:left-auto! @max-lg:mt-7"
      style={{ [side]: distance }}
    >
      <p className="font-medium">{row.label}</p>
      <dl className="mt-1 grid grid-cols-[max-content_max-content] gap-x-4">
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
