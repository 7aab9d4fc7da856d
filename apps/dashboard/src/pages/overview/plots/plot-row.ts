export interface PlotRow {
  label: string;
  tip: ReadonlyArray<readonly [name: string, figure: string]>;
}

export const seriesColours = [
  'var(--color-series-1)',
  'var(--color-series-2)',
  'var(--color-series-3)',
  'var(--color-series-4)',
  'var(--color-series-5)',
  'var(--color-series-6)',
] as const;

/** Converts cents for a chart; a loss of precision is invisible there. */
export function drawn(value: bigint): number {
  return Number(value);
}
