import { type JobName, type JobPayload, jobs } from '@finhook/contracts';
import type { Logger } from '@finhook/runtime';
import { isImpaired } from './backend-health.ts';
import { defaultQueueTiming, type JobWorker, type QueueTiming, type ReceivedJob, withDeadline } from './driver.ts';
import { openQueueDriver } from './open-driver.ts';
import type { QueueProducer } from './producer.ts';

export type JobHandlers = { readonly [N in JobName]: (payload: JobPayload<N>) => Promise<void> };

export interface QueueConsumerOptions {
  readonly logger: Logger;
  /** `deliver` has one, whose handler must return at once. */
  readonly concurrency: Readonly<Record<Exclude<JobName, 'deliver'>, number>>;
  readonly handlers: JobHandlers;
  readonly timing?: QueueTiming;
  readonly producer?: Pick<QueueProducer, 'isAway'>;
}

export interface QueueConsumer {
  readonly isUp: () => boolean;
  /** True while the backend can't be reached, rejects writes or is slow. */
  readonly isAway: () => boolean;
  readonly close: (options: { readonly timeoutMs: number }) => Promise<void>;
}

/** Survives outages of the backend and the loss of all jobs. The job of a failed handler is not retried. */
export function createQueueConsumer(queueUrl: string, options: QueueConsumerOptions): QueueConsumer {
  const { logger, handlers, concurrency, timing = defaultQueueTiming, producer } = options;
  const driver = openQueueDriver(queueUrl, { role: 'consumer', logger, probes: producer === undefined });
  let isClosing = false;
  const deliver = ({ data }: ReceivedJob) => handlers.deliver(jobs.deliver.payload.parse(data));
  const sync = ({ data }: ReceivedJob) => handlers['connection.sync'](jobs['connection.sync'].payload.parse(data));
  const maintain = ({ data }: ReceivedJob) => handlers['maintenance.run'](jobs['maintenance.run'].payload.parse(data));
  const logged = (job: JobName, run: (received: ReceivedJob) => Promise<void>) => async (received: ReceivedJob) => {
    try {
      await run(received);
    } catch (err) {
      if (!isClosing) logger.error({ err, job, name: received.name }, 'a job failed');
    }
  };
  const work = (job: Exclude<JobName, 'deliver'>, run: (received: ReceivedJob) => Promise<void>): JobWorker =>
    driver.openWorker(job, logged(job, run), { concurrency: concurrency[job], timing });
  const workers = [
    driver.openWorker('deliver', logged('deliver', deliver), { concurrency: 1, timing, isBrief: true }),
    work('connection.sync', sync),
    work('maintenance.run', maintain),
  ];

  return {
    isUp: driver.health.isUp,
    isAway: () => producer?.isAway === true || isImpaired(driver.health),
    close: async ({ timeoutMs }) => {
      isClosing = true;
      driver.abandon();
      driver.health.close();
      const closed = Promise.all(workers.map((worker) => worker.close())).then(() => undefined);
      await withDeadline(closed, timeoutMs, 'Closing the consumer').catch((err) => {
        logger.warn({ err }, 'jobs are left unfinished');
      });
      await driver.close();
    },
  };
}
