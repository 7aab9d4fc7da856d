import { type Core, findDueEndpoints } from '@finhook/core';
import type { Logger } from '@finhook/platform';
import type { DeliverEndpoint } from './jobs/deliver-endpoint.ts';

export interface ReconcilerOptions {
  readonly core: Core;
  readonly logger: Logger;
  readonly deliver: DeliverEndpoint;
  /** Whether this process is working on the endpoint, which then needs nobody to wake it. */
  readonly isActive: (endpointId: string) => boolean;
  /** Endpoints that the reconciler works on at once, beside those that the queue hands out. */
  readonly concurrency: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export interface Reconciler {
  /** Looks no more and stops the slices that it began; resolves when they have ended. */
  close(): Promise<void>;
}

const everyMs = 1_000;
/** Deliveries that are late by less have a wake-up on its way. */
const graceMs = 1_000;

/**
 * Every second, at first at once, delivers to the endpoints that have something due and that nobody works on: their
 * wake-up was lost, or the queue's store was, or the queue is away. It hands nothing to the queue, so that a backlog
 * costs no job and an outage of the queue costs a second and no delivery. Logs the first failure and the recovery.
 */
export function startReconciler(options: ReconcilerOptions): Reconciler {
  const { core, logger } = options;
  const closing = new AbortController();
  const sweep = createSweep(options, closing.signal);
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let failing = false;

  const look = async () => {
    try {
      sweep.add(await findDueEndpoints(core, graceMs, { alone: true }));
      if (failing) logger.info({}, 'looking for forgotten deliveries works again');
      failing = false;
    } catch (err) {
      if (!failing) logger.warn({ err }, 'could not look for forgotten deliveries: trying every second');
      failing = true;
    }
    if (!closing.signal.aborted) timer = setTimeout(start, everyMs);
  };
  const start = () => {
    looking = look();
  };
  start();

  return {
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await looking;
      await sweep.ended();
    },
  };
}

/** Works through endpoints in random order, so that several workers that found the same ones share them. */
function createSweep({ deliver, isActive, concurrency, logger, random }: ReconcilerOptions, signal: AbortSignal) {
  const waiting = new Set<string>();
  const running = new Set<Promise<void>>();

  const runOne = async (endpointId: string) => {
    try {
      await deliver(endpointId, signal);
    } catch (err) {
      logger.error({ err, endpoint_id: endpointId }, 'a slice of deliveries failed');
    }
  };
  const fill = () => {
    for (const endpointId of waiting) {
      if (running.size >= concurrency || signal.aborted) return;
      waiting.delete(endpointId);
      if (isActive(endpointId)) continue;
      const run = runOne(endpointId).finally(() => {
        running.delete(run);
        fill();
      });
      running.add(run);
    }
  };
  return {
    add: (endpointIds: readonly string[]) => {
      for (const endpointId of shuffled(endpointIds, random)) waiting.add(endpointId);
      fill();
    },
    ended: async () => {
      await Promise.all(running);
    },
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
