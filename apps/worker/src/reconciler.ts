import { type Core, type EndpointRef, findDueEndpoints, findOpenSyncs, type Repetition, repeat } from '@finhook/core';
import type { Logger } from '@finhook/runtime';

export interface ReconcilerOptions {
  readonly core: Core;
  readonly logger: Logger;
  /** The poll interval, and how late a delivery has to be: until then its job may still arrive. In ms. */
  readonly everyMs: number;
  readonly poke: (endpoints: readonly EndpointRef[]) => void;
  readonly resumeSync: (runId: string) => void;
}

/**
 * Finds, at once and then every `everyMs`, endpoints with due deliveries that no worker holds, and sync runs that nobody
 * works on: their job or the queue's data was lost, or the queue is unavailable. It bypasses the queue, so that an outage
 * of it delays deliveries by a second and loses none. Logs the first failure and the recovery.
 */
export function startReconciler({ core, logger, everyMs, poke, resumeSync }: ReconcilerOptions): Repetition {
  let isFailing = false;
  return repeat(async () => {
    try {
      poke(await findDueEndpoints(core, everyMs, { alone: true }));
      for (const runId of await findOpenSyncs(core)) resumeSync(runId);
      if (isFailing) logger.info({}, 'looking for forgotten deliveries works again');
      isFailing = false;
    } catch (err) {
      if (!isFailing) logger.warn({ err }, 'could not look for forgotten deliveries: trying every second');
      isFailing = true;
    }
    return everyMs;
  });
}
