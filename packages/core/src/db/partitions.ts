import { setTimeout as delay } from 'node:timers/promises';
import { idTime } from '../ids/ids.ts';
import { databaseErrorCode } from './database-error.ts';
import type { Queryable } from './queryable.ts';

/** Tables partitioned by month on a time-ordered id: `key` is its column, `prefix` what its values begin with. */
export const partitionedTables = [
  { name: 'event', key: 'id', prefix: 'evt', options: '' },
  { name: 'delivery', key: 'id', prefix: 'dlv', options: 'WITH (fillfactor = 70)' },
  { name: 'attempt', key: 'delivery_id', prefix: 'dlv', options: '' },
  { name: 'audit_log', key: 'id', prefix: 'aud', options: '' },
  { name: 'request_log', key: 'id', prefix: 'req', options: '' },
] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** One month of a partitioned table. It holds the keys from `low` on, below `high`. */
export interface Partition {
  name: string;
  low: string;
  high: string;
  /** The month's first instant and the first one after it. */
  from: Date;
  to: Date;
}

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

/** A check is violated: the default partition already contains rows of the month. */
const ROWS_IN_DEFAULT = '23514';

/** The lock or the time was not available, or another process is creating the same partition. */
const TRY_LATER = new Set(['55P03', '57014', '40P01', '42P07', '42710', '23505']);

// Limits for how long a lock attempt may block others (ADR 7), and for how long the lock may be held.
const BOUNDS = "SET LOCAL lock_timeout = '200ms'; SET LOCAL statement_timeout = '10s'";

/**
 * Creates missing partitions of the current month and the `ahead` following ones; without any, it locks nothing. It
 * does not wait for a locked table: it returns the months that are still missing, for the next run. A row without a
 * partition goes to the default one, so a missed run slows reads and rejects nothing; a later run moves such rows. Only
 * the tables' `owner` may do this.
 */
export async function ensurePartitions(owner: Queryable, now: Date, ahead = 2): Promise<string[]> {
  const missing: string[] = [];
  for (const table of partitionedTables) missing.push(...(await makeMissing(owner, table, now, ahead)));
  return missing;
}

async function makeMissing(owner: Queryable, table: PartitionedTable, now: Date, ahead: number): Promise<string[]> {
  const there = await readNames(owner, table);
  // A later migration creates the table.
  if (there.size === 0) return [];
  const months = Array.from({ length: ahead + 1 }, (_, offset) => partitionAt(table, now, offset));
  const wanted = months.filter(({ name }) => !there.has(name));
  try {
    for (const partition of wanted) await makePartition(owner, table, partition);
    return [];
  } catch (error) {
    const mayWait = there.has(`${table.name}_default`);
    if (!mayWait || !TRY_LATER.has(databaseErrorCode(error) ?? '')) throw error;
    const made = await readNames(owner, table);
    return wanted.flatMap(({ name }) => (made.has(name) ? [] : [name]));
  }
}

const BUSY_MS = 250;

/**
 * Creates the months of another database that are missing here, before its rows arrive: they would go to the default
 * partition. Waits for locked tables.
 */
export async function ensurePartitionsOf(owner: Queryable, other: Queryable): Promise<void> {
  for (const table of partitionedTables) {
    for (const partition of await readPartitions(other, table)) {
      while (!(await readNames(owner, table)).has(partition.name)) {
        await makePartition(owner, table, partition).catch((error: unknown) => {
          if (!TRY_LATER.has(databaseErrorCode(error) ?? '')) throw error;
          return delay(BUSY_MS);
        });
      }
    }
  }
}

/**
 * Attaching does not lock the parent exclusively, as creating the table as its partition would: it locks only the
 * default partition, to check for rows of the month.
 */
async function makePartition(owner: Queryable, table: PartitionedTable, partition: Partition): Promise<void> {
  const { create, attach } = partitionSteps(table, partition);
  try {
    await owner.query([BOUNDS, create, attach].join(';\n'));
  } catch (error) {
    if (databaseErrorCode(error) !== ROWS_IN_DEFAULT) throw error;
    await moveFromDefault(owner, table, partition);
  }
}

/** Creates a partition from rows in the default one. Several statements in one text are one transaction. */
async function moveFromDefault(owner: Queryable, table: PartitionedTable, partition: Partition): Promise<void> {
  const { create, attach } = partitionSteps(table, partition);
  const steps = [
    BOUNDS,
    // A reader that planned for the default partition only would miss the moved rows.
    `LOCK TABLE ${table.name} IN ACCESS EXCLUSIVE MODE`,
    create,
    `WITH moved AS (
       DELETE FROM ${table.name}_default WHERE ${table.key} >= '${partition.low}' AND ${table.key} < '${partition.high}'
       RETURNING *
     ) INSERT INTO ${partition.name} SELECT * FROM moved`,
    attach,
  ];
  await owner.query(steps.join(';\n'));
}

function partitionSteps({ name: table, options }: PartitionedTable, { name, low, high }: Partition) {
  return {
    create: `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL) ${options}`,
    attach: `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${low}') TO ('${high}')`,
  };
}

async function readNames(database: Queryable, { name }: PartitionedTable): Promise<Set<string>> {
  const rows = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = to_regclass($1) ORDER BY c.relname`,
    [`public.${name}`],
  );
  return new Set(rows.map((row) => row.name));
}

export async function readPartitions(database: Queryable, table: PartitionedTable): Promise<Partition[]> {
  return [...(await readNames(database, table))].flatMap((name) => {
    const [, year, month] = /_(\d{4})_(\d{2})$/.exec(name) ?? [];
    return year === undefined ? [] : [partitionAt(table, new Date(Date.UTC(Number(year), Number(month) - 1, 1)))];
  });
}
