import { type RunwayLine, runwayText } from './runway-tile.view.ts';
import { useCash } from './use-cash.ts';

/** Gives the figure of a runway in words; the balances that cash leaves out say whether there are any. */
export function useRunwayText(companyId: string): (line: RunwayLine | null) => string {
  const cash = useCash(companyId);
  return (line) => runwayText(line, cash.data?.excluded ?? []);
}
