import { z } from 'zod';
import { timestamp } from '../scalars.ts';

const counts = {
  succeeded: z.int(),
  failed: z.int().meta({ description: 'Given up' }),
  retrying: z.int().meta({ description: 'Tried at least once, and to be tried again' }),
  waiting: z.int().meta({ description: 'Not tried yet' }),
  cancelled: z.int(),
};
const latency = (share: number) =>
  z
    .int()
    .nullable()
    .meta({ description: `${share} % of what arrived took no longer, from its creation on; null when nothing did` });
const latencies = { latency_p50_ms: latency(50), latency_p95_ms: latency(95) };

/** What became of the deliveries that were made in the last 24 hours, whole and by the hour. */
export const deliveryHealth = z
  .object({
    object: z.literal('delivery_health'),
    as_of: timestamp,
    counted_from: timestamp
      .nullable()
      .meta({ description: 'null: all of the 24 hours; else there are too many, and only the newest are counted' }),
    ...counts,
    ...latencies,
    hours: z.array(z.object({ from: timestamp, ...counts, ...latencies })).meta({
      description: 'By the hour (UTC) they were made in, oldest first; hours without deliveries are left out',
    }),
  })
  .meta({ id: 'DeliveryHealth' });
export type DeliveryHealth = z.output<typeof deliveryHealth>;
