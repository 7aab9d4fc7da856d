import type { figureSettings } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import type { RowOf } from '../../../kernel/record.ts';
import { FINANCING_CATEGORIES, TRANSFER_CATEGORIES } from './categories.ts';

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
