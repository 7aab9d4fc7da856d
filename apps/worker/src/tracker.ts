import type { DeliverEndpoint } from './jobs/deliver-endpoint.ts';

/** Knows which endpoints this process is working on. */
export interface Tracker {
  /** The same function, watched; `onEnd` is called whenever a run of it no longer counts as active. */
  track(deliver: DeliverEndpoint, onEnd: () => void): DeliverEndpoint;
  isActive(endpointId: string): boolean;
  isIdle(): boolean;
  /** Delivers what `findDue` returns, until nothing is due or in flight. */
  drain(findDue: () => Promise<readonly string[]>, deliver: DeliverEndpoint): Promise<void>;
}

export function createTracker(): Tracker {
  const active = new Map<Promise<void>, string>();
  const counts = new Map<string, number>();

  const track: Tracker['track'] = (deliver, onEnd) => {
    return async (endpointId, signal) => {
      const running = deliver(endpointId, signal);
      active.set(running, endpointId);
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
      try {
        await running;
      } finally {
        active.delete(running);
        const left = (counts.get(endpointId) ?? 1) - 1;
        if (left === 0) counts.delete(endpointId);
        else counts.set(endpointId, left);
        onEnd();
      }
    };
  };
  const drain: Tracker['drain'] = async (findDue, deliver) => {
    const never = new AbortController().signal;
    for (;;) {
      await Promise.allSettled(active.keys());
      const due = await findDue();
      if (due.length === 0 && active.size === 0) return;
      await Promise.all(due.map((endpointId) => deliver(endpointId, never)));
    }
  };
  return { track, drain, isActive: (endpointId) => counts.has(endpointId), isIdle: () => active.size === 0 };
}
