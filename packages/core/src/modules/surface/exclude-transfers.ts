import type { Zone } from '../../kernel/zone.ts';
import { normalizeCategory } from './categories.ts';
import type { MonthFlow } from './compute-burn.ts';
import { monthOf } from './months.ts';
import type { TransferRow } from './read-transfers.ts';
import type { SurfaceRules } from './surface-rules.ts';

/** Moves both sides of suspected transfers from money in and out to what is left out, unless they are already. */
export function excludeTransfers(
  flows: readonly MonthFlow[],
  pairs: readonly { out: TransferRow; in: TransferRow }[],
  rules: SurfaceRules,
  zone: Zone,
): MonthFlow[] {
  const adjusted = new Map(flows.map((flow) => [`${flow.month} ${flow.currency}`, { ...flow }]));
  for (const row of pairs.flatMap((pair) => [pair.out, pair.in])) {
    const flow = adjusted.get(`${monthOf(zone.dayOf(row.postedAt))} ${row.currency}`);
    if (!flow || isExcluded(row.category, row.connectionId, row.amount, rules)) continue;
    if (row.amount > 0n) {
      flow.moneyIn -= row.amount;
      flow.excludedIn += row.amount;
    } else {
      flow.moneyOut += row.amount;
      flow.excludedOut -= row.amount;
    }
  }
  return [...adjusted.values()];
}

/** Whether a row of this sign is left out of money in or out. */
export function isExcluded(category: string, connectionId: string, amount: bigint, rules: SurfaceRules): boolean {
  if (rules.excludedConnections.includes(connectionId)) return true;
  const normalized = normalizeCategory(category);
  if (rules.excludedCategories.includes(normalized)) return true;
  return amount > 0n && rules.excludedInflowCategories.includes(normalized);
}
