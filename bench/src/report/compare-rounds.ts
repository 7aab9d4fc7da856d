import type { Figure } from './figure.ts';
import { median, medianRatio } from './statistics.ts';

/** Figures of both checkouts in one round. */
export interface Round {
  readonly own: readonly Figure[];
  readonly against: readonly Figure[];
}

/**
 * The medians of each figure over the rounds, and the median of the rounds' ratios, which a machine that slows down
 * does not change. A figure of only one checkout has no ratio.
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
