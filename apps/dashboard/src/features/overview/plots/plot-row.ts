/** One place along a plot, with what is told of it when it is pointed at. */
export interface PlotRow {
  label: string;
  /** Names and exact figures. */
  tip: ReadonlyArray<readonly [name: string, figure: string]>;
}

/** The colours of series, in their order. */
export const seriesColours = [
  'var(--color-series-1)',
  'var(--color-series-2)',
  'var(--color-series-3)',
  'var(--color-series-4)',
  'var(--color-series-5)',
  'var(--color-series-6)',
] as const;

/** Cents as a picture needs them: digits beyond what a number holds are no part of it. */
export function drawn(value: bigint): number {
  return Number(value);
}
