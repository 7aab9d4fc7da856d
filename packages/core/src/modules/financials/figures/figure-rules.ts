import type { figureSettings } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import type { RowOf } from '../../../kernel/record.ts';
import type { MonthFlow } from './compute-burn.ts';
import type { TransferRow } from './pair-transfers.ts';

/** Normalizes a category for comparison: ASCII lower case, every run of other characters one underscore. */
export function normalizeCategory(category: string): string {
  return category.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll(/[^a-z0-9]+/g, '_');
}

export function normalizedCategorySql(sql: string): string {
  return `regexp_replace(lower(coalesce(${sql}, '') COLLATE "C"), '[^a-z0-9]+', '_', 'g')`;
}

const TRANSFER_CATEGORIES: readonly string[] = [
  'internal_transfer',
  'transfer',
  'own_account_transfer',
  'credit_card_payment',
];

/** Money in that is not income: excluded so that a financing round does not hide the burn. */
const FINANCING_CATEGORIES: readonly string[] = [
  'equity_financing',
  'fundraising',
  'safe',
  'loan_proceeds',
  'capital_contribution',
];

export interface FigureRules {
  excludedCategories: readonly string[];
  excludedInflowCategories: readonly string[];
  /** As stored: '' for rows without a connection. */
  excludedConnections: readonly string[];
  excludeSuspectedTransfers: boolean;
}

/** A row of `surface_settings`; a null list means the service's default. */
export type SettingsRow = Omit<RowOf<typeof figureSettings>, 'excluded_categories' | 'excluded_inflow_categories'> & {
  excluded_categories: string[] | null;
  excluded_inflow_categories: string[] | null;
};

const readRow = statement(
  'read_surface_settings',
  'SELECT * FROM surface_settings WHERE company_id = $1 AND account_id = $2',
);

export async function readSettings(db: Queryable, accountId: string, companyId: string): Promise<SettingsRow> {
  const [row] = await db.query<SettingsRow>(readRow, [companyId, accountId]);
  return (
    row ?? {
      company_id: companyId,
      account_id: accountId,
      excluded_categories: null,
      excluded_inflow_categories: null,
      excluded_connections: [],
      exclude_suspected_transfers: false,
      created_at: null,
      updated_at: null,
    }
  );
}

export function toRules(row: SettingsRow): FigureRules {
  return {
    excludedCategories: row.excluded_categories ?? TRANSFER_CATEGORIES,
    excludedInflowCategories: row.excluded_inflow_categories ?? FINANCING_CATEGORIES,
    excludedConnections: row.excluded_connections,
    excludeSuspectedTransfers: row.exclude_suspected_transfers,
  };
}

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
