import { z } from 'zod';

/**
 * The job catalogue. Jobs are wake-ups: their payloads contain ids only, so a lost, duplicate or flushed job costs time
 * and never an event. Producer and consumer parse the payloads.
 */
export const jobs = {
  'endpoint.deliver': { payload: z.object({ endpoint_id: z.string().min(1) }) },
  'connection.sync': { payload: z.object({ run_id: z.string().min(1) }) },
  /** Scheduled maintenance (future partitions, expired rows, time-based endpoint health). */
  'maintenance.run': { payload: z.object({ task: z.string().min(1) }) },
} as const;

export type JobName = keyof typeof jobs;

export function jobNames(): JobName[] {
  // The catalogue's own keys.
  return Object.keys(jobs) as JobName[];
}
export type JobPayload<N extends JobName> = z.output<(typeof jobs)[N]['payload']>;
