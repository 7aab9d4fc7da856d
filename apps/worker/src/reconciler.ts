import { type Core, type EndpointRef, findDueEndpoints, findOpenSyncs, type Repetition, repeat } from '@finhook/core';
import type { Logger } from '@finhook/runtime';

export interface ReconcilerOptions {
  readonly core: Core;
  readonly logger: Logger;
  /** Returns true while no job arrives. */
  readonly isQueueAway: () => boolean;
  /** The poll interval, and how late a delivery has to be: until then its job may still arrive. In ms. */
  readonly everyMs: number;
  /** The poll interval while the queue is away, when a delivery needs not be late. In ms, at most `everyMs`. */
  readonly awayMs: number;
  readonly poke: (endpoints: readonly EndpointRef[]) => void;
  readonly resumeSync: (runId: string) => void;
}

/**
 * Finds, at once and then every `everyMs`, endpoints with due deliveries that no worker holds, and sync runs that nobody
 * works on: their job or the queue's data was lost, or the queue is unavailable. It bypasses the queue, and looks more often
 * while that is away, so that an outage of it delays deliveries by less than a second and loses none. Logs the first failure
 * and the recovery.
 */
export function startReconciler(options: ReconcilerOptions): Repetition {
  const { core, logger, isQueueAway, everyMs, awayMs, poke, resumeSync } = options;
  let isFailing = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = async (isAway: boolean) => {
    poke(await findDueEndpoints(core, isAway ? 0 : everyMs, { alone: true }));
    for (const runId of await findOpenSyncs(core)) resumeSync(runId);
    if (isFailing) logger.info({}, 'looking for forgotten deliveries works again');
    isFailing = false;
  };
  return repeat(async () => {
    const isAway = isQueueAway();
    const restMs = lookedAt + everyMs - performance.now();
    // The queue may go away meanwhile.
    if (!isAway && restMs > 0) return Math.min(restMs, awayMs);
    await look(isAway).catch((err: unknown) => {
      if (!isFailing) logger.warn({ err }, 'could not look for forgotten deliveries: trying again');
      isFailing = true;
    });
    lookedAt = performance.now();
    return Math.min(everyMs, awayMs);
  });
}
