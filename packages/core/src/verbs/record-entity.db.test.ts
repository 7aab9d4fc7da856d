// Risk: an entity has a column of another type or nullability than its table, so a value is cut, wrapped or rejected.
import { expect, test } from 'vitest';
import { useFixture } from '../../test/core-fixture.ts';

const fixture = useFixture();

/** `json` keeps a text as it was sent, which `jsonb` does not. */
const others: Readonly<Record<string, string>> = {
  'agent_action.input': 'json',
  'agent_action.output': 'json',
  'agent_approval.edited_payload': 'json',
  'agent_approval.payload': 'json',
  'runtime_snapshot.checkpoint': 'json',
  'webhook_endpoint.filter_path': 'jsonpath',
  'webhook_endpoint.paced_to': 'double precision',
};

test('the columns of entities have the types and nullability of the database', async () => {
  const { database } = fixture.core;
  const entities = [...database.em().getMetadata().getAll().values()];
  const columns = entities.flatMap(({ tableName, props }) =>
    props.flatMap(({ fieldNames, columnTypes, nullable }) =>
      fieldNames.map((name, i) => ({ table: tableName, name, type: columnTypes[i], nullable: nullable ?? false })),
    ),
  );
  expect(entities.length).toBeGreaterThan(10);
  const stored = await database.query<{ column: string; type: string; own: string; nullable: boolean }>(
    `SELECT e.table || '.' || e.name AS column, format_type(a.atttypid, NULL) AS type, e.type::regtype::text AS own,
       NOT a.attnotnull AS nullable
     FROM json_to_recordset($1) AS e ("table" text, name text, type text)
     LEFT JOIN pg_attribute a ON a.attrelid = e.table::regclass AND a.attname = e.name`,
    [JSON.stringify(columns)],
  );
  const byName = (a: readonly unknown[], b: readonly unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
  const nullable = new Map(columns.map((column) => [`${column.table}.${column.name}`, column.nullable]));
  expect(stored.map(({ column, type, nullable: is }) => [column, type, is]).sort(byName)).toEqual(
    stored.map(({ column, own }) => [column, others[column] ?? own, nullable.get(column)]).sort(byName),
  );
});
