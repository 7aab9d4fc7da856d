import { type Cells, type CopiedTable, copyRows, listOf, readEach } from './copy-rows.ts';

/** `since` is the oldest transaction that the last copy did not include: it or a later one wrote every change. */
export async function copyChanges(cells: Cells, tables: readonly CopiedTable[], since: string): Promise<void> {
  const isLater = `age(xmin) <= age('${since}'::xid)`;
  const [here, there] = await Promise.all([
    readEach<{ rows: string; later: string }>(
      cells.source,
      tables,
      () => `count(*) AS rows, count(*) FILTER (WHERE ${isLater}) AS later`,
    ),
    readEach<{ rows: string }>(cells.target, tables, () => 'count(*) AS rows'),
  ]);
  const changed = tables.filter(({ name }) => here.some((row) => row.name === name && row.later !== '0'));
  const added = await copyLater(cells, changed, isLater);
  const rowsOf = (counts: readonly { name: string; rows: string }[], { name }: CopiedTable): number =>
    Number(counts.find((row) => row.name === name)?.rows ?? 0);
  const shrunk = tables.filter((table) => rowsOf(there, table) + rowsOf(added, table) > rowsOf(here, table));
  await copyKeys(cells, shrunk);
  const statements = [...shrunk.toReversed().map(deleteMissing), ...changed.flatMap(updateAndInsert)];
  const left = [...changed.map(({ name }) => `later_${name}`), ...shrunk.map(({ name }) => `kept_${name}`)];
  if (left.length > 0) await cells.target.query([...statements, `DROP TABLE ${left.join(', ')}`].join(';\n'));
}

/** Number of rows missing in the target, by table. */
async function copyLater({ source, target }: Cells, tables: readonly CopiedTable[], isLater: string) {
  if (tables.length === 0) return [];
  await target.query(tables.map((table) => createEmpty(`later_${table.name}`, table, table.columns)).join(';\n'));
  for (const { name, columns, where } of tables) {
    const select = `SELECT ${listOf(columns)} FROM "${name}" WHERE ${where} AND ${isLater}`;
    await copyRows(source, target, select, `later_${name} (${listOf(columns)})`);
  }
  const count = (table: CopiedTable) =>
    `SELECT '${table.name}' AS name, count(*) AS rows FROM later_${table.name} l WHERE NOT ${isThere(table, 'l')}`;
  return target.query<{ name: string; rows: string }>(tables.map(count).join(' UNION ALL '));
}

async function copyKeys({ source, target }: Cells, tables: readonly CopiedTable[]): Promise<void> {
  if (tables.length === 0) return;
  await target.query(tables.map((table) => createEmpty(`kept_${table.name}`, table, table.key)).join(';\n'));
  for (const { name, key, where } of tables) {
    await copyRows(source, target, `SELECT ${listOf(key)} FROM "${name}" WHERE ${where}`, `kept_${name}`);
  }
}

const createEmpty = (name: string, table: CopiedTable, columns: readonly string[]): string =>
  `CREATE TEMP TABLE ${name} ON COMMIT DROP AS SELECT ${listOf(columns)} FROM "${table.name}" WITH NO DATA`;

const sameKey = ({ name, key }: CopiedTable, alias: string): string =>
  key.map((column) => `${alias}."${column}" = "${name}"."${column}"`).join(' AND ');

const isThere = (table: CopiedTable, alias: string): string =>
  `EXISTS (SELECT FROM "${table.name}" WHERE ${sameKey(table, alias)})`;

const deleteMissing = (table: CopiedTable): string =>
  `DELETE FROM "${table.name}" WHERE ${table.where}
     AND NOT EXISTS (SELECT FROM kept_${table.name} k WHERE ${sameKey(table, 'k')})`;

/** Updates come first, because a new row may need a unique value that an update frees. */
function updateAndInsert(table: CopiedTable): string[] {
  const { name, columns, key } = table;
  const others = columns.filter((column) => !key.includes(column));
  const update = `UPDATE "${name}" SET (${listOf(others)}) = ROW(${listOf(others, 'l.')})
    FROM later_${name} l WHERE ${sameKey(table, 'l')}`;
  const insert = `INSERT INTO "${name}" (${listOf(columns)})
    SELECT ${listOf(columns, 'l.')} FROM later_${name} l WHERE NOT ${isThere(table, 'l')}`;
  return others.length === 0 ? [insert] : [update, insert];
}
