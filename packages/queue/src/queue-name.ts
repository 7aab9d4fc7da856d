import type { JobName } from '@finhook/contracts';

/** The braces keep all keys of a queue in one slot of a Redis Cluster. Unused on PostgreSQL. */
export const queueKeyPrefix = '{finhook}';

/** Name of the BullMQ queue that holds jobs of this kind. It never contains a colon. */
export function queueName(job: JobName): string {
  return `finhook-${job.replaceAll('.', '-')}`;
}
