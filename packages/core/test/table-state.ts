import type pg from 'pg';

/** What a table holds: its number of rows, and a digest that any change of a row changes. */
export interface TableState {
  rows: number;
  digest: string;
}

/** The state of every table of the schema, by name (a partitioned table counts as one). */
export async function readTables(client: pg.Client): Promise<Map<string, TableState>> {
  const tables = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> 'mikro_orm_migrations' ORDER BY relname`,
  );
  const parts = tables.rows.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*)::int AS rows, coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS digest
       FROM ${client.escapeIdentifier(name)} t`,
  );
  const states = await client.query<TableState & { name: string }>(parts.join(' UNION ALL '));
  return new Map(states.rows.map(({ name, rows, digest }) => [name, { rows, digest }]));
}

/** The tables that differ, with the number of rows that each gained. */
export function changesBetween(
  before: Map<string, TableState>,
  after: Map<string, TableState>,
): Record<string, number> {
  const changes: Record<string, number> = {};
  for (const [name, state] of after) {
    const old = before.get(name);
    if (old?.digest !== state.digest) changes[name] = state.rows - (old?.rows ?? 0);
  }
  return changes;
}
