import { type Core, findSyncAccount, isDatabaseUnavailable, runSync } from '@finhook/core';
import type { Logger } from '@finhook/platform';
import type { AccountPlaces } from '../account-places.ts';

export interface SyncConnectionDeps {
  readonly core: Core;
  readonly logger: Logger;
  readonly places: AccountPlaces;
}

/** Works on a sync run until it is over, until another worker has it, or until `signal` stops it. */
export type SyncConnection = (runId: string, signal: AbortSignal) => Promise<void>;

/** The job `connection.sync`. Ends quietly when the database is away, because the reconciler takes the run up again. */
export function createSyncConnection({ core, logger, places }: SyncConnectionDeps): SyncConnection {
  return async (runId, signal) => {
    try {
      const accountId = await findSyncAccount(core, runId);
      using place = accountId === undefined ? undefined : places.enter(accountId, runId);
      if (place !== undefined) await runSync(core, runId, signal);
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      logger.debug({ err, run_id: runId }, 'the database is away: the sync waits');
    } finally {
      places.resumeNext();
    }
  };
}
