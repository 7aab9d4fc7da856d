import { type RunningApi, type StartOptions, startApi } from '@finhook/api';
import { type Core, createInProcessQueue } from '@finhook/core';
import { createQueueProducer } from '@finhook/queue';
import { type Logger, observabilityOf, openObservability } from '@finhook/runtime';
import { createWorker, workerOptionsOf } from '@finhook/worker';
import type { CombinedEnv } from './env.ts';

export interface RunningCombined {
  readonly api: RunningApi;
  readonly close: () => Promise<void>;
}

interface CombinedOptions extends Omit<StartOptions, 'shared'> {
  /** Default: one for the api and one for the worker, so that slow reports don't take the connections of deliveries. */
  readonly core?: Core;
  /** Runs before the worker starts. If it rejects, nothing is sent. */
  readonly admit?: (core: Core) => Promise<void>;
}

/**
 * Starts api and worker in this process, which sends what it stores without the queue. Closing ends the worker first: while
 * it waits for receivers, requests are still served, and their deliveries are free for other processes.
 */
export async function startCombined(
  env: CombinedEnv,
  logger: Logger,
  { core, admit, signal, onDatabaseAway }: CombinedOptions = {},
): Promise<RunningCombined> {
  await using opened = new AsyncDisposableStack();
  const observability = await openObservability({ ...observabilityOf(env), serviceName: 'finhook', logger });
  opened.defer(observability.close);
  const producer = opened.adopt(createQueueProducer(env.QUEUE_URL, { logger }), (queue) => queue.close());
  const queue = createInProcessQueue({
    wakeAny: (endpoints) => {
      producer.deliver({ endpoints }).catch((err: unknown) => logger.debug({ err }, 'No worker was woken.'));
    },
    onError: (err) => logger.error({ err }, 'a hand-off failed: its deliveries wait until their leases end'),
  });
  const shared = { producer, queue, observability, core };
  const closing = new AbortController();
  const stopping = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]);
  const api = await startApi(env, logger, { shared, signal: stopping, onDatabaseAway });
  opened.defer(api.close);
  await admit?.(api.core);
  opened.use(await createWorker({ ...workerOptionsOf(env), ...observability, logger, shared, signal: stopping }));
  opened.defer(() => closing.abort());
  const running = opened.move();
  return { api, close: () => running.disposeAsync() };
}
