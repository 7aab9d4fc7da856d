import { normalizeCategory } from './categories.ts';
import type { MonthFlow } from './compute-burn.ts';
import type { FigureRules } from './figure-rules.ts';
import type { TransferRow } from './pair-transfers.ts';

export function excludeTransfers(
  flows: readonly MonthFlow[],
  month: string,
  rows: readonly TransferRow[],
  rules: FigureRules,
): MonthFlow[] {
  const adjusted = new Map(flows.map((flow) => [`${flow.month} ${flow.currency}`, { ...flow }]));
  for (const row of rows) {
    const flow = adjusted.get(`${month} ${row.currency}`);
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

export function isExcluded(category: string, connectionId: string, amount: bigint, rules: FigureRules): boolean {
  if (rules.excludedConnections.includes(connectionId)) return true;
  const normalized = normalizeCategory(category);
  if (rules.excludedCategories.includes(normalized)) return true;
  return amount > 0n && rules.excludedInflowCategories.includes(normalized);
}
