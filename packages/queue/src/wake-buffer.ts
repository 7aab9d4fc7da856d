import { jobs } from '@finhook/contracts';
import type { JobQueue, JobToAdd } from './driver.ts';

export interface WakeBuffer {
  /** Resolves when these wake-ups are with the backend. */
  wake(endpointIds: readonly string[], delayMs: number): Promise<void>;
}

/** Name of the job that only says "wake this endpoint now"; see `wake`. */
export const alarmName = 'alarm';
const wakeName = 'wake';
/** Each deduplicated job takes an advisory lock on PostgreSQL until its batch commits. */
const batchSize = 500;

/**
 * Gathers wake-ups of one process: those that come while a batch is on its way, or in the same turn, are merged, so
 * that an endpoint is named once per batch. A failed batch is dropped: the reconciler finds what it named.
 *
 * An endpoint has one immediate wake-up and one alarm, under deduplication ids of their own so that an alarm never
 * overwrites an immediate one. A new alarm replaces the old one.
 */
export function createWakeBuffer(queue: JobQueue): WakeBuffer {
  let waiting = new Map<string, JobToAdd>();
  let next: Promise<void> | undefined;
  let sending: Promise<void> = Promise.resolve();

  const flush = async () => {
    await sending.catch(() => undefined);
    const batch = [...waiting.values()];
    waiting = new Map();
    next = undefined;
    sending = sendInBatches(queue, batch);
    await sending;
  };

  return {
    wake: (endpointIds, delayMs) => {
      if (endpointIds.length === 0) return Promise.resolve();
      for (const id of endpointIds) {
        const job = toJob(id, delayMs);
        waiting.set(job.opts.deduplication.id, job);
      }
      next ??= flush();
      return next;
    },
  };
}

async function sendInBatches(queue: JobQueue, all: readonly JobToAdd[]): Promise<void> {
  for (let start = 0; start < all.length; start += batchSize) {
    await queue.addBulk(all.slice(start, start + batchSize));
  }
}

function toJob(endpointId: string, delayMs: number): JobToAdd {
  const data = jobs['endpoint.deliver'].payload.parse({ endpoint_id: endpointId });
  const policy = { replace: true, keepLastIfActive: true };
  if (delayMs <= 0) return { name: wakeName, data, opts: { deduplication: { id: endpointId, ...policy } } };
  const deduplication = { id: `${endpointId}-retry`, ...policy };
  return { name: alarmName, data, opts: { delay: Math.ceil(delayMs), deduplication } };
}
