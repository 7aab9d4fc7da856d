import type { JobToAdd } from './driver.ts';

export interface JobSchedules {
  /** Adds the job now and every `everyMs`. */
  readonly start: (everyMs: number, id: string, data: unknown, add: (job: JobToAdd) => Promise<void>) => void;
  readonly stop: () => void;
}

/**
 * Every process adds the job in each period and the backend drops all but the first, so that nothing about a schedule
 * is stored and nothing has to be repaired when the backend loses its data.
 */
export function createJobSchedules(): JobSchedules {
  const timers = new Set<NodeJS.Timeout>();
  return {
    start: (everyMs, id, data, add) => {
      // A tenth of the period is left for timers that are not exact.
      const deduplication = { id: `schedule-${id}`, ttl: Math.floor(everyMs * 0.9) };
      const tick = () => void add({ name: id, data, opts: { deduplication } });
      tick();
      timers.add(setInterval(tick, everyMs).unref());
    },
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
