import type { Queryable } from '../../../db/queryable.ts';
import { serviceTables } from '../../../db/row-security.ts';

export interface AccountTable {
  name: string;
  /** Without generated columns; sorted. */
  columns: string[];
  key: string[];
  /** SQL: true for rows of the account `$1`. */
  condition: string;
}

interface CatalogueRow {
  name: string;
  columns: string[];
  key: string[];
  /** Other tables that its foreign keys reference. */
  parents: string[];
  /** NOT NULL columns that an index begins with. */
  leading: string[];
}

const readCatalogue = `
  SELECT c.relname AS name,
    ARRAY(SELECT a.attname::text FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attname) AS columns,
    ARRAY(SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
      WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY a.attname) AS key,
    ARRAY(SELECT DISTINCT p.relname::text FROM pg_constraint k JOIN pg_class p ON p.oid = k.confrelid
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid AND p.relkind IN ('r', 'p')) AS parents,
    ARRAY(SELECT a.attname::text FROM pg_index i
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] AND a.attnotnull
      WHERE i.indrelid = c.oid AND i.indpred IS NULL) AS leading
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND (
    c.relname = 'account' OR EXISTS (
      SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'account_id' AND NOT a.attisdropped))
  ORDER BY c.relname`;

/** Tables without an index on the account are read by the index on their owner. */
const owners = { company_id: 'company', endpoint_id: 'webhook_endpoint', agent_id: 'agent', delivery_id: 'delivery' };

function ownerOf({ leading }: CatalogueRow): readonly [column: string, table: string] | undefined {
  if (leading.includes('account_id')) return undefined;
  return Object.entries(owners).find(([column]) => leading.includes(column));
}

/** Each table comes after those that it references. Tables of the service, and those that reference them, stay. */
export async function readAccountTables(db: Queryable): Promise<AccountTable[]> {
  const found = await db.query<CatalogueRow>(readCatalogue);
  const isOfService = (name: string): boolean => serviceTables.includes(name);
  let left = found.filter(({ name, parents }) => !isOfService(name) && !parents.some(isOfService));
  const ordered: CatalogueRow[] = [];
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const isReady = (row: CatalogueRow): boolean =>
      [...row.parents, ownerOf(row)?.[1] ?? ''].every((parent) => !waiting.has(parent));
    const next = left.filter(isReady);
    if (next.length === 0) throw new Error(`The tables ${[...waiting].join(', ')} reference each other.`);
    ordered.push(...next);
    left = left.filter((row) => !next.includes(row));
  }
  return ordered.map((row) => ({ name: row.name, columns: row.columns, key: row.key, condition: conditionOf(row) }));
}

function conditionOf(row: CatalogueRow): string {
  if (row.name === 'account') return 'id = $1';
  const owner = ownerOf(row);
  if (owner === undefined) return 'account_id = $1';
  const [column, table] = owner;
  return `account_id = $1 AND ${column} = ANY (ARRAY(SELECT id FROM ${table} WHERE account_id = $1))`;
}
