import { type RunwayLine, runwayText } from './runway-tile.view.ts';
import { useCash } from './use-cash.ts';

export function useRunwayText(companyId: string): (line: RunwayLine | null) => string {
  const cash = useCash(companyId);
  return (line) => runwayText(line, cash.data?.excluded ?? []);
}
