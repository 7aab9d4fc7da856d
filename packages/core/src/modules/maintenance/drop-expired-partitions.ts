import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../db/database.ts';
import { databaseErrorCode } from '../../db/database-error.ts';
import { type Partition, type PartitionedTable, partitionedTables, readPartitions } from '../../db/partitions.ts';
import type { Core } from '../../verbs/context.ts';

export interface Retention {
  eventDays: number;
  auditDays: number;
  requestDays: number;
}

export const defaultRetention: Retention = { eventDays: 90, auditDays: 2_557, requestDays: 30 };

export interface RetentionReport {
  dropped: string[];
  pending: string[];
  busy: string[];
}

export interface LockOptions {
  /** Timeout in ms of one attempt to lock, during which others are blocked. */
  lockMs: number;
  tries: number;
  pauseMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
/** Timeout in ms of a statement while the table is locked: one may read all of `due`, which has no index on `event_id`. */
const LOCKED_MS = 1_000;
const defaultLock: LockOptions = { lockMs: 200, tries: 20, pauseMs: 1_000 };

/** The column of `due` that refers to the table's rows, which must be kept. */
const pendingColumns: Record<PartitionedTable['name'], 'event_id' | 'delivery_id' | undefined> = {
  event: 'event_id',
  delivery: 'delivery_id',
  attempt: 'delivery_id',
  audit_log: undefined,
  request_log: undefined,
};

/** Months that ended before the result have expired; none for 0 days. */
export function retentionCutoff(now: Date, days: number): Date {
  return days === 0 ? new Date(0) : new Date(now.getTime() - days * DAY_MS);
}

/** Keeps months with rows that a scheduled delivery needs. Locks the table only for the change of the catalogue. */
export async function dropExpiredPartitions(
  core: Core,
  { eventDays, auditDays, requestDays }: Retention,
  lock: LockOptions = defaultLock,
): Promise<RetentionReport> {
  const report: RetentionReport = { dropped: [], pending: [], busy: [] };
  const daysOf: Partial<Record<PartitionedTable['name'], number>> = { audit_log: auditDays, request_log: requestDays };
  const now = core.clock.now();
  // Attempts before deliveries before events: after an interrupted run, no row refers to a deleted one.
  for (const table of partitionedTables.toReversed()) {
    const cutoff = retentionCutoff(now, daysOf[table.name] ?? eventDays);
    for (const partition of await readPartitions(core.database, table)) {
      if (partition.to > cutoff) continue;
      report[await drop(core, table, partition, lock)].push(partition.name);
    }
  }
  return report;
}

async function drop(
  core: Core,
  table: PartitionedTable,
  partition: Partition,
  { lockMs, tries, pauseMs }: LockOptions,
): Promise<keyof RetentionReport> {
  for (let left = tries - 1; ; left--) {
    // Checked without the lock first, so that a needed month blocks nothing.
    if (await isNeeded(core.database, table, partition)) return 'pending';
    try {
      // oxlint-disable-next-line finhook/own-transactions -- the owner changes the catalogue, and nothing of an account
      return await core.database.owner.transaction((tx) => dropLocked(tx, table, partition, lockMs));
    } catch (error) {
      const code = databaseErrorCode(error);
      // A retry would time out too.
      if (code === QUERY_CANCELED) return 'busy';
      if (code !== LOCK_NOT_AVAILABLE) throw error;
      if (left === 0) return 'busy';
      await sleep(pauseMs);
    }
  }
}

async function dropLocked(
  tx: Transaction,
  table: PartitionedTable,
  partition: Partition,
  lockMs: number,
): Promise<'dropped' | 'pending'> {
  await tx.query(`SET LOCAL lock_timeout = '${lockMs}ms'`);
  // CONCURRENTLY needs a table without default partition. A redelivery reads the table first: after this lock it finds
  // its event gone, and the deliveries that it stored before the lock are visible to the check below.
  await tx.query(`LOCK TABLE ONLY ${table.name} IN ACCESS EXCLUSIVE MODE`);
  await tx.query(`SET LOCAL statement_timeout = '${LOCKED_MS}ms'`);
  if (await isNeeded(tx, table, partition)) return 'pending';
  await tx.query(`ALTER TABLE ${table.name} DETACH PARTITION ${partition.name}`);
  await tx.query(`DROP TABLE ${partition.name}`);
  return 'dropped';
}

async function isNeeded(
  database: Pick<Transaction, 'query'>,
  table: PartitionedTable,
  { low, high }: Partition,
): Promise<boolean> {
  const column = pendingColumns[table.name];
  if (column === undefined) return false;
  const rows = await database.query(`SELECT 1 FROM due WHERE ${column} >= $1 AND ${column} < $2 LIMIT 1`, [low, high]);
  return rows.length > 0;
}
