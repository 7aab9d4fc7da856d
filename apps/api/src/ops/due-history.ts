import { type Clock, type DueWork, repeat } from '@finhook/core';

export interface DueSample extends Pick<DueWork, 'due' | 'oldestDueAgeSeconds'> {
  readonly at: Date;
}

interface DueHistoryOptions {
  readonly read: () => Promise<DueWork | undefined>;
  readonly clock: Clock;
  readonly everyMs?: number | undefined;
}

export interface DueHistory {
  /** The samples of the last hour, the oldest first; none of a time when the database did not respond. */
  readonly samples: () => readonly DueSample[];
  readonly close: () => Promise<void>;
}

export const historyMs = 60 * 60 * 1000;
export const sampleMs = 60 * 1000;

/** Samples due deliveries regularly, because nobody may have had the console open when the trouble began. */
export function recordDueHistory({ read, clock, everyMs = sampleMs }: DueHistoryOptions): DueHistory {
  let samples: DueSample[] = [];
  let hasStarted = false;
  const sample = async (): Promise<number> => {
    // The start of a process is busy enough, and there is nothing to draw before the second sample.
    const work = hasStarted ? await read() : undefined;
    hasStarted = true;
    const at = clock.now();
    if (work !== undefined) samples.push({ at, due: work.due, oldestDueAgeSeconds: work.oldestDueAgeSeconds });
    samples = samples.filter((one) => at.getTime() - one.at.getTime() <= historyMs);
    return everyMs;
  };
  const sampling = repeat(sample, { unref: true });
  return { samples: () => samples, close: () => sampling.close() };
}
