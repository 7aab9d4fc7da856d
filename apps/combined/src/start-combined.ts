import { type RunningApi, startApi } from '@finhook/api';
import { type Core, createInProcessQueue, settleWithin } from '@finhook/core';
import { createQueueProducer } from '@finhook/queue';
import { type Logger, observabilityOf, openObservability } from '@finhook/runtime';
import { createWorker, workerOptionsOf } from '@finhook/worker';
import type { CombinedEnv } from './env.ts';

export interface RunningCombined {
  readonly api: RunningApi;
  readonly close: () => Promise<void>;
}

interface CombinedOptions {
  /** Default: one for the api and one for the worker, so that slow reports don't take the connections of deliveries. */
  readonly core?: Core;
  /** Runs before the worker starts. If it rejects, nothing is sent. */
  readonly admit?: (core: Core) => Promise<void>;
  /** Aborts the start of the worker. */
  readonly signal?: AbortSignal;
}

/** Closing waits this long for requests in flight before the worker closes too. */
const requestsMs = 1_000;

/**
 * Starts api and worker in this process, which sends what it stores without the queue. Closing ends the requests first,
 * because they create work for the worker.
 */
export async function startCombined(
  env: CombinedEnv,
  logger: Logger,
  { core, admit, signal }: CombinedOptions = {},
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
  const api = await startApi(env, logger, shared);
  opened.defer(api.close);
  await admit?.(api.core);
  const options = { ...workerOptionsOf(env), ...observability, logger, shared };
  opened.use(await createWorker(signal === undefined ? options : { ...options, signal }));
  opened.defer(() => settleWithin(requestsMs, api.close()));
  const running = opened.move();
  return { api, close: () => running.disposeAsync() };
}
