import { z } from 'zod';
import { endpointStatus } from '../records/webhook-endpoint.ts';
import { createdAt, id, objectType, sampleId, timestamp } from '../scalars.ts';
import { at, defineEvent } from './define-event.ts';

const endpointFields = {
  object: objectType('webhook_endpoint'),
  id: id('we'),
  url: z.string().describe('URL of the endpoint, without its query string.'),
  status: endpointStatus.describe('`active`, `paused` or `disabled`.'),
};

const failureFields = {
  consecutive_failures: z.int().describe('Failed attempts since the last success.'),
  last_error: z.string().describe('Explanation of the last failure.'),
};

const failing = z.object({
  ...endpointFields,
  events: z.array(z.string()).describe('Event types that the endpoint receives; an empty list means all.'),
  ...failureFields,
  first_failed_at: timestamp.describe('When the first of the consecutive failures happened (UTC).'),
  last_failed_at: timestamp.describe('When the last failure happened (UTC).'),
  last_status_code: z.int().optional().describe('HTTP status of the last attempt; absent if there was no response.'),
  last_event_id: id('evt').describe('ID of the event of the last failed attempt (`evt_…`).'),
  next_attempt_at: timestamp
    .optional()
    .describe('When that event is tried again (UTC); absent if it is not tried again.'),
  will_disable_at: timestamp.describe('When the endpoint is disabled if no attempt succeeds before (UTC).'),
});

export const webhookHygieneEvents = {
  'webhook_endpoint.failing': defineEvent({
    group: 'Webhook hygiene',
    description: 'An endpoint has had repeated delivery failures. Sent to the other endpoints of the account.',
    data: failing,
    thin: ['object', 'id', 'status', 'consecutive_failures', 'last_event_id'],
    sample: {
      object: 'webhook_endpoint',
      id: sampleId('we'),
      url: 'https://example.com/webhooks',
      status: 'active',
      events: [],
      consecutive_failures: 5,
      first_failed_at: '2026-03-02T08:00:00.000Z',
      last_failed_at: at,
      last_status_code: 500,
      last_error: 'The receiver answered 500.',
      last_event_id: sampleId('evt'),
      next_attempt_at: '2026-03-02T11:30:00.000Z',
      will_disable_at: '2026-03-07T08:00:00.000Z',
    },
  }),
};

const group = 'Operational' as const;

const sampleEndpoint = {
  object: 'webhook_endpoint' as const,
  id: sampleId('we'),
  url: 'https://example.com/webhooks',
};

const disabled = z.object({
  ...endpointFields,
  disabled_reason: z
    .enum(['gone', 'failing'])
    .meta({ description: '`gone` if the endpoint returned 410, `failing` after five days without a 2xx status.' }),
  disabled_at: timestamp.describe('When the endpoint was disabled (UTC).'),
  ...failureFields,
  first_failed_at: timestamp
    .nullable()
    .describe('When the first of the consecutive failures happened (UTC); null if unknown.'),
  last_failed_at: timestamp.nullable().describe('When the last failure happened (UTC); null if unknown.'),
  last_status_code: z.int().nullable().describe('HTTP status of the last attempt; null if there was no response.'),
  last_event_id: id('evt')
    .nullable()
    .describe('ID of the event of the last failed attempt (`evt_…`); null if unknown.'),
  waiting: z.int().describe('Deliveries that wait until the endpoint is active again; 1000 means as many or more.'),
});

const recovered = z.object({
  ...endpointFields,
  failing_since: timestamp.describe('When the first of the consecutive failures happened (UTC).'),
  recovered_at: timestamp.describe('When an attempt succeeded again (UTC).'),
  failed_attempts: z.int().describe('Failed attempts in between.'),
});

const backlog = z.object({
  ...endpointFields,
  oldest_due_at: timestamp.describe('When the oldest waiting delivery was due (UTC).'),
  oldest_event_id: id('evt').describe('ID of the event of that delivery (`evt_…`).'),
  age_seconds: z.int().describe('Seconds since `oldest_due_at`.'),
  threshold_seconds: z.int().describe('Age in seconds from which a backlog is reported.'),
  waiting: z.int().describe('Deliveries that are due; 1000 means as many or more.'),
});

const exhausted = z.object({
  object: objectType('delivery'),
  id: id('dlv'),
  event_id: id('evt'),
  event_type: z.string().describe('Type of the event, for example `bank.balance.updated`.'),
  endpoint_id: id('we'),
  company_id: id('co')
    .nullable()
    .describe('ID of the company the event belongs to (`co_…`); null for account-level events.'),
  status: z.literal('failed').describe('Always `failed`.'),
  attempt_count: z.int().describe('Number of attempts that were made.'),
  last_status_code: z.int().nullable().describe('HTTP status of the last attempt; null if there was no response.'),
  last_error: z.string().describe('Error class of the last attempt, or `http_<status>`.'),
  created_at: createdAt,
  exhausted_at: timestamp.describe('When the delivery was given up (UTC).'),
});

/** Endpoints receive these only if `events` lists them or `operational` is true, and never those about themselves. */
export const deliveryEvents = {
  'webhook_endpoint.disabled': defineEvent({
    group,
    description:
      'The service disabled an endpoint that returned 410 or failed for five days. Its deliveries are on hold.',
    data: disabled,
    thin: ['object', 'id', 'status', 'consecutive_failures', 'last_event_id', 'waiting'],
    sample: {
      ...sampleEndpoint,
      status: 'disabled',
      disabled_reason: 'failing',
      disabled_at: at,
      consecutive_failures: 31,
      first_failed_at: '2026-02-25T08:00:00.000Z',
      last_failed_at: at,
      last_status_code: 500,
      last_error: 'The endpoint returned 500 instead of a 2xx status.',
      last_event_id: sampleId('evt'),
      waiting: 12,
    },
  }),
  'webhook_endpoint.recovered': defineEvent({
    group,
    description: 'An endpoint that was reported as failing returned a 2xx status again.',
    data: recovered,
    thin: ['object', 'id', 'status', 'failed_attempts'],
    sample: {
      ...sampleEndpoint,
      status: 'active',
      failing_since: '2026-03-02T08:00:00.000Z',
      recovered_at: at,
      failed_attempts: 7,
    },
  }),
  'delivery.exhausted': defineEvent({
    group,
    description: 'A delivery failed permanently after its last attempt. It can be retried manually.',
    data: exhausted,
    thin: ['object', 'id', 'company_id', 'event_id', 'endpoint_id', 'status', 'attempt_count'],
    sample: {
      object: 'delivery',
      id: sampleId('dlv'),
      event_id: sampleId('evt'),
      event_type: 'bank.balance.updated',
      endpoint_id: sampleId('we'),
      company_id: sampleId('co'),
      status: 'failed',
      attempt_count: 10,
      last_status_code: 500,
      last_error: 'http_500',
      created_at: '2026-02-27T06:00:00.000Z',
      exhausted_at: at,
    },
  }),
  'webhook_endpoint.backlog': defineEvent({
    group,
    description: 'The oldest due delivery of an active endpoint has waited too long. Emitted once per episode.',
    data: backlog,
    thin: ['object', 'id', 'status', 'oldest_event_id', 'waiting'],
    sample: {
      ...sampleEndpoint,
      status: 'active',
      oldest_due_at: '2026-03-02T09:10:00.000Z',
      oldest_event_id: sampleId('evt'),
      age_seconds: 1200,
      threshold_seconds: 900,
      waiting: 340,
    },
  }),
};
