import { bigOf } from '../../lib/exact-cents.ts';
import type { Outputs } from '../../lib/trpc.ts';
import type { Breakdown } from './breakdown.view.ts';

export interface MonthAmount {
  month: string;
  amount: bigint;
}

type Months = Breakdown['rows'][number]['months'];

function amountsOf(months: Months): MonthAmount[] {
  return months.map(({ month, amount_cents, amount_string }) => ({
    month,
    amount: bigOf(amount_cents, amount_string),
  }));
}

/** The months of each key. Those that are not among the largest of the twelve months have none. */
export function trendsOf({ rows }: Pick<Breakdown, 'rows'>): ReadonlyMap<string | null, readonly MonthAmount[]> {
  return new Map(rows.map(({ key, months }) => [key, amountsOf(months)]));
}

/** The currencies in which money moved or is held, the given ones first. */
export function currenciesOf(
  monthly: Outputs['financials']['monthly'] | undefined,
  first: readonly string[],
): string[] {
  const known = (monthly?.months ?? []).flatMap(({ flows }) => flows.map(({ currency }) => currency));
  return [...new Set([...first, ...known.toSorted()])];
}
