import { idTime } from './ids.ts';
import type { Queryable } from './queryable.ts';

/** Tables partitioned by month on a time-ordered id, with the prefix of that id. */
const partitioned = [
  { table: 'event', prefix: 'evt', options: '' },
  { table: 'delivery', prefix: 'dlv', options: 'WITH (fillfactor = 70)' },
  { table: 'attempt', prefix: 'dlv', options: '' },
  { table: 'audit_log', prefix: 'aud', options: '' },
] as const;

function monthStart(now: Date, offset: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1));
}

/**
 * Makes the partitions of the current month and of the `ahead` following ones where they are missing. A row whose
 * month has none goes to the default partition, so a missed run slows reads and refuses nothing. Only the tables'
 * `owner` may do this.
 */
export async function ensurePartitions(owner: Queryable, now: Date, ahead = 2): Promise<void> {
  for (let offset = 0; offset <= ahead; offset++) {
    const from = monthStart(now, offset);
    const suffix = from.toISOString().slice(0, 7).replace('-', '_');
    for (const { table, prefix, options } of partitioned) {
      const low = `${prefix}_${idTime(from.getTime())}`;
      const high = `${prefix}_${idTime(monthStart(now, offset + 1).getTime())}`;
      await owner.query(
        `CREATE TABLE IF NOT EXISTS ${table}_${suffix} PARTITION OF ${table} FOR VALUES FROM ('${low}') TO ('${high}') ${options}`,
      );
    }
  }
}
