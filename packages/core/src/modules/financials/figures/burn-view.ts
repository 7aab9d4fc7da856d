import { type Burn, computeBurn, type MonthFlow } from './compute-burn.ts';
import type { LargeInflow } from './large-inflows.ts';
import { type KnownAccounts, knownMonths } from './late-series.ts';
import { burnWindow } from './months.ts';
import type { TransferRow } from './pair-transfers.ts';
import type { Flows } from './read-flows.ts';
import type { RowSource } from './row-source.ts';

export interface BurnView extends RowSource, Pick<KnownAccounts, 'late' | 'paidCardsIn'> {
  /** What counts of each month; the months before those that were asked for have no large inflows left out. */
  flows: MonthFlow[];
  windows: Flows['windows'];
  coverageFrom: string | undefined;
  hasTransactions: boolean;
  arrivals: Flows['arrivals'];
  activity: Flows['activity'];
  /** Empty unless they were asked for. */
  repeated: Flows['repeated'];
  /** Rows that may be one side of a transfer, and those of them in counted accounts that are left out: they are in a pair. */
  sides: readonly TransferRow[];
  paired: readonly TransferRow[];
  /** Money in that is left out until somebody classifies it, of the months that were asked for. */
  largeInflows: readonly LargeInflow[];
  /** How many months were asked for, and those of them that burn is the mean of. */
  basis: number;
  window: string[];
  burns: Burn[];
}

/** Computes burn over the last `basis` complete months of those that were read. */
export function burnOver(read: Omit<BurnView, 'basis' | 'window' | 'burns'>, basis: number): BurnView {
  const window = knownMonths(burnWindow(read.cash.today, read.coverageFrom, basis), read);
  return { ...read, basis, window, burns: computeBurn(read.flows, window) };
}
