/** What can be measured: the limits, then the scenarios. */
export const scenarioIds = [
  'L1',
  'L2',
  'L3',
  'L4',
  'B1',
  'B2',
  'B3',
  'B4',
  'B5',
  'B6',
  'B7',
  'B8',
  'B11',
  'SOAK',
] as const;
export type ScenarioId = (typeof scenarioIds)[number];

type Unit = 'requests/s' | 'deliveries/s' | 'rows/s' | 'jobs/s' | 'ms' | 's' | 'MB' | 'MB/min' | 'bytes';

/** One line of the result. */
export interface Figure {
  readonly scenario: ScenarioId;
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** What it is compared with, in the figure's own unit. */
  readonly limit?: { readonly id: string; readonly value: number };
  /** value / limit. */
  readonly ratio?: number;
  readonly goal?: { readonly text: string; readonly met: boolean };
}

type Measured = Pick<Figure, 'scenario' | 'name' | 'value' | 'unit'>;

/** A limit, and how it is called in the lines that refer to it. */
interface Limit {
  readonly id: string;
  readonly value: number;
}

/**
 * A figure whose goal is a share of a limit, or of another figure. `ratio` may be given where it is not simply
 * value / limit, for example the median of several rounds.
 */
export function comparedFigure(
  measured: Measured,
  limit: Limit,
  goal: { readonly atLeast: number } | { readonly atMost: number } | undefined,
  ratio: number = measured.value / limit.value,
): Figure {
  if (goal === undefined) return { ...measured, limit, ratio };
  const [text, met] =
    'atLeast' in goal
      ? [`≥ ${goal.atLeast} × ${limit.id}`, ratio >= goal.atLeast]
      : [`≤ ${goal.atMost} × ${limit.id}`, ratio <= goal.atMost];
  return { ...measured, limit, ratio, goal: { text, met } };
}

/** A figure with a goal of its own: at most `most`, in the figure's unit. */
export function boundedFigure(measured: Measured, most: number): Figure {
  return { ...measured, goal: { text: `≤ ${most} ${measured.unit}`, met: measured.value <= most } };
}
