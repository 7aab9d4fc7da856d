import { z } from 'zod';
import { coded, id, openRecord, optional, secret, timestamp, withCaselessKeys } from '../scalars.ts';

const MAX_HEADERS = 20;
const MAX_BYTES = 8_192;
const MAX_VALUE = 1_000;

// RFC 9110: a token (5.6.2), and a field value without obsolete bytes (5.5).
const namePattern = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const valuePattern = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/;

const reserved = new RegExp(
  `^(${[
    'host|date|via|te|trailer|upgrade|expect|connection|keep-alive|transfer-encoding|accept-encoding|http2-settings',
    'cookie|set-cookie|user-agent|forwarded|traceparent|tracestate|__proto__|content-.*|proxy-.*|webhook-.*|svix-.*|x-service-.*|x-forwarded-.*',
  ].join('|')})$`,
  'i',
);

const headerName = z
  .string()
  .refine(
    (name) => namePattern.test(name),
    coded('invalid_format', 'must be a header name of at most 64 characters (RFC 9110 token)'),
  )
  .refine(
    (name) => !reserved.test(name),
    coded('not_applicable', 'must not be a header that the service or the connection sets itself'),
  );

const headerValue = z
  .string()
  .refine(
    (value) => value.length <= MAX_VALUE && valuePattern.test(value),
    coded('invalid_format', `must be 1 to ${MAX_VALUE} characters of printable ASCII without space at its ends`),
  );

function byteLength(headers: Readonly<Record<string, string>>): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}

/** Often contain credentials. Names are stored in lower case. */
export const endpointHeaders = secret(
  withCaselessKeys(
    openRecord(headerName, headerValue, MAX_HEADERS, 'headers')
      .refine(
        (headers) =>
          new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
        coded('already_exists', 'must not name a header twice'),
      )
      .refine((headers) => byteLength(headers) <= MAX_BYTES, coded('too_long', `must have at most ${MAX_BYTES} bytes`)),
  ),
);

const rateLimit = z
  .object({
    requests: z.int().min(1).max(100_000).describe('Number of requests allowed per period.'),
    per_seconds: z.int().min(1).max(86_400).describe('Length of the period in seconds.'),
  })
  .meta({ id: 'RateLimit', description: 'A rate of requests over a period.' });
const maxConcurrency = z.int().min(1).max(64);

const describe = {
  rate_limit:
    'Maximum rate of requests over all workers, spread evenly: a burst is at most the requests of one second and one more. Null for no limit.',
  max_concurrency:
    'Maximum number of concurrent requests over all workers; null to adapt to how well the endpoint responds.',
  ordered:
    'True if events are sent one at a time in the order of the feed: each waits until the one before is delivered or given up.',
};

export const flowOptions = {
  rate_limit: optional(rateLimit).meta({ description: describe.rate_limit }),
  max_concurrency: optional(maxConcurrency).meta({ description: describe.max_concurrency }),
  ordered: optional(z.boolean()).meta({ description: describe.ordered }),
};

const breakerHealth = z
  .object({
    state: z
      .enum(['closed', 'open', 'half_open'])
      .describe(
        '`closed`: deliveries are sent. `open`: deliveries wait because the endpoint could not be reached. `half_open`: the next one is attempted, and closes the breaker if it arrives.',
      ),
    since: timestamp.nullable().describe('When the breaker last opened or closed (UTC); null if it never opened.'),
    next_probe_at: timestamp
      .nullable()
      .describe('When the next delivery is attempted while open (UTC); null otherwise.'),
    consecutive_failures: z.int().describe('Attempts in a row that got no response.'),
    wait_until: timestamp
      .nullable()
      .describe(
        'Time until which nothing is sent automatically, as requested with `Retry-After` (UTC); null if none was.',
      ),
    paced_to: z
      .number()
      .nullable()
      .describe('Requests per second to which the service slowed down after 429, 502, 503 or 504; null if it did not.'),
  })
  .meta({ id: 'EndpointHealth', description: 'State of the circuit breaker that protects an endpoint.' });

const blockedBy = z
  .object({
    delivery_id: id('dlv'),
    since: timestamp.describe('When the blocking delivery was first attempted (UTC).'),
    attempts: z.int().describe('Number of its attempts so far.'),
  })
  .meta({ id: 'BlockedBy', description: 'The delivery that holds up an ordered endpoint.' });
export type BlockedBy = z.output<typeof blockedBy>;

export const flowFields = {
  rate_limit: rateLimit.nullable().meta({ description: describe.rate_limit }),
  max_concurrency: maxConcurrency.nullable().meta({ description: describe.max_concurrency }),
  ordered: z.boolean().meta({ description: describe.ordered }),
  blocked_by: blockedBy
    .nullable()
    .meta({ description: 'Failed delivery that all others of an `ordered` endpoint wait for; null if there is none.' }),
  health: breakerHealth.describe('State of the circuit breaker.'),
};
