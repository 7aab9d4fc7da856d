import { setTimeout as delay } from 'node:timers/promises';
import { idTime } from '../ids/ids.ts';
import { databaseErrorCode } from './database-error.ts';
import type { Queryable } from './queryable.ts';

/** Tables partitioned by month on the time-ordered id `key`, whose values start with `prefix`. */
export const partitionedTables = [
  { name: 'event', key: 'id', prefix: 'evt', options: '' },
  { name: 'delivery', key: 'id', prefix: 'dlv', options: 'WITH (fillfactor = 70)' },
  { name: 'attempt', key: 'delivery_id', prefix: 'dlv', options: '' },
  { name: 'audit_log', key: 'id', prefix: 'aud', options: '' },
  { name: 'request_log', key: 'id', prefix: 'req', options: '' },
] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** One month of a partitioned table: keys from `low` to below `high`. */
export interface Partition {
  name: string;
  low: string;
  high: string;
  /** Start of the month, and of the next one. */
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

/** The default partition already contains rows of the month. */
const ROWS_IN_DEFAULT = '23514';

/** Locked, timed out, or being created by another process. */
const TRY_LATER = new Set(['55P03', '57014', '40P01', '42P07', '42710', '23505']);

// Limits how long a lock attempt blocks others (ADR 7), and how long the lock is held.
const BOUNDS = "SET LOCAL lock_timeout = '200ms'; SET LOCAL statement_timeout = '10s'";

/**
 * Creates missing partitions of this and the `ahead` next months, as the tables' `owner`. Does not wait for locked
 * tables: returns the months still missing, for the next run. Their rows go to the default partition and are moved by a
 * later run.
 */
export async function ensurePartitions(owner: Queryable, now: Date, ahead = 2): Promise<string[]> {
  const missing: string[] = [];
  for (const table of partitionedTables) missing.push(...(await makeMissing(owner, table, now, ahead)));
  return missing;
}

async function makeMissing(owner: Queryable, table: PartitionedTable, now: Date, ahead: number): Promise<string[]> {
  const there = await readNames(owner, table);
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
 * Creates the partitions that another database has, before its rows arrive and go to the default partition. Waits for
 * locked tables.
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

/** Attaching locks only the default partition, to check for rows of the month, not the parent. */
async function makePartition(owner: Queryable, table: PartitionedTable, partition: Partition): Promise<void> {
  const { create, attach } = partitionSteps(table, partition);
  try {
    await owner.query([BOUNDS, create, attach].join(';\n'));
  } catch (error) {
    if (databaseErrorCode(error) !== ROWS_IN_DEFAULT) throw error;
    await moveFromDefault(owner, table, partition);
  }
}

/** Moves rows of the month out of the default partition, in one transaction. */
async function moveFromDefault(owner: Queryable, table: PartitionedTable, partition: Partition): Promise<void> {
  const { create, attach } = partitionSteps(table, partition);
  const steps = [
    BOUNDS,
    // Otherwise readers that planned for the default partition only would miss the moved rows.
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
