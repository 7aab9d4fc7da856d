import { databaseErrorCode } from './database-error.ts';
import { idTime } from './ids.ts';
import type { Queryable } from './queryable.ts';

/** Tables partitioned by month on a time-ordered id: `key` is its column, `prefix` what its values begin with. */
export const partitionedTables = [
  { name: 'event', key: 'id', prefix: 'evt', options: '' },
  { name: 'delivery', key: 'id', prefix: 'dlv', options: 'WITH (fillfactor = 70)' },
  { name: 'attempt', key: 'delivery_id', prefix: 'dlv', options: '' },
  { name: 'audit_log', key: 'id', prefix: 'aud', options: '' },
] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** One month of a partitioned table. It holds the keys from `low` on, below `high`. */
export interface Partition {
  name: string;
  low: string;
  high: string;
  /** The month's first instant and the one after its last. */
  from: Date;
  to: Date;
}

/** The partition of the month that is `offset` months after that of `now`. */
function partitionAt({ name, prefix }: PartitionedTable, now: Date, offset = 0): Partition {
  const monthStart = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  const [from, to] = [monthStart(offset), monthStart(offset + 1)];
  return {
    name: `${name}_${from.toISOString().slice(0, 7).replace('-', '_')}`,
    low: `${prefix}_${idTime(from.getTime())}`,
    high: `${prefix}_${idTime(to.getTime())}`,
    from,
    to,
  };
}

/** A check is violated: rows of the month are in the default partition already. */
const ROWS_IN_DEFAULT = '23514';

/**
 * Makes the partitions of the current month and of the `ahead` following ones where they are missing. A row whose
 * month has none goes to the default partition, so a missed run slows reads and refuses nothing; the next one moves
 * such rows. Only the tables' `owner` may do this.
 */
export async function ensurePartitions(owner: Queryable, now: Date, ahead = 2): Promise<void> {
  for (let offset = 0; offset <= ahead; offset++) {
    for (const table of partitionedTables) {
      const { name, low, high } = partitionAt(table, now, offset);
      try {
        await owner.query(
          `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table.name} FOR VALUES FROM ('${low}') TO ('${high}') ${table.options}`,
        );
      } catch (error) {
        if (databaseErrorCode(error) !== ROWS_IN_DEFAULT) throw error;
        await moveFromDefault(owner, table, { name, low, high });
      }
    }
  }
}

/** Makes a partition of rows that the default one holds. One text of several statements is one transaction. */
async function moveFromDefault(
  owner: Queryable,
  { name: table, key, options }: PartitionedTable,
  { name, low, high }: Pick<Partition, 'name' | 'low' | 'high'>,
): Promise<void> {
  const steps = [
    `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
    `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL) ${options}`,
    `WITH moved AS (DELETE FROM ${table}_default WHERE ${key} >= '${low}' AND ${key} < '${high}' RETURNING *)
     INSERT INTO ${name} SELECT * FROM moved`,
    `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${low}') TO ('${high}')`,
  ];
  await owner.query(steps.join(';\n'));
}

/** The months of a table that are there, oldest first; without the default partition. */
export async function readPartitions(database: Queryable, table: PartitionedTable): Promise<Partition[]> {
  const rows = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass ORDER BY c.relname`,
    [`public.${table.name}`],
  );
  return rows.flatMap(({ name }) => {
    const [, year, month] = /_(\d{4})_(\d{2})$/.exec(name) ?? [];
    return year === undefined ? [] : [partitionAt(table, new Date(Date.UTC(Number(year), Number(month) - 1, 1)))];
  });
}
