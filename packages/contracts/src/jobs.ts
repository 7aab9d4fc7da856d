import { z } from 'zod';

/** A lost or duplicate job costs time, never an event. Producer and consumer parse the payloads. */
export const jobs = {
  deliver: {
    payload: z.object({
      /** New deliveries with their leases, encrypted with the first SECRETS_KEY (`HandOff` in core). */
      hand_offs: z.array(z.string()),
      /** Endpoints with deliveries that may be due. */
      endpoints: z.array(z.object({ id: z.string().min(1), account_id: z.string().min(1) })),
    }),
  },
  'connection.sync': { payload: z.object({ run_id: z.string().min(1) }) },
  /** Scheduled maintenance (future partitions, expired rows, time-based endpoint health). */
  'maintenance.run': { payload: z.object({ task: z.string().min(1) }) },
} as const;

export type JobName = keyof typeof jobs;

export function jobNames(): JobName[] {
  return Object.keys(jobs) as JobName[];
}
export type JobPayload<N extends JobName> = z.output<(typeof jobs)[N]['payload']>;
