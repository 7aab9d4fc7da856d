export const scenarioIds = ['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'B10', 'B11', 'B12', 'SOAK'] as const;
export type ScenarioId = (typeof scenarioIds)[number];

type Unit =
  | 'requests'
  | 'requests/s'
  | 'deliveries/s'
  | 'rows/s'
  | 'ms'
  | 's'
  | 'MB'
  | 'MB/min'
  | 'bytes'
  | '% of a core'
  | '%';

export interface Figure {
  readonly scenario: ScenarioId;
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** Another figure of the same run, in the same unit. */
  readonly reference?: Reference;
  /** value / reference. */
  readonly ratio?: number;
  readonly goal?: { readonly text: string; readonly met: boolean };
}

type Measured = Pick<Figure, 'scenario' | 'name' | 'value' | 'unit'>;

/** A figure with the name that other lines use for it. */
interface Reference {
  readonly id: string;
  readonly value: number;
}

/**
 * A figure whose goal is a share of another figure. `ratio` overrides value / reference, for example with the median of
 * several rounds.
 */
export function comparedFigure(
  measured: Measured,
  reference: Reference,
  goal: { readonly atLeast: number } | { readonly atMost: number },
  ratio: number = measured.value / reference.value,
): Figure {
  const [text, met] =
    'atLeast' in goal
      ? [`≥ ${goal.atLeast} × ${reference.id}`, ratio >= goal.atLeast]
      : [`≤ ${goal.atMost} × ${reference.id}`, ratio <= goal.atMost];
  return { ...measured, reference, ratio, goal: { text, met } };
}

/** A figure with an absolute goal: at most `most`, in its unit. */
export function boundedFigure(measured: Measured, most: number): Figure {
  return { ...measured, goal: { text: `≤ ${most} ${measured.unit}`, met: measured.value <= most } };
}

/** With spaces between thousands, for the names of figures. */
export function grouped(count: number): string {
  return count.toLocaleString('en').replaceAll(',', ' ');
}
