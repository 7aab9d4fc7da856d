import { z } from 'zod';
import { id, identity, objectType, timestamp, timestamps } from '../scalars.ts';
import { payloadForm } from './webhook-endpoint.ts';

export const deliveryStatus = z.enum(['pending', 'succeeded', 'retrying', 'failed', 'cancelled']);

/** Null for a phase that was not needed, not reached, or done by an earlier attempt. */
const milliseconds = z.int().nullable();

export const attemptTimings = z
  .object({
    dns_ms: milliseconds.describe('Milliseconds for the DNS lookup; null if none was needed or it was not reached.'),
    connect_ms: milliseconds.describe(
      'Milliseconds to establish the TCP connection; null if an open one was reused or it was not reached.',
    ),
    tls_ms: milliseconds.describe('Milliseconds for the TLS handshake; null if there was none or it was not reached.'),
    first_byte_ms: milliseconds.describe(
      'Milliseconds from the start of the request to the status line of the response; null if there was no response.',
    ),
    total_ms: z.int().describe('Milliseconds in all, including the wait for a free connection.'),
  })
  .meta({ id: 'AttemptTimings', description: 'Duration of each phase of an attempt.' });

const headers = z.record(z.string(), z.string()).nullable();

export const deliveryAttempt = z
  .object({
    n: z.int().describe('Number of the attempt, from 1.'),
    at: timestamp.describe('When the attempt began (UTC).'),
    trigger: z
      .enum(['automatic', 'manual', 'test', 'replay'])
      .describe('What caused the attempt: the schedule (`automatic`), a manual retry, a test send or a replay.'),
    status_code: z
      .int()
      .nullable()
      .describe(
        'HTTP status of the response; null if there was none. With an `error` that is no status, the rest of the response was late, cut off or invalid.',
      ),
    error: z.string().nullable().describe('Error class such as `timeout`, or `http_<status>`; null on success.'),
    error_message: z.string().nullable().describe('Explanation of the failure; null on success.'),
    error_code: z
      .string()
      .nullable()
      .describe(
        'Cause of the failure within its class, such as `ENOTFOUND` or `CERT_HAS_EXPIRED`; null if there is none or it was not recorded.',
      ),
    hint: z.string().nullable().describe('What to do about the failure, in one sentence; null on success.'),
    duration_ms: z.int().describe('Milliseconds that the attempt took.'),
    url: z.string().nullable().describe('URL that the attempt was sent to; null if it was not recorded or is purged.'),
    remote_address: z
      .string()
      .nullable()
      .describe('IP address that the attempt was sent to; null if none was resolved or it is purged.'),
    connection_reused: z
      .boolean()
      .nullable()
      .describe('True if an open connection was reused; null if none was established.'),
    timings: attemptTimings.describe('Duration of each phase.'),
    request_headers: headers.describe(
      'Headers as they were sent; values of headers configured on the endpoint are masked. Null if not recorded or purged.',
    ),
    response_headers: headers.describe(
      'Headers of the response, redacted: at most 32 of a failure and without cookies, the request IDs of a success. Null if not recorded or purged.',
    ),
    response_snippet: z
      .string()
      .nullable()
      .describe('Start of the response body, at most 4 KiB, redacted; null if there was none or it is purged.'),
    response_truncated: z
      .boolean()
      .nullable()
      .describe(
        'True if the connection ended before the body of the response did, which changes nothing about the outcome: the status decides. Null if it was not recorded.',
      ),
    evidence_purged_at: timestamp
      .nullable()
      .describe('When headers, body and address were deleted (UTC); null while they are kept.'),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One HTTP request that tried to deliver an event.' });

export const delivery = z
  .object({
    ...identity('dlv', 'delivery'),
    event_id: id('evt'),
    event_type: z.string().describe('Type of the event, for example `bank.balance.updated`.'),
    endpoint_id: id('we'),
    company_id: id('co')
      .nullable()
      .describe('ID of the company the event belongs to (`co_…`); null for account-level events.'),
    replay_id: id('rpl')
      .nullable()
      .describe('ID of the replay that created the delivery (`rpl_…`); null if the event itself did.'),
    payload: payloadForm.describe(
      'Form in which the event is sent: that of the endpoint when the delivery was created. It never changes.',
    ),
    status: deliveryStatus.describe(
      '`pending` before the first attempt, `retrying` between attempts, then `succeeded`, `failed` or `cancelled`.',
    ),
    attempt_count: z.int().describe('Number of attempts so far.'),
    next_attempt_at: timestamp.nullable().describe('When the next attempt is due (UTC); null if none is scheduled.'),
    last_status_code: z
      .int()
      .nullable()
      .describe('HTTP status of the last attempt; null if it got no response or there was no attempt.'),
    last_error: z
      .string()
      .nullable()
      .describe('Error class of the last attempt; null on success and before the first.'),
    ...timestamps,
  })
  .meta({ id: 'Delivery', description: 'The delivery of one event to one endpoint.' });
export type Delivery = z.output<typeof delivery>;

export const listedDelivery = delivery
  .extend({
    reason: z
      .string()
      .nullable()
      .describe(
        'Why the event is not delivered yet, or never will be, as text for people; null once it succeeded or was cancelled.',
      ),
    waiting_for: z
      .enum(['endpoint_paused', 'endpoint_disabled', 'endpoint_unreachable', 'retry_after', 'earlier_event'])
      .nullable()
      .describe(
        'What holds the delivery back beside its schedule: the endpoint is paused, disabled or unreachable, asked for a delay (`retry_after`), or takes events in order and an earlier one failed. Null if nothing does.',
      ),
    last_duration_ms: z.int().nullable().describe('Milliseconds that the last attempt took; null before the first.'),
    immediate_retry_count: z
      .int()
      .describe(
        'Attempts that were repeated at once, outside the schedule, because the connection failed. `attempt_count` includes the repetitions.',
      ),
    endpoint_status: z
      .enum(['active', 'paused', 'disabled', 'deleted'])
      .nullable()
      .describe('Status of the endpoint now: only an active one can get a retry. Null if it is unknown.'),
  })
  .meta({ id: 'ListedDelivery', description: 'A delivery as lists return it.' });
export type ListedDelivery = z.output<typeof listedDelivery>;

export const deliveryWithAttempts = listedDelivery
  .extend({ attempts: z.array(deliveryAttempt).describe('The attempts, in order.') })
  .meta({ id: 'DeliveryWithAttempts', description: 'A delivery with all its attempts.' });

export const attemptCurl = z
  .object({
    object: objectType('attempt_curl'),
    delivery_id: id('dlv'),
    attempt: z.int().describe('Number of the attempt.'),
    command: z.string().describe('Command for a POSIX shell. Its signature is the one that was sent.'),
    masked_headers: z.array(z.string()).describe('Names of the headers whose masked value you have to fill in.'),
  })
  .meta({ id: 'AttemptCurl', description: 'A shell command that repeats one delivery attempt.' });

const deliveriesIn = (which: string) => z.int().describe(`Deliveries created in this hour that ${which}.`);

export const deliveryCounts = z
  .object({
    object: objectType('delivery_counts'),
    from: timestamp.describe('Start of the time that was asked for (UTC).'),
    to: timestamp.describe('End of that time, exclusive (UTC).'),
    counted_from: timestamp.describe(
      'Deliveries created from this time on are counted (UTC): `from`, or later if there are too many to count.',
    ),
    hours: z
      .array(
        z
          .object({
            hour: timestamp.describe('Start of the hour (UTC).'),
            succeeded: deliveriesIn('succeeded'),
            failed: deliveriesIn('failed permanently'),
            waiting: deliveriesIn('wait for their first or next attempt: `pending` or `retrying`'),
            cancelled: deliveriesIn('were cancelled'),
          })
          .meta({ id: 'DeliveryHour', description: 'Deliveries of one hour by how they went.' }),
      )
      .describe('Every hour from `counted_from` to `to`, the earliest first, also those without deliveries.'),
  })
  .meta({ id: 'DeliveryCounts', description: 'Deliveries per hour by how they went.' });
export type DeliveryCounts = z.output<typeof deliveryCounts>;
