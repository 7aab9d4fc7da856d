import type pg from 'pg';

/** What a table holds: its number of rows, and the transaction that wrote last what it still has. */
export interface TableState {
  rows: number;
  writer: string;
}

/**
 * The state of every table of the schema, by name (a partitioned table counts as one). Whatever writes a row raises the
 * table's highest xmin, and whatever only deletes lowers its number of rows, so every committed change shows, also one
 * that writes the same values again. The counters of the sequences are left out: they tell no more than the rows counted.
 */
export async function readTables(client: pg.Client): Promise<Map<string, TableState>> {
  const tables = await client.query<{ name: string }>({
    name: 'list-tables',
    text: `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname NOT IN ('mikro_orm_migrations', 'account_sequence') ORDER BY relname`,
  });
  const parts = tables.rows.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*)::int AS rows, coalesce(max(xmin::text::bigint), 0)::text AS writer
       FROM ${client.escapeIdentifier(name)}`,
  );
  // Planned once per connection: there are many partitions.
  const states = await client.query<TableState & { name: string }>({
    name: 'read-tables',
    text: parts.join(' UNION ALL '),
  });
  return new Map(states.rows.map(({ name, rows, writer }) => [name, { rows, writer }]));
}

/** The tables that differ, with the number of rows that each gained. */
export function changesBetween(
  before: Map<string, TableState>,
  after: Map<string, TableState>,
): Record<string, number> {
  const changes: Record<string, number> = {};
  for (const [name, state] of after) {
    const old = before.get(name);
    if (old?.rows !== state.rows || old.writer !== state.writer) changes[name] = state.rows - (old?.rows ?? 0);
  }
  return changes;
}
