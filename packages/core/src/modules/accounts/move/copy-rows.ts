import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Queryable } from '../../../db/queryable.ts';
import type { AccountTable } from './account-tables.ts';

export interface CellConnection extends Queryable {
  client: pg.Client;
}

export interface Cells {
  source: CellConnection;
  target: CellConnection;
}

/** `where` contains its values, because COPY takes no parameters. */
export interface CopiedTable extends Omit<AccountTable, 'condition'> {
  where: string;
}

// Pending idempotency keys stay: the frozen account fails them, and their clients retry in the target. The audit log of
// a returning account continues.
const parts: Readonly<Record<string, string>> = {
  audit_log: ' AND position > $2',
  idempotency_key: ' AND outcome IS NOT NULL',
};

/** `values`: the account's id, and the position after which its audit log is copied. */
export function toCopied(
  { condition, ...table }: AccountTable,
  values: readonly string[],
  { client }: CellConnection,
): CopiedTable {
  const where = `${condition}${parts[table.name] ?? ''}`;
  return { ...table, where: where.replaceAll(/\$(\d)/g, (_, n) => client.escapeLiteral(values[Number(n) - 1] ?? '')) };
}

export const listOf = (columns: readonly string[], alias = ''): string =>
  columns.map((column) => `${alias}"${column}"`).join(', ');

export async function copyRows(
  source: CellConnection,
  target: CellConnection,
  select: string,
  into: string,
): Promise<void> {
  await pipeline(
    source.client.query(to(`COPY (${select}) TO STDOUT`)),
    target.client.query(from(`COPY ${into} FROM STDIN`)),
  );
}

/** One row per table: its name, and the expressions of `select` over its copied rows. */
export function readEach<Row extends object>(
  db: Queryable,
  tables: readonly CopiedTable[],
  select: (table: CopiedTable) => string,
): Promise<(Row & { name: string })[]> {
  const one = (table: CopiedTable) =>
    `SELECT '${table.name}' AS name, ${select(table)} FROM "${table.name}" WHERE ${table.where}`;
  return db.query(tables.map(one).join(' UNION ALL '));
}
