import { z } from 'zod';
import { id, optional, timestamp } from '../scalars.ts';

const rateLimit = z
  .object({ requests: z.int().min(1).max(100_000), per_seconds: z.int().min(1).max(86_400) })
  .meta({ id: 'RateLimit' });
const maxConcurrency = z.int().min(1).max(64);

const describe = {
  rate_limit:
    'Requests that it gets at most, over all workers, spread over the seconds: at once come what one second brings, and one more; null: no limit',
  max_concurrency: 'Requests to it under way at once, over all workers; null: as many as it answers well',
  ordered:
    'Whether events come one at a time in the order of the feed: each waits until the one before is delivered or finally failed',
};

/** What bounds the sends to an endpoint, as its owner says it. */
export const flowOptions = {
  rate_limit: optional(rateLimit).meta({ description: describe.rate_limit }),
  max_concurrency: optional(maxConcurrency).meta({ description: describe.max_concurrency }),
  ordered: optional(z.boolean()).meta({ description: describe.ordered }),
};

const breakerHealth = z
  .object({
    state: z.enum(['closed', 'open', 'half_open']).meta({
      description:
        'open: deliveries wait, because it could not be reached; half_open: the next one is tried, and closes it when it arrives',
    }),
    since: timestamp.nullable().meta({ description: 'When it last opened or closed; null when it never opened' }),
    next_probe_at: timestamp.nullable(),
    consecutive_failures: z.int().meta({ description: 'Attempts in a row that got no answer' }),
    wait_until: timestamp
      .nullable()
      .meta({ description: 'Nothing is sent by itself before: it asked so by Retry-After' }),
    paced_to: z.number().nullable().meta({
      description: 'Requests a second that it gets until it bears more, since it answered 429, 502, 503 or 504',
    }),
  })
  .meta({ id: 'EndpointHealth' });

const blockedBy = z
  .object({
    delivery_id: id('dlv'),
    since: timestamp.meta({ description: 'When it was tried first' }),
    attempts: z.int(),
  })
  .meta({ id: 'BlockedBy' });
export type BlockedBy = z.output<typeof blockedBy>;

/** The same in the endpoint's record, and how it stands. */
export const flowFields = {
  rate_limit: rateLimit.nullable().meta({ description: describe.rate_limit }),
  max_concurrency: maxConcurrency.nullable().meta({ description: describe.max_concurrency }),
  ordered: z.boolean().meta({ description: describe.ordered }),
  blocked_by: blockedBy
    .nullable()
    .meta({ description: 'With `ordered`: the failed delivery that all others wait for' }),
  health: breakerHealth,
};
