import { type Html, html } from '../http/html.ts';

interface SparkPoint {
  readonly at: Date;
  readonly value: number;
}

interface SparklineOptions {
  readonly points: readonly SparkPoint[];
  readonly to: Date;
  readonly spanMs: number;
  /** Points further apart are not connected. */
  readonly gapMs: number;
  readonly format: (value: number) => string;
}

const [width, height, margin] = [160, 32, 2] as const;

/** A line over the time before `to`, from zero to the highest point; nothing with fewer than two points. */
export function sparkline({ points, to, spanMs, gapMs, format }: SparklineOptions): Html | false {
  if (points.length < 2) return false;
  const highest = Math.max(...points.map(({ value }) => value));
  const x = (at: Date): number => width - ((to.getTime() - at.getTime()) / spanMs) * width;
  const y = (value: number): number =>
    height - margin - (highest === 0 ? 0 : (value / highest) * (height - 2 * margin));
  const path = points.map(({ at, value }, index) => {
    const before = points[index - 1];
    const isJoined = before !== undefined && at.getTime() - before.at.getTime() <= gapMs;
    return `${isJoined ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return html`<svg class="spark" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
<path d="${path.join('')}"/></svg><small>1 h: at most ${format(highest)}</small>`;
}
