import type { AccountType, FlowRule, figureSettings } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import type { RowOf } from '../../../verbs/record.ts';
import { uncountedTypes } from '../../cash/series-sql.ts';
import { rulesAppliedAtSql } from '../rollup/applied-rules.ts';
import { cardPaymentLabels, financingLabels, ownTransferLabels } from './category-labels.ts';

/** Normalizes a category: NFKC, ASCII lower case, runs of other characters become `_`, which is trimmed. May be empty. */
export function normalizeCategory(category: string): string {
  return category
    .normalize('NFKC')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

export function normalizedCategorySql(sql: string): string {
  return `btrim(regexp_replace(lower(normalize(coalesce(${sql}, ''), NFKC) COLLATE "C"), '[^a-z0-9]+', '_', 'g'), '_')`;
}

export interface FigureRules {
  /** Left out on both sides. */
  transferCategories: readonly string[];
  /** Left out if a card account was present, else counted. */
  cardCategories: readonly string[];
  financingCategories: readonly string[];
  excludedConnections: readonly string[];
  excludeSuspectedTransfers: boolean;
  /** Accounts whose rows don't count: investments, restricted money and loans. */
  uncountedConnections: readonly string[];
  /** Uncounted accounts whose rows may be a side of a pair. */
  sideConnections: readonly string[];
  cardConnections: readonly string[];
  typedConnections: readonly string[];
  /** Pairs of accounts that are marked as different, as stored. */
  distinctConnections: readonly (readonly string[])[];
}

/** A row of `surface_settings`; null means the service's default. */
export type SettingsRow = Omit<
  RowOf<typeof figureSettings>,
  | 'accounts'
  | 'distinct_connections'
  | 'flow_rules'
  | 'excluded_categories'
  | 'excluded_inflow_categories'
  | 'exclude_suspected_transfers'
> & {
  accounts: Record<string, AccountType>;
  distinct_connections: string[][];
  flow_rules: FlowRule[];
  rules_version: number;
  excluded_categories: string[] | null;
  excluded_inflow_categories: string[] | null;
  exclude_suspected_transfers: boolean | null;
};

const readRow = statement(
  'read_surface_settings',
  `SELECT *, ${rulesAppliedAtSql} AS rules_applied_at FROM surface_settings WHERE company_id = $1 AND account_id = $2`,
);

export async function readFigureSettings(db: Queryable, accountId: string, companyId: string): Promise<SettingsRow> {
  const [row] = await db.query<SettingsRow>(readRow, [companyId, accountId]);
  return (
    row ?? {
      company_id: companyId,
      account_id: accountId,
      excluded_categories: null,
      excluded_inflow_categories: null,
      excluded_connections: [],
      accounts: {},
      distinct_connections: [],
      flow_rules: [],
      rules_version: 0,
      rules_applied_at: null,
      exclude_suspected_transfers: null,
      created_at: null,
      updated_at: null,
    }
  );
}

/** Drops empty names, which would match rows without a category. */
function namesOf(categories: readonly string[] | null): string[] | undefined {
  return categories?.map(normalizeCategory).filter((name) => name !== '');
}

const readTypes = statement(
  'read_account_types',
  'SELECT connection_id, account_type FROM connection_account_type WHERE company_id = $1 AND account_id = $2',
);

/** Reads the rules of a company. Account types in the settings take precedence over those that senders gave. */
export async function readRules(db: Queryable, accountId: string, companyId: string): Promise<FigureRules> {
  const settings = await readFigureSettings(db, accountId, companyId);
  const named = await db.query<{ connection_id: string; account_type: AccountType }>(readTypes, [companyId, accountId]);
  const types = named.map(({ connection_id, account_type }) => [connection_id, account_type] as const);
  return toRules(settings, new Map([...types, ...Object.entries(settings.accounts)]));
}

/** A company's own list replaces the defaults for own transfers and card payments, without the condition of a card. */
export function toRules(
  row: Pick<
    SettingsRow,
    | 'accounts'
    | 'distinct_connections'
    | 'excluded_categories'
    | 'excluded_inflow_categories'
    | 'excluded_connections'
    | 'exclude_suspected_transfers'
  >,
  types: ReadonlyMap<string, AccountType> = new Map(),
): FigureRules {
  const of = (...wanted: AccountType[]) => [...types].filter(([, type]) => wanted.includes(type)).map(([id]) => id);
  const own = namesOf(row.excluded_categories);
  return {
    transferCategories: own ?? ownTransferLabels,
    cardCategories: own === undefined ? cardPaymentLabels : [],
    financingCategories: namesOf(row.excluded_inflow_categories) ?? financingLabels,
    excludedConnections: row.excluded_connections,
    excludeSuspectedTransfers: row.exclude_suspected_transfers ?? true,
    uncountedConnections: of(...uncountedTypes),
    sideConnections: of('investment', 'restricted'),
    cardConnections: of('credit_card'),
    typedConnections: Object.keys(row.accounts),
    distinctConnections: row.distinct_connections,
  };
}
