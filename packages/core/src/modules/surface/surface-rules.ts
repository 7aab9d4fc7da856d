import type { SurfaceSettings } from '@finhook/contracts';
import { toTimestamp } from '../../kernel/clock.ts';
import { storedConnection } from '../../kernel/connection-id.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import { FINANCING_CATEGORIES, TRANSFER_CATEGORIES } from './categories.ts';

/** What figures leave out, in the form in which rows are compared. */
export interface SurfaceRules {
  excludedCategories: readonly string[];
  excludedInflowCategories: readonly string[];
  /** As stored: '' for rows that name no connection. */
  excludedConnections: readonly string[];
  excludeSuspectedTransfers: boolean;
}

/** A row of `surface_settings`; null lists are the service's own. */
export interface SettingsRow {
  company_id: string;
  account_id: string;
  excluded_categories: string[] | null;
  excluded_inflow_categories: string[] | null;
  excluded_connections: string[];
  exclude_suspected_transfers: boolean;
  created_at: string | null;
  updated_at: string | null;
}

const readRow = statement(
  'read_surface_settings',
  'SELECT * FROM surface_settings WHERE company_id = $1 AND account_id = $2',
);

/** The settings of a company, or those that hold while it has none. */
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

export function toRules(row: SettingsRow): SurfaceRules {
  return {
    excludedCategories: row.excluded_categories ?? TRANSFER_CATEGORIES,
    excludedInflowCategories: row.excluded_inflow_categories ?? FINANCING_CATEGORIES,
    excludedConnections: row.excluded_connections,
    excludeSuspectedTransfers: row.exclude_suspected_transfers,
  };
}

export function toSettings(row: SettingsRow): SurfaceSettings {
  const rules = toRules(row);
  return {
    object: 'surface_settings',
    account_id: row.account_id,
    company_id: row.company_id,
    excluded_categories: [...rules.excludedCategories],
    excluded_inflow_categories: [...rules.excludedInflowCategories],
    excluded_connections: rules.excludedConnections.map((id) => id || 'none'),
    exclude_suspected_transfers: rules.excludeSuspectedTransfers,
    created_at: row.created_at === null ? null : toTimestamp(row.created_at),
    updated_at: row.updated_at === null ? null : toTimestamp(row.updated_at),
  };
}

/** Connection ids of a request as the column holds them, each once, sorted. */
export function storedConnections(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => storedConnection(id) ?? ''))].sort();
}
