import type { BackendHealth } from './backend-health.ts';
import type { JobCounts, JobQueue, JobToAdd, JobWorker } from './driver.ts';

/** What Queue and Worker of BullMQ have in common for us, whatever their backend. */
interface Opened {
  on(event: 'error', listener: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<unknown>;
}

interface OpenedQueue extends Opened {
  addBulk(jobs: JobToAdd[]): Promise<unknown>;
  getJobCounts(...states: string[]): Promise<Record<string, number>>;
}

const retryMs = 500;

/** Wraps a BullMQ queue that is opened again when it failed to get ready, which BullMQ remembers for ever. */
export function wrapQueue(open: () => OpenedQueue, health: BackendHealth): JobQueue {
  const kept = keepOpen(open, health);
  return {
    addBulk: async (jobs) => {
      await kept.current().addBulk([...jobs]);
    },
    counts: async (): Promise<JobCounts> => {
      const counts = await kept.current().getJobCounts('waiting', 'prioritized', 'active', 'delayed');
      const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
      return { waiting: waiting + prioritized, active, delayed };
    },
    close: kept.close,
  };
}

/** The same for a worker. */
export function wrapWorker(open: () => Opened, health: BackendHealth): JobWorker {
  return { close: keepOpen(open, health).close };
}

/** Opens it again when it failed to get ready, until it is closed. */
export function keepOpen<T extends Opened>(
  open: () => T,
  health: BackendHealth,
): { current: () => T; close: () => Promise<void> } {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const start = (): T => {
    const opened = open();
    opened.on('error', health.trouble);
    opened.waitUntilReady().catch((error) => {
      if (closed) return;
      health.trouble(error);
      opened.close().catch(health.trouble);
      timer = setTimeout(() => {
        if (!closed) current = start();
      }, retryMs);
    });
    return opened;
  };
  let current = start();
  return {
    current: () => current,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await current.close();
    },
  };
}
