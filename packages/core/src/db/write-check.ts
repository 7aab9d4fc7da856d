import { isStorageExhausted } from './database-error.ts';
import type { Queryable } from './queryable.ts';

/** Longer than most intervals of probes, so that one success between two failed writes is no proof. */
const SUSPECT_MS = 5_000;

interface Transactions {
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
}

export interface WriteCheck {
  /** Remembers failures caused by a full disk. */
  readonly note: (error: unknown) => void;
  /** Rejects unless the database accepts writes now and has accepted all of the last five seconds. */
  readonly run: (session: Transactions, thorough?: boolean) => Promise<void>;
}

/**
 * Checks writes without storing a row. On a full disk the write-ahead log continues in existing segments, so after a
 * failed write it allocates disk space too. Not always, because servers log and count temporary files.
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
          // Writes a temporary file of about 300 kB, which fails on a full disk.
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
