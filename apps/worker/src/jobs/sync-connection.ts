import { type Core, findSyncAccount, isDatabaseUnavailable, runSync } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import type { AccountSlots } from '../account-slots.ts';

export interface SyncConnectionDeps {
  readonly core: Core;
  readonly logger: Logger;
  readonly slots: AccountSlots;
}

/** Works on a sync run until it is done, another worker takes it, or `signal` aborts. */
export type SyncConnection = (runId: string, signal: AbortSignal) => Promise<void>;

/** The job `connection.sync`. Does not fail when the database is unavailable: the reconciler resumes the run. */
export function createSyncConnection({ core, logger, slots }: SyncConnectionDeps): SyncConnection {
  return async (runId, signal) => {
    try {
      const accountId = await findSyncAccount(core, runId);
      using slot = accountId === undefined ? undefined : slots.acquire(accountId, runId);
      if (slot !== undefined) await runSync(core, runId, signal);
    } catch (err) {
      if (!isDatabaseUnavailable(err)) throw err;
      logger.debug({ err, run_id: runId }, 'the database is unavailable: the sync waits');
    } finally {
      slots.resumeNext();
    }
  };
}
