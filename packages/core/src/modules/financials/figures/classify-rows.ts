import type { Context } from '../../../verbs/context.ts';
import { type Burn, computeBurn } from './compute-burn.ts';
import { type CountedRows, countRows } from './count-rows.ts';
import { type LargeInflow, readLargeInflows } from './large-inflows.ts';
import { knownMonths } from './late-series.ts';
import { leaveOut } from './leave-out.ts';
import { addMonths, BURN_MONTHS, burnWindow } from './months.ts';
import type { FlowOptions } from './read-flows.ts';
import type { RowSource } from './row-source.ts';

/** Large inflows are left out of the months from `first` to `last` only. */
export interface ClassifiedRows extends CountedRows {
  largeInflows: readonly LargeInflow[];
}

interface Scope extends Pick<RowSource, 'cash' | 'rules'>, FlowOptions {
  first: string;
  /** The current month if absent. Sums of later months are not complete. */
  last?: string | undefined;
}

/** The result for a month does not depend on the other months, so that all figures agree. */
export async function classifyRows(context: Context, { first, last, ...scope }: Scope): Promise<ClassifiedRows> {
  // An inflow is compared with three months before it, and their pairs may have a side in the month before them.
  const fromMonth = addMonths(first, -BURN_MONTHS - 1);
  const counted = await countRows(context, { ...scope, fromMonth, toMonth: last });
  const largeInflows = await readLargeInflows(context, counted, first, last);
  const flows = leaveOut(counted.flows, counted.windows, largeInflows, 'unclassified');
  return { ...counted, flows, largeInflows };
}

export interface BurnView extends ClassifiedRows {
  /** The requested number of months; `window` has those that burn is the mean of. */
  basis: number;
  window: string[];
  burns: Burn[];
}

export function burnOver(read: ClassifiedRows, basis: number): BurnView {
  const window = knownMonths(burnWindow(read.cash.today, read.coverageFrom, basis), read);
  return { ...read, basis, window, burns: computeBurn(read.flows, window) };
}
