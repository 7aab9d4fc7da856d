import { type JobName, jobNames } from '@finhook/contracts';
import type { Logger } from '@finhook/runtime';
import type { BoardQueue } from './driver.ts';
import { openQueueDriver } from './open-driver.ts';
import { withDeadline } from './with-deadline.ts';

/** The queues themselves, for somebody who looks at their jobs. */
export interface QueueBoard {
  /** Whether the backend answered last. */
  readonly isUp: () => boolean;
  /** One round trip within a second; rejects when the backend is away. */
  readonly ping: () => Promise<void>;
  /** The queues as they are open now: a queue that could not get ready is replaced by another. */
  readonly queues: () => readonly { readonly job: JobName; readonly queue: BoardQueue }[];
  readonly close: () => Promise<void>;
}

const boundMs = 1_000;

/** Connects to the queue's backend with connections of its own, whose commands fail at once while it is away. */
export function openQueueBoard(queueUrl: string, options: { readonly logger: Logger }): QueueBoard {
  const driver = openQueueDriver(queueUrl, 'producer', options.logger);
  const kept = jobNames().map((job) => ({ job, ...driver.openBoardQueue(job) }));
  return {
    isUp: driver.health.isUp,
    ping: () => withDeadline(driver.health.whenUp().then(driver.ping), boundMs, 'A ping of the queue'),
    queues: () => kept.map(({ job, current }) => ({ job, queue: current() })),
    close: async () => {
      driver.abandon();
      driver.health.close();
      const closing = Promise.all(kept.map(({ close }) => close()));
      await withDeadline(closing, boundMs, 'Closing the queue').catch(driver.health.trouble);
      await driver.close();
    },
  };
}
