import { type JobName, type JobPayload, jobs } from '@finhook/contracts';
import type { Logger } from '@finhook/runtime';
import { defaultQueueTiming, type QueueTiming } from './bullmq-options.ts';
import type { JobToDo, JobWorker } from './driver.ts';
import { openQueueDriver } from './open-driver.ts';
import { alarmName, createWakeBuffer } from './wake-buffer.ts';
import { withDeadline } from './with-deadline.ts';

type JobHandler<N extends JobName> = (
  payload: JobPayload<N>,
  context: { readonly signal: AbortSignal },
) => Promise<void>;

export type JobHandlers = { readonly [N in JobName]: JobHandler<N> };

export interface QueueConsumerOptions {
  readonly logger: Logger;
  /** How many jobs of each kind run at the same time in this process. */
  readonly concurrency: Readonly<Record<JobName, number>>;
  /** `signal` aborts when the consumer is closed: finish the slice at hand and return. */
  readonly handlers: JobHandlers;
  readonly timing?: QueueTiming;
}

export interface QueueConsumer {
  /** Whether the backend can be reached. */
  readonly isUp: () => boolean;
  /** Takes no more jobs, aborts the handlers' signal and waits for them, at most `timeoutMs`. */
  readonly close: (options: { readonly timeoutMs: number }) => Promise<void>;
}

/**
 * Connects to the queue's backend, named by the URL's scheme, and runs the handlers. It outlives a backend that goes
 * away or loses all jobs. A handler that throws is logged; its job is gone, and the reconciler wakes it again.
 */
export function createQueueConsumer(queueUrl: string, options: QueueConsumerOptions): QueueConsumer {
  const { logger, handlers, concurrency, timing = defaultQueueTiming } = options;
  const driver = openQueueDriver(queueUrl, 'consumer', logger);
  const closing = new AbortController();
  const context = { signal: closing.signal };
  const deliverQueue = driver.openQueue('endpoint.deliver');
  const buffer = createWakeBuffer(deliverQueue);

  const deliver = async ({ name, data }: JobToDo) => {
    const payload = jobs['endpoint.deliver'].payload.parse(data);
    // An alarm becomes an ordinary wake-up, so that an endpoint never has two handlers at the same time.
    if (name === alarmName) return buffer.wake([payload.endpoint_id], 0);
    return handlers['endpoint.deliver'](payload, context);
  };
  const sync = ({ data }: JobToDo) => {
    return handlers['connection.sync'](jobs['connection.sync'].payload.parse(data), context);
  };
  const maintain = ({ data }: JobToDo) => {
    return handlers['maintenance.run'](jobs['maintenance.run'].payload.parse(data), context);
  };
  const logged = (job: JobName, run: (todo: JobToDo) => Promise<void>) => async (todo: JobToDo) => {
    try {
      await run(todo);
    } catch (err) {
      if (!closing.signal.aborted) logger.error({ err, job, payload: todo.data }, 'a job failed');
    }
  };
  const work = (job: JobName, run: (todo: JobToDo) => Promise<void>): JobWorker =>
    driver.openWorker(job, logged(job, run), { concurrency: concurrency[job], timing });
  const workers = [work('endpoint.deliver', deliver), work('connection.sync', sync), work('maintenance.run', maintain)];

  return {
    isUp: driver.health.isUp,
    close: async ({ timeoutMs }) => {
      closing.abort(new Error('The consumer is being closed.'));
      driver.abandon();
      driver.health.close();
      // The queue goes last: an alarm that is at hand still adds its wake-up.
      const closed = Promise.all(workers.map((worker) => worker.close())).then(() => deliverQueue.close());
      await withDeadline(closed, timeoutMs, 'Closing the consumer').catch((err) => {
        logger.warn({ err }, 'jobs are left unfinished');
      });
      await driver.close();
    },
  };
}
