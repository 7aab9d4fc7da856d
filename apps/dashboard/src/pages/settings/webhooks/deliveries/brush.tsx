import { type PointerEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Brush } from './histogram.view.ts';

/** From the last key to the change of the list. */
const KEYS_MS = 300;
/** Distance in px within which a press moves an edge instead of selecting anew. */
const EDGE_PX = 6;

interface HourBrushProps {
  count: number;
  brush: Brush | undefined;
  /** Read out at each edge. */
  textOf: (hour: number) => string;
  /** A selection that is not final: the pointer is down, or keys may follow. */
  onDraft: (brush: Brush | undefined) => void;
  onBrush: (brush: Brush) => void;
  onHover: (hour: number | undefined) => void;
  children: ReactNode;
}

const inOrder = (one: number, other: number): Brush => [Math.min(one, other), Math.max(one, other)];

/** Selects hours by dragging over the chart, or by two sliders with the keyboard. */
export function HourBrush(props: HourBrushProps): React.JSX.Element {
  const { count, brush, children } = props;
  const { pointer, isDragging } = useDrag(props);
  const [first, last] = brush ?? [0, count - 1];
  const keys = useKeys(props);
  return (
    <div className="relative h-20 w-full">
      <div
        {...pointer}
        className={`relative size-full touch-pan-y select-none border-b ${isDragging ? 'cursor-ew-resize' : 'cursor-crosshair'}`}
      >
        {children}
        {brush !== undefined && (
          <span
            aria-hidden
            className="pointer-events-none absolute inset-y-0 bg-accent/10"
            style={{ left: `${(first / count) * 100}%`, width: `${((last - first + 1) / count) * 100}%` }}
          />
        )}
      </div>
      <Edge {...keys} {...props} name="From" hour={first} at={first} move={(hour) => [hour, Math.max(hour, last)]} />
      <Edge {...keys} {...props} name="To" hour={last} at={last + 1} move={(hour) => [Math.min(hour, first), hour]} />
    </div>
  );
}

interface EdgeProps extends Pick<HourBrushProps, 'count' | 'textOf' | 'brush'> {
  name: string;
  hour: number;
  at: number;
  move: (hour: number) => Brush;
  onKeys: (brush: Brush) => void;
}

function Edge({ count, textOf, brush, name, hour, at, move, onKeys }: EdgeProps): React.JSX.Element {
  return (
    <span
      className={`pointer-events-none absolute inset-y-0 w-1 -translate-x-1/2 rounded-full has-focus-visible:bg-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${brush === undefined ? '' : 'bg-accent'}`}
      style={{ left: `${(at / count) * 100}%` }}
    >
      <input
        type="range"
        className="sr-only"
        aria-label={`${name} hour`}
        aria-valuetext={textOf(hour)}
        min={0}
        max={count - 1}
        value={hour}
        onChange={({ target }) => onKeys(move(Number(target.value)))}
      />
    </span>
  );
}

/** Reports the selection once no further key follows. */
function useKeys({ onDraft, onBrush }: HourBrushProps): { onKeys: (brush: Brush) => void } {
  const [waiting, setWaiting] = useState<Brush>();
  const report = useEffectEvent(onBrush);
  useEffect(() => {
    if (waiting === undefined) return undefined;
    const timer = setTimeout(() => {
      setWaiting(undefined);
      report(waiting);
    }, KEYS_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  return {
    onKeys(brush) {
      onDraft(brush);
      setWaiting(brush);
    },
  };
}

function useDrag({ count, brush, onDraft, onBrush, onHover }: HourBrushProps) {
  /** The edge that stays. */
  const fixed = useRef<number | undefined>(undefined);
  const [isDragging, setDragging] = useState(false);
  const hourAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
  };
  const isNear = ({ clientX, currentTarget }: PointerEvent, edge: number): boolean => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.abs(left + (edge / count) * width - clientX) <= EDGE_PX;
  };
  const fixedBy = (event: PointerEvent): number => {
    if (brush !== undefined && isNear(event, brush[0])) return brush[1];
    if (brush !== undefined && isNear(event, brush[1] + 1)) return brush[0];
    return hourAt(event);
  };
  const end = (): void => {
    fixed.current = undefined;
    setDragging(false);
  };
  return {
    isDragging,
    pointer: {
      onPointerDown(event: PointerEvent) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        fixed.current = fixedBy(event);
        setDragging(true);
        onDraft(inOrder(fixed.current, hourAt(event)));
      },
      onPointerMove(event: PointerEvent) {
        if (fixed.current === undefined) onHover(hourAt(event));
        else onDraft(inOrder(fixed.current, hourAt(event)));
      },
      onPointerUp(event: PointerEvent) {
        if (fixed.current === undefined) return;
        onHover(undefined);
        onBrush(inOrder(fixed.current, hourAt(event)));
        end();
      },
      onPointerCancel() {
        onDraft(undefined);
        end();
      },
      onPointerLeave: () => onHover(undefined),
    },
  };
}
