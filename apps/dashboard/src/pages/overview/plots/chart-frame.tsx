import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ResponsiveContainer, type TooltipContentProps } from 'recharts';
import type { PlotRow } from './plot-row.ts';

export function ChartFrame({ label, children }: { label: string; children: ReactElement }): React.JSX.Element {
  const { frame, isNear } = useIsNear();
  return (
    <div ref={frame} role="img" aria-label={label} className="h-64 w-full text-xs">
      {isNear && (
        <ResponsiveContainer width="100%" height="100%">
          {children}
        </ResponsiveContainer>
      )}
    </div>
  );
}

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

/** Settings of all charts. Charts are images, so they are not focusable. */
export const chartProps = { accessibilityLayer: false, margin: { top: 8, right: 8, bottom: 0, left: 0 } } as const;

export const axisProps = {
  tick: { fill: 'var(--color-muted)', fontSize: 11 },
  stroke: 'var(--color-line)',
  tickLine: false,
} as const;

/** Fits `-IDR 1.265B`. */
export const AXIS_WIDTH = 74;

function asRow(value: unknown): PlotRow | undefined {
  return value as PlotRow | undefined;
}

export function PlotTip({
  active,
  payload,
}: Partial<Pick<TooltipContentProps, 'active' | 'payload'>>): React.JSX.Element | null {
  const row = asRow(payload?.[0]?.payload);
  if (active !== true || !row) return null;
  return (
    <div className="rounded-md border bg-surface px-3 py-2 text-xs shadow-lg">
      <p className="font-medium">{row.label}</p>
      <dl className="mt-1 grid grid-cols-[max-content_max-content] gap-x-4 gap-y-0.5">
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

export function useHatch(colour: string): { fill: string; pattern: ReactElement } {
  const id = `hatch${useId().replaceAll(/\W/g, '')}`;
  return {
    fill: `url(#${id})`,
    pattern: (
      <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={6} height={6} fill={colour} fillOpacity={0.2} />
        <rect width={2.5} height={6} fill={colour} />
      </pattern>
    ),
  };
}
