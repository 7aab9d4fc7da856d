import { isStorageExhausted } from './database-error.ts';
import type { Queryable } from './queryable.ts';

/** Longer than most probes' interval, so that one successful check between two failed writes says nothing. */
const SUSPECT_MS = 5_000;

interface Transactions {
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

export interface WriteCheck {
  /** Remembers a failed statement if the server's disk is the cause. */
  readonly note: (error: unknown) => void;
  /** Rejects unless the database takes writes now, and took all of this process for the last five seconds. */
  readonly run: (session: Transactions, thorough?: boolean) => Promise<void>;
}

/**
 * Checks that a database takes writes without writing a row. A commit alone proves little: on a full disk, the write-ahead
 * log goes on in segments that exist already. Only after a failed write is disk space allocated as well, because servers
 * log and count temporary files.
 */
export function createWriteCheck(now: () => number = () => performance.now()): WriteCheck {
  let failedAt: number | undefined;
  return {
    note: (error) => {
      if (isStorageExhausted(error)) failedAt = now();
    },
    run: async (session, thorough = false) => {
      await session.transaction(async (tx) => {
        if (thorough || failedAt !== undefined) {
          await tx.query("SELECT set_config('work_mem', '64kB', true)");
          // About 300 kB of temporary file.
          await tx.query('SELECT count(*) FROM generate_series(1, 20000)');
        }
        await tx.query("SELECT pg_logical_emit_message(true, 'finhook', '')");
      });
      if (failedAt !== undefined && now() - failedAt < SUSPECT_MS) {
        throw new Error('A write failed in the last seconds, because the disk of the database is full.');
      }
      failedAt = undefined;
    },
  };
}
