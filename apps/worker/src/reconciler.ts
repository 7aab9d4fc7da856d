import { type Core, findDueEndpoints, findOpenSyncs } from '@finhook/core';
import type { Logger } from '@finhook/runtime';

interface Sweep {
  /** Runs it unless another process does. */
  readonly run: (id: string, signal: AbortSignal) => Promise<void>;
  /** True if this process runs it already or is about to. */
  readonly isTaken: (id: string) => boolean;
  /** Concurrent runs, besides those that the queue hands out. */
  readonly concurrency: number;
}

export interface ReconcilerOptions {
  readonly core: Core;
  readonly logger: Logger;
  /** By the ids of endpoints. */
  readonly deliveries: Sweep;
  /** By the ids of sync runs. */
  readonly syncs: Sweep;
  /** The poll interval, and how late a delivery has to be: until then its wake-up may still arrive. In ms. */
  readonly everyMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export interface Reconciler {
  /** Delivers to an endpoint that waited for its turn, unless another process does. */
  resumeEndpoint(endpointId: string): void;
  /** The same for a sync run. */
  resumeSync(runId: string): void;
  /** Stops polling and the slices that it started; resolves when they have ended. */
  close(): Promise<void>;
}

/**
 * Delivers, at once and then every `everyMs`, to endpoints with due deliveries that no worker handles: their wake-up or the
 * queue's data was lost, or the queue is unavailable. It bypasses the queue, so that a backlog creates no jobs and an outage
 * of the queue delays deliveries by a second and loses none. Unclaimed sync runs are handled in the same way. Logs the first
 * failure and the recovery.
 */
export function startReconciler(options: ReconcilerOptions): Reconciler {
  const { core, logger, everyMs } = options;
  const closing = new AbortController();
  const deliveries = createSweep(options, options.deliveries, closing.signal);
  const syncs = createSweep(options, options.syncs, closing.signal);
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let failing = false;

  const look = async () => {
    try {
      deliveries.add(await findDueEndpoints(core, everyMs, { alone: true }));
      syncs.add(await findOpenSyncs(core));
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
    resumeEndpoint: (endpointId) => deliveries.add([endpointId]),
    resumeSync: (runId) => syncs.add([runId]),
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await looking;
      await Promise.all([deliveries.ended(), syncs.ended()]);
    },
  };
}

/** Works through ids in random order, so that several workers that found the same ones share them. */
function createSweep(
  { logger, random }: Pick<ReconcilerOptions, 'logger' | 'random'>,
  { run, isTaken, concurrency }: Sweep,
  signal: AbortSignal,
) {
  const waiting = new Set<string>();
  const running = new Set<Promise<void>>();

  const runOne = async (id: string) => {
    try {
      await run(id, signal);
    } catch (err) {
      logger.error({ err, id }, 'what the reconciler took on failed');
    }
  };
  const fill = () => {
    for (const id of waiting) {
      if (running.size >= concurrency || signal.aborted) return;
      waiting.delete(id);
      if (isTaken(id)) continue;
      const one = runOne(id).finally(() => {
        running.delete(one);
        fill();
      });
      running.add(one);
    }
  };
  return {
    add: (ids: readonly string[]) => {
      for (const id of shuffled(ids, random)) waiting.add(id);
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
