import type { EndpointRef } from '@finhook/core';
import type { QueueProducer } from '@finhook/queue';

/** Has an endpoint looked at again when something may be claimed for it. */
export interface WakeUps {
  /** In `ms`; replaces an earlier wake-up of the endpoint. */
  plan(endpoint: EndpointRef, ms: number): void;
  close(): void;
}

/** Shorter waits are kept by this process: a rate limit may have ten in a second. */
const shortMs = 1_000;
/** Later ones are left to the reconciler. */
const longestMs = 60 * 60 * 1000;

/** `wake` is called for the short ones; a job of the queue, which any worker may receive, wakes for the others. */
export function createWakeUps(
  producer: Pick<QueueProducer, 'wakeLater'>,
  wake: (endpoint: EndpointRef) => void,
): WakeUps {
  const timers = new Map<string, NodeJS.Timeout>();
  const plan: WakeUps['plan'] = (endpoint, ms) => {
    clearTimeout(timers.get(endpoint.id));
    timers.delete(endpoint.id);
    if (ms > longestMs) return;
    if (ms > shortMs) {
      // The reconciler makes up for one that the queue rejects.
      producer.wakeLater(endpoint, ms).catch(() => undefined);
      return;
    }
    const go = () => {
      timers.delete(endpoint.id);
      wake(endpoint);
    };
    timers.set(endpoint.id, setTimeout(go, Math.max(1, Math.ceil(ms))));
  };
  return {
    plan,
    close: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
