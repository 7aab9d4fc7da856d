import { z } from 'zod';
import { objectType, timestamp } from '../scalars.ts';

const counts = {
  succeeded: z.int().describe('Deliveries acknowledged with a 2xx status.'),
  failed: z.int().describe('Deliveries given up after the last attempt.'),
  retrying: z.int().describe('Deliveries attempted at least once that will be attempted again.'),
  waiting: z.int().describe('Deliveries not attempted yet.'),
  cancelled: z.int().describe('Deliveries that will not be attempted.'),
};
const latency = (share: number) =>
  z
    .int()
    .nullable()
    .meta({
      description: `Milliseconds from creation to acknowledgement within which ${share} % of the deliveries succeeded; null if none did.`,
    });
const latencies = { latency_p50_ms: latency(50), latency_p95_ms: latency(95) };

/** What became of the deliveries that were made in the last 24 hours, whole and by the hour. */
export const deliveryHealth = z
  .object({
    object: objectType('delivery_health'),
    as_of: timestamp.describe('When the figures were computed (UTC).'),
    counted_from: timestamp
      .nullable()
      .describe(
        'Start of the period that was counted (UTC), when the account has too many deliveries to look at all; null if the whole 24 hours were.',
      ),
    ...counts,
    ...latencies,
    hours: z
      .array(z.object({ from: timestamp.describe('Start of the hour (UTC).'), ...counts, ...latencies }))
      .describe(
        'The same figures by the hour in which the deliveries were created (UTC), oldest first. Hours without deliveries are left out.',
      ),
  })
  .meta({
    id: 'DeliveryHealth',
    description: 'Outcomes and latencies of the deliveries created in the last 24 hours.',
  });
export type DeliveryHealth = z.output<typeof deliveryHealth>;
