import type { Context } from '../../../verbs/context.ts';
import { type CountedRows, countRows } from './count-rows.ts';
import { type LargeInflow, readLargeInflows } from './large-inflows.ts';
import { leaveOut } from './leave-out.ts';
import { addMonths, BURN_MONTHS } from './months.ts';
import type { FlowOptions } from './read-flows.ts';
import type { RowSource } from './row-source.ts';

/** What counts of the months that were asked for. Those before them have no large inflows left out. */
export interface ClassifiedRows extends CountedRows {
  /** Money in that is left out until somebody classifies it, of the months that were asked for. */
  largeInflows: readonly LargeInflow[];
}

interface Scope extends Pick<RowSource, 'cash' | 'rules'>, FlowOptions {
  first: string;
  /** The current month if absent. Sums of later months are not complete. */
  last?: string | undefined;
}

/**
 * Decides what counts of the months from `first` to `last`. The result of a month does not depend on which other months are
 * asked for, so that all figures and the list of transactions say the same of it.
 */
export async function classifyRows(context: Context, { first, last, ...scope }: Scope): Promise<ClassifiedRows> {
  // Inflows are compared with the months before theirs, whose pairs may have a side in the month before.
  const fromMonth = addMonths(first, -BURN_MONTHS - 1);
  const counted = await countRows(context, { ...scope, fromMonth, toMonth: last });
  const largeInflows = await readLargeInflows(context, counted, first, last);
  const flows = leaveOut(counted.flows, counted.windows, largeInflows, 'unclassified');
  return { ...counted, flows, largeInflows };
}
