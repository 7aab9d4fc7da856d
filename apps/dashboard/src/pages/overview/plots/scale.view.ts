/** The vertical scale of a chart, in percent from its top. */
export interface Scale {
  /** The lowest first. */
  ticks: readonly number[];
  percentOf: (value: number) => number;
}

const INTERVALS = 4;
const STEPS = [1, 2, 5, 10];

/** A round number of minor units, so that a tick prints exactly. */
function stepOf(range: number): number {
  const least = Math.max(1, range / INTERVALS);
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least) ?? 1) * power;
}

/** A scale with round ticks that shows the values and zero. */
export function scaleOf(values: readonly number[]): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = stepOf(high - low);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return {
    ticks: Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step),
    percentOf: (value) => ((last - value / step) / (last - first)) * 100,
  };
}

/** The middle of a point's column, in percent of the chart's width. */
export const centreOf = (index: number, count: number): number => ((index + 0.5) / count) * 100;

/** Where a line first falls below zero, in percent of the chart's width; undefined if it does not. */
export function crossingOf(values: readonly (number | null)[]): number | undefined {
  const at = values.findIndex((value) => value !== null && value < 0);
  if (at === -1) return undefined;
  const [before, after] = [values[at - 1] ?? 0, values[at] ?? 0];
  const share = at === 0 ? 0 : after / (after - before);
  return centreOf(at - share, values.length);
}

type Point = readonly [x: number, y: number];

/** The points of a line, without those that are not known: a run ends where one is missing. */
export function runsOf(values: readonly (number | null)[], { percentOf }: Scale): Point[][] {
  const runs: Point[][] = [[]];
  for (const [i, value] of values.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push([centreOf(i, values.length), percentOf(value)]);
  }
  return runs.filter((run) => run.length > 0);
}

export function linePath(runs: readonly Point[][]): string {
  return runs.map((run) => `M${run.map((point) => point.join(' ')).join('L')}`).join('');
}

/** The area between each run and zero. */
export function areaPath(runs: readonly Point[][], { percentOf }: Scale): string {
  const zero = percentOf(0);
  return runs.map((run) => `${linePath([run])}L${run.at(-1)?.[0]} ${zero}L${run[0]?.[0]} ${zero}Z`).join('');
}

/** The number of labels that fit below a chart, by the width of its container. */
const widths = [
  { most: 3, shown: 'block', hidden: 'hidden' },
  { most: 6, shown: '@md:block', hidden: '@md:hidden' },
  { most: 13, shown: '@5xl:block', hidden: '@5xl:hidden' },
] as const;

/** Shows the label of the last point, and of each at an equal distance for which there is room. */
export function labelClass(index: number, count: number): string {
  return widths
    .map(({ most, shown, hidden }) => ((count - 1 - index) % Math.ceil(count / most) === 0 ? shown : hidden))
    .join(' ');
}
