import { type Core, findSyncAccount, isDatabaseUnavailable, runSync } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import { createFairSlots } from '../deliver/slots.ts';

/** Sync runs at the same time; one account may have half. */
const syncSlots = 8;

export interface Syncs {
  readonly concurrency: number;
  /** Runs a sync until it is done, another worker takes it, or the syncs are closed; waits for a slot. */
  run(runId: string): Promise<void>;
  close(): Promise<void>;
}

/** The job `connection.sync`. It doesn't fail when the database is unavailable: the reconciler resumes the run. */
export function createSyncs({ core, logger }: { readonly core: Core; readonly logger: Logger }): Syncs {
  const slots = createFairSlots(syncSlots);
  const closing = new AbortController();
  const running = new Map<string, Promise<void>>();

  const work = async (runId: string): Promise<void> => {
    try {
      const accountId = await findSyncAccount(core, runId);
      if (accountId === undefined || closing.signal.aborted) return;
      const waiter = { id: runId, resume: () => void run(runId) };
      if (!slots.tryAcquire(accountId, 1, waiter)) return;
      try {
        await runSync(core, runId, closing.signal);
      } finally {
        slots.release(accountId, 1);
      }
    } catch (err) {
      if (!isDatabaseUnavailable(err)) logger.error({ err, run_id: runId }, 'a sync failed');
      else logger.debug({ err, run_id: runId }, 'the database is unavailable: the sync waits');
    }
  };
  const run: Syncs['run'] = (runId) => {
    if (slots.isWaiting(runId)) return Promise.resolve();
    const started = running.get(runId) ?? work(runId).finally(() => running.delete(runId));
    running.set(runId, started);
    return started;
  };
  return {
    concurrency: syncSlots,
    run,
    close: async () => {
      closing.abort();
      await Promise.all(running.values());
    },
  };
}
