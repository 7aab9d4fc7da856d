import { type Core, findDueEndpoints } from '@finhook/core';
import type { Logger, QueueProducer } from '@finhook/platform';

export interface ReconcilerOptions {
  readonly core: Core;
  readonly producer: Pick<QueueProducer, 'wake' | 'counts'>;
  readonly logger: Logger;
  /** Whether this process is working on the endpoint, which then wakes itself. */
  readonly isActive: (endpointId: string) => boolean;
  readonly monotonicNow: () => number;
}

export interface Reconciler {
  /** Looks no more; resolves when a look that is under way has ended. */
  close(): Promise<void>;
}

const everyMs = 1_000;
/** Deliveries that are late by less have a wake-up on its way. */
const graceMs = 1_000;
/** How long a wake-up of ours is trusted to wait in a long queue. */
const trustMs = 10_000;

/**
 * Every second, at first at once, wakes the endpoints that have something due and that nobody works on: their wake-up
 * was lost, or the queue's store was. Goes on whatever fails, and logs only the first failure and the recovery.
 */
export function startReconciler(options: ReconcilerOptions): Reconciler {
  const { logger } = options;
  const look = createLook(options);
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let failing = false;

  const run = async () => {
    try {
      const woken = await look();
      if (woken > 0) logger.debug({ endpoints: woken }, 'woke forgotten endpoints');
      if (failing) logger.info({}, 'looking for forgotten deliveries works again');
      failing = false;
    } catch (err) {
      if (!failing && !closed) logger.warn({ err }, 'could not look for forgotten deliveries: trying every second');
      failing = true;
    }
    if (!closed) timer = setTimeout(next, everyMs);
  };
  let running = Promise.resolve();
  const next = () => {
    running = run();
  };
  next();

  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/**
 * A look that doesn't name an endpoint every second while its job waits in line: as long as at least as many jobs wait
 * as endpoints are late, those woken lately are taken to be among them. A flushed queue has none, so all are woken.
 */
function createLook(options: ReconcilerOptions): () => Promise<number> {
  const { core, producer, isActive, monotonicNow } = options;
  let wokenAt = new Map<string, number>();
  return async () => {
    const due = await findDueEndpoints(core, graceMs, { alone: true });
    const late = due.filter((id) => !isActive(id));
    if (late.length === 0) return 0;
    const { waiting } = await producer.counts('endpoint.deliver');
    const now = monotonicNow();
    const isTrusted = (id: string) =>
      waiting >= late.length && now - (wokenAt.get(id) ?? Number.NEGATIVE_INFINITY) < trustMs;
    const forgotten = late.filter((id) => !isTrusted(id));
    await producer.wake(forgotten);
    const kept = late.flatMap((id) => (isTrusted(id) ? [[id, wokenAt.get(id) ?? now] as const] : [[id, now] as const]));
    wokenAt = new Map(kept);
    return forgotten.length;
  };
}
