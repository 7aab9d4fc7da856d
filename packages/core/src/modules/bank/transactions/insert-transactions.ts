import type { BankTransactionRow } from '@finhook/contracts';
import {
  type ArrayColumn,
  booleanColumn,
  columnArrays,
  columnNames,
  textColumn,
  unnestSql,
} from '../../../db/binary-array.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import type { SeriesCurrency } from '../../cash/series-currency.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import { contentColumns } from './compare-rows.ts';
import type { LockedConnection } from './lock-connections.ts';
import { type PlannedRow, rowKey } from './plan-ingest.ts';
import { shownRuleCategorySql } from './rule-sql.ts';
import { categoryFields } from './transaction.ts';

const columns: readonly ArrayColumn<BankTransactionRow>[] = [
  textColumn('id', (row) => row.id),
  booleanColumn('currency_inferred', (row) => row.currency_inferred),
  ...contentColumns,
];

const insertSql = `
   INSERT INTO bank_transaction AS t (account_id, company_id, created_at, ${columnNames(columns)})
   SELECT $1, $2, $3::timestamptz, r.* FROM ${unnestSql(columns, 4)} AS r
   ON CONFLICT (company_id, connection_id, external_id) DO NOTHING
   RETURNING t.id`;
const insert = statement('insert_transactions', insertSql);
// Its plan takes longer to start than that of a company without rules.
const insertByRules = statement(
  'insert_transactions_by_rules',
  `${insertSql}, ${shownRuleCategorySql('t', '$2')} AS rule_category`,
);

/** A missing currency is the registered connection's, else that of the newest balance, else the company's. */
export function inferCurrencies(
  company: LockedCompany,
  rows: readonly PlannedRow[],
  registered: ReadonlyMap<string, LockedConnection>,
  series: ReadonlyMap<string, SeriesCurrency>,
): void {
  for (const { row } of rows.filter((one) => one.row.currency_inferred)) {
    const connection = row.connection_id ?? '';
    const ofConnection = registered.get(connection)?.currency ?? series.get(connection)?.of_balance;
    row.currency = ofConnection ?? company.base_currency;
  }
}

/** Gives the inserted rows the category of the company's rules. */
export async function insertTransactions(
  db: Queryable,
  company: LockedCompany,
  rows: readonly PlannedRow[],
  createdAt: string,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  // Sorted keys: overlapping batches lock their rows in the same order and cannot deadlock.
  const keyed = rows.map(({ row }) => ({ row, key: rowKey(row) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const sorted = keyed.map(({ row }) => row);
  const inserted = await db.query<{ id: string; rule_category?: string | null }>(
    company.has_rules ? insertByRules : insert,
    [company.account_id, company.id, createdAt, ...columnArrays(columns, sorted)],
  );
  const byRule = new Map(inserted.map(({ id, rule_category }) => [id, rule_category]));
  for (const row of sorted) {
    const rule_category = byRule.get(row.id);
    if (rule_category != null)
      Object.assign(row, categoryFields({ category: row.posted_category, own_category: null, rule_category }));
  }
  return new Set(byRule.keys());
}
