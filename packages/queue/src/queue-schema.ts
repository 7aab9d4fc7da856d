import { runMigrations } from 'bullmq';
import type { Pool } from 'pg';
import { isDuplicate } from './postgres-errors.ts';

export interface QueueSchema {
  /** Makes the tables unless this process has done so. */
  readonly ensure: () => Promise<void>;
  /** Makes the tables that someone removed. Callers at the same time share one run. */
  readonly rebuild: () => Promise<void>;
}

/** The queue library's tables, functions and types: the schema `bullmq` of the database. */
export function queueSchema(pool: Pool): QueueSchema {
  let done = false;
  let running: Promise<void> | undefined;
  const rebuild = () => {
    done = false;
    running ??= migrate(pool)
      .then(() => void (done = true))
      .finally(() => (running = undefined));
    return running;
  };
  return { rebuild, ensure: () => (done ? Promise.resolve() : rebuild()) };
}

async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client).catch(async (error: unknown) => {
      if (!isDuplicate(error)) throw error;
      // The tables are there but their ledger is empty: wake-ups are worth nothing, so begin again.
      await client.query('drop schema bullmq cascade');
      await runMigrations(client);
    });
  } finally {
    client.release();
  }
}
