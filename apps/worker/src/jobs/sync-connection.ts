import { type Core, isDatabaseUnavailable, runSync } from '@finhook/core';
import type { Logger } from '@finhook/platform';

/** Works on a sync run until it is over, until another worker has it, or until `signal` stops it. */
export type SyncConnection = (runId: string, signal: AbortSignal) => Promise<void>;

/** The job `connection.sync`. Ends quietly when the database is away, because the reconciler takes the run up again. */
export function createSyncConnection(core: Core, logger: Logger): SyncConnection {
  return async (runId, signal) => {
    try {
      await runSync(core, runId, signal);
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      logger.debug({ err, run_id: runId }, 'the database is away: the sync waits');
    }
  };
}
