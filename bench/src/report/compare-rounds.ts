import type { Figure } from './figure.ts';
import { median, medianRatio } from './statistics.ts';

/** What one round measured of both checkouts. */
export interface Round {
  readonly own: readonly Figure[];
  readonly against: readonly Figure[];
}

/**
 * Each figure's medians over the rounds; its ratio is the median of the rounds' own ratios, which a machine that slows
 * down from round to round does not move. A figure that only one checkout has stands alone.
 */
export function compareRounds(rounds: readonly Round[], againstName: string): Figure[] {
  const [first] = rounds;
  if (first === undefined) return [];
  const valuesOf = (figure: Figure, side: keyof Round): number[] =>
    rounds.map((round) => sameFigure(round[side], figure)?.value ?? Number.NaN);
  return first.own.map((figure): Figure => {
    const { scenario, name, unit } = figure;
    const own = valuesOf(figure, 'own');
    const measured = { scenario, name, unit, value: median(own) };
    if (sameFigure(first.against, figure) === undefined) return measured;
    const against = valuesOf(figure, 'against');
    return {
      ...measured,
      reference: { id: againstName, value: median(against) },
      ratio: medianRatio(own, against),
    };
  });
}

function sameFigure(figures: readonly Figure[], { scenario, name, unit }: Figure): Figure | undefined {
  return figures.find((figure) => figure.scenario === scenario && figure.name === name && figure.unit === unit);
}
