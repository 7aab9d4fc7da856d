import { jobs } from '@finhook/contracts';
import type { JobQueue, NewJob } from './driver.ts';

export interface WakeBuffer {
  /** Resolves when the backend has these wake-ups. */
  wake(endpointIds: readonly string[], delayMs: number): Promise<void>;
}

export const delayedWakeName = 'delayed-wake';
const wakeName = 'wake';
/** On PostgreSQL each deduplicated job holds an advisory lock until its batch commits. */
const batchSize = 500;

/**
 * Batches the wake-ups of one process: those of the same turn, and those that arrive while a batch is in flight, are
 * merged, so that a batch has an endpoint once. A failed batch is dropped: the reconciler finds what is due.
 *
 * An endpoint has one immediate and one delayed wake-up. They have different deduplication ids, so that a delayed one
 * never replaces an immediate one. A new delayed wake-up replaces the old one.
 */
export function createWakeBuffer(queue: JobQueue): WakeBuffer {
  let waiting = new Map<string, NewJob>();
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

async function sendInBatches(queue: JobQueue, all: readonly NewJob[]): Promise<void> {
  for (let start = 0; start < all.length; start += batchSize) {
    await queue.addBulk(all.slice(start, start + batchSize));
  }
}

function toJob(endpointId: string, delayMs: number): NewJob {
  const data = jobs['endpoint.deliver'].payload.parse({ endpoint_id: endpointId });
  const policy = { replace: true, keepLastIfActive: true };
  if (delayMs <= 0) return { name: wakeName, data, opts: { deduplication: { id: endpointId, ...policy } } };
  const deduplication = { id: `${endpointId}-retry`, ...policy };
  return { name: delayedWakeName, data, opts: { delay: Math.ceil(delayMs), deduplication } };
}
