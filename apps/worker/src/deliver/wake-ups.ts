import type { EndpointRef } from '@finhook/core';
import type { QueueProducer } from '@finhook/queue';

/** Plans the next claim of each endpoint. */
export interface WakeUps {
  /** Replaces an earlier wake-up of the endpoint. */
  plan(endpoint: EndpointRef, ms: number): void;
  close(): void;
}

/** Shorter waits are timers of this process: a rate limit may need ten in a second. */
const shortMs = 1_000;
/** Longer waits need no plan: the reconciler finds the deliveries when they are due. */
const longestMs = 60 * 60 * 1000;

/** Short waits end with a call of `wake`, longer ones with a job that any worker may receive. */
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
      // The reconciler replaces a lost job.
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
