import { type JobName, type JobPayload, jobs } from '@finhook/contracts';
import type { Logger } from '@finhook/runtime';
import { defaultQueueTiming, type JobWorker, type QueueTiming, type ReceivedJob, withDeadline } from './driver.ts';
import { openQueueDriver } from './open-driver.ts';
import { createWakeBuffer, delayedWakeName } from './wake-buffer.ts';

type JobHandler<N extends JobName> = (
  payload: JobPayload<N>,
  context: { readonly signal: AbortSignal },
) => Promise<void>;

export type JobHandlers = { readonly [N in JobName]: JobHandler<N> };

export interface QueueConsumerOptions {
  readonly logger: Logger;
  readonly concurrency: Readonly<Record<JobName, number>>;
  /** `signal` aborts when the consumer is closed: finish the slice in flight and return. */
  readonly handlers: JobHandlers;
  readonly timing?: QueueTiming;
}

export interface QueueConsumer {
  readonly isUp: () => boolean;
  /** Takes no more jobs, aborts the handlers' signal and waits for them, for at most `timeoutMs`. */
  readonly close: (options: { readonly timeoutMs: number }) => Promise<void>;
}

/**
 * Connects to the backend that the URL's scheme names, and runs the handlers. It survives an outage of the backend and
 * the loss of all jobs. An error of a handler is logged and its job is gone; the reconciler wakes the endpoint again.
 */
export function createQueueConsumer(queueUrl: string, options: QueueConsumerOptions): QueueConsumer {
  const { logger, handlers, concurrency, timing = defaultQueueTiming } = options;
  const driver = openQueueDriver(queueUrl, 'consumer', logger);
  const closing = new AbortController();
  const context = { signal: closing.signal };
  const deliverQueue = driver.openQueue('endpoint.deliver');
  const buffer = createWakeBuffer(deliverQueue);

  const deliver = async ({ name, data }: ReceivedJob) => {
    const payload = jobs['endpoint.deliver'].payload.parse(data);
    // It becomes an immediate wake-up, so that an endpoint never has two handlers at the same time.
    if (name === delayedWakeName) return buffer.wake([payload.endpoint_id], 0);
    return handlers['endpoint.deliver'](payload, context);
  };
  const sync = ({ data }: ReceivedJob) => {
    return handlers['connection.sync'](jobs['connection.sync'].payload.parse(data), context);
  };
  const maintain = ({ data }: ReceivedJob) => {
    return handlers['maintenance.run'](jobs['maintenance.run'].payload.parse(data), context);
  };
  const logged = (job: JobName, run: (received: ReceivedJob) => Promise<void>) => async (received: ReceivedJob) => {
    try {
      await run(received);
    } catch (err) {
      if (!closing.signal.aborted) logger.error({ err, job, payload: received.data }, 'a job failed');
    }
  };
  const work = (job: JobName, run: (received: ReceivedJob) => Promise<void>): JobWorker =>
    driver.openWorker(job, logged(job, run), { concurrency: concurrency[job], timing });
  const workers = [work('endpoint.deliver', deliver), work('connection.sync', sync), work('maintenance.run', maintain)];

  return {
    isUp: driver.health.isUp,
    close: async ({ timeoutMs }) => {
      closing.abort(new Error('The consumer is being closed.'));
      driver.abandon();
      driver.health.close();
      // The queue is closed last: a delayed wake-up in flight still adds an immediate one.
      const closed = Promise.all(workers.map((worker) => worker.close())).then(() => deliverQueue.close());
      await withDeadline(closed, timeoutMs, 'Closing the consumer').catch((err) => {
        logger.warn({ err }, 'jobs are left unfinished');
      });
      await driver.close();
    },
  };
}
