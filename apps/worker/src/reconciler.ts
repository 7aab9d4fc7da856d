import { type Core, type EndpointRef, findDueEndpoints, findOpenSyncs, type Repetition, repeat } from '@finhook/core';
import type { Logger } from '@finhook/runtime';

export interface ReconcilerOptions {
  readonly core: Core;
  readonly logger: Logger;
  readonly isQueueAway: () => boolean;
  /** See `Timing.reconcileMs`. */
  readonly everyMs: number;
  /** See `Timing.reconcileAwayMs`; at most `everyMs`. */
  readonly awayMs: number;
  readonly poke: (endpoints: readonly EndpointRef[]) => void;
  readonly resumeSync: (runId: string) => void;
}

/**
 * Finds endpoints with due deliveries that no worker holds, and sync runs that no worker runs. It reads the database,
 * and polls faster while the queue is unavailable.
 */
export function startReconciler(options: ReconcilerOptions): Repetition {
  const { core, logger, isQueueAway, everyMs, awayMs, poke, resumeSync } = options;
  let isFailing = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  const reconcile = async (isAway: boolean) => {
    poke(await findDueEndpoints(core, isAway ? 0 : everyMs, { alone: true }));
    for (const runId of await findOpenSyncs(core)) resumeSync(runId);
    if (isFailing) logger.info({}, 'the reconciler recovered');
    isFailing = false;
  };
  return repeat(async () => {
    const isAway = isQueueAway();
    const restMs = lastAt + everyMs - performance.now();
    // Checks every `awayMs` whether the queue has become unavailable.
    if (!isAway && restMs > 0) return Math.min(restMs, awayMs);
    await reconcile(isAway).catch((err: unknown) => {
      if (!isFailing) logger.warn({ err }, 'the reconciler failed and tries again');
      isFailing = true;
    });
    lastAt = performance.now();
    return Math.min(everyMs, awayMs);
  });
}
