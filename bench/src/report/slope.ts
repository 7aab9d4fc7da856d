export interface Sample {
  /** Since the start, in ms. */
  readonly at: number;
  readonly value: number;
}

const windows = 20;
/** The first fifth is a process finding its size. */
const settling = 0.2;

/**
 * How fast the values grow, per minute: the line through the least of each of twenty stretches, without the first
 * fifth. What a garbage collector lets pile up between its runs is not growth; what its least is, is.
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

/** Of the line with the least squares. */
function slope(points: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ at }) => at)), mean(points.map(({ value }) => value))];
  const above = points.reduce((sum, { at, value }) => sum + (at - x) * (value - y), 0);
  const below = points.reduce((sum, { at }) => sum + (at - x) ** 2, 0);
  return above / below;
}
