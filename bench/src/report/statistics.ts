/** The `q` quantile (0 to 1) of sorted values by nearest rank, without interpolation. */
export function quantile(sorted: readonly number[], q: number): number {
  const rank = Math.max(1, Math.ceil(q * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** Of unsorted values; NaN without any. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The median over the rounds of value / reference. */
export function medianRatio(values: readonly number[], references: readonly number[]): number {
  return median(values.map((value, round) => value / (references[round] ?? Number.NaN)));
}

export interface Spread {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    max: sorted.at(-1) ?? Number.NaN,
  };
}

export interface Sample {
  /** Since the start, in ms. */
  readonly at: number;
  readonly value: number;
}

const windows = 20;
/** The first fifth is warm-up. */
const settling = 0.2;

/**
 * Growth per minute: the slope through the minima of twenty windows, without the warm-up. Minima exclude garbage that
 * is not yet collected.
 */
export function growthPerMinute(samples: readonly Sample[]): number {
  const end = Math.max(...samples.map(({ at }) => at)) + 1;
  const least = new Map<number, Sample>();
  for (const sample of samples) {
    if (sample.at < settling * end) continue;
    const window = Math.floor((windows * sample.at) / end);
    if (sample.value < (least.get(window)?.value ?? Number.POSITIVE_INFINITY)) least.set(window, sample);
  }
  return 60_000 * slope([...least.values()]);
}

/** By least squares. */
function slope(points: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ at }) => at)), mean(points.map(({ value }) => value))];
  const above = points.reduce((sum, { at, value }) => sum + (at - x) * (value - y), 0);
  const below = points.reduce((sum, { at }) => sum + (at - x) ** 2, 0);
  return above / below;
}
