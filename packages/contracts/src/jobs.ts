import { z } from 'zod';

/**
 * The job catalogue. Jobs are wake-ups: their payloads carry ids only, so that a lost, doubled or flushed
 * job costs time and never an event. Payloads are parsed by the producer and by the consumer.
 */
export const jobs = {
  /** "This endpoint has something due": the worker claims the due deliveries from PostgreSQL. */
  'endpoint.deliver': { payload: z.object({ endpoint_id: z.string().min(1) }) },
  /** "This sync run is to be worked on": the worker claims it in PostgreSQL and goes on where it stopped. */
  'connection.sync': { payload: z.object({ run_id: z.string().min(1) }) },
  /** Housekeeping that is due on a schedule (partitions ahead, expired rows, time-based endpoint health). */
  'maintenance.run': { payload: z.object({ task: z.string().min(1) }) },
} as const;

export type JobName = keyof typeof jobs;

/** The names of the jobs, in the order of the catalogue. */
export function jobNames(): JobName[] {
  // The catalogue's own keys.
  return Object.keys(jobs) as JobName[];
}
export type JobPayload<N extends JobName> = z.output<(typeof jobs)[N]['payload']>;
