import type { ClassifiedRows } from './classify-rows.ts';
import { type Burn, computeBurn } from './compute-burn.ts';
import { knownMonths } from './late-series.ts';
import { burnWindow } from './months.ts';

export interface BurnView extends ClassifiedRows {
  /** How many months were asked for, and those of them that burn is the mean of. */
  basis: number;
  window: string[];
  burns: Burn[];
}

/** Computes burn over the last `basis` complete months of those that were read. */
export function burnOver(read: ClassifiedRows, basis: number): BurnView {
  const window = knownMonths(burnWindow(read.cash.today, read.coverageFrom, basis), read);
  return { ...read, basis, window, burns: computeBurn(read.flows, window) };
}
