import { type JobName, jobNames } from '@finhook/contracts';
import type { Logger } from '@finhook/runtime';
import { type BoardQueue, withDeadline } from './driver.ts';
import { openQueueDriver } from './open-driver.ts';

export interface QueueBoard {
  readonly isUp: () => boolean;
  readonly ping: () => Promise<void>;
  readonly queues: () => readonly { readonly job: JobName; readonly queue: BoardQueue }[];
  readonly close: () => Promise<void>;
}

const timeoutMs = 1_000;

/** Opens its own connections. Their commands fail at once while the backend can't be reached. */
export function openQueueBoard(queueUrl: string, options: { readonly logger: Logger }): QueueBoard {
  const driver = openQueueDriver(queueUrl, { role: 'producer', logger: options.logger, probes: false });
  const queues = jobNames().map((job) => ({ job, ...driver.openBoardQueue(job) }));
  return {
    isUp: driver.health.isUp,
    ping: () => withDeadline(driver.health.whenUp().then(driver.ping), timeoutMs, 'A ping of the queue'),
    queues: () => queues.map(({ job, current }) => ({ job, queue: current() })),
    close: async () => {
      driver.abandon();
      driver.health.close();
      const closing = Promise.all(queues.map(({ close }) => close()));
      await withDeadline(closing, timeoutMs, 'Closing the queue').catch(driver.health.warn);
      await driver.close();
    },
  };
}
