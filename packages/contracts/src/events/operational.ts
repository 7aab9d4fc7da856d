import { z } from 'zod';
import { endpointStatus } from '../records/webhook-endpoint.ts';
import { id, timestamp } from '../scalars.ts';
import { defineEvent } from './define-event.ts';
import { at, sampleId } from './samples.ts';

const group = 'Operational' as const;

const endpoint = {
  object: z.literal('webhook_endpoint'),
  id: id('we'),
  url: z.string().meta({ description: 'Without its query string' }),
  status: endpointStatus,
};
const sampleEndpoint = {
  object: 'webhook_endpoint' as const,
  id: sampleId('we'),
  url: 'https://example.com/webhooks',
};

const disabled = z.object({
  ...endpoint,
  disabled_reason: z
    .enum(['gone', 'failing'])
    .meta({ description: 'gone: it answered 410; failing: five days without a 2xx' }),
  disabled_at: timestamp,
  consecutive_failures: z.int(),
  first_failed_at: timestamp.nullable(),
  last_failed_at: timestamp.nullable(),
  last_status_code: z.int().nullable(),
  last_error: z.string(),
  last_event_id: id('evt').nullable(),
  waiting: z.int().meta({ description: 'Deliveries that wait until it is active again; 1000 stands for more' }),
});

const recovered = z.object({
  ...endpoint,
  failing_since: timestamp,
  recovered_at: timestamp,
  failed_attempts: z.int(),
});

const backlog = z.object({
  ...endpoint,
  oldest_due_at: timestamp,
  oldest_event_id: id('evt'),
  age_seconds: z.int(),
  threshold_seconds: z.int(),
  waiting: z.int().meta({ description: 'Deliveries that are due; 1000 stands for more' }),
});

const exhausted = z.object({
  object: z.literal('delivery'),
  id: id('dlv'),
  event_id: id('evt'),
  event_type: z.string(),
  endpoint_id: id('we'),
  company_id: id('co').nullable(),
  status: z.literal('failed'),
  attempt_count: z.int(),
  last_status_code: z.int().nullable(),
  last_error: z.string().meta({ description: 'Error class of the last attempt, or http_<status>' }),
  created_at: timestamp,
  exhausted_at: timestamp,
});

/**
 * Events about the delivery of events: additions to the interface's catalogue. An endpoint gets them only when it names
 * them in `events` or has `operational: true`, and never those about itself.
 */
export const operationalEvents = {
  'webhook_endpoint.disabled': defineEvent({
    group,
    description: 'The service disabled an endpoint: it answered 410, or failed for too long. Its deliveries wait.',
    data: disabled,
    sample: {
      ...sampleEndpoint,
      status: 'disabled',
      disabled_reason: 'failing',
      disabled_at: at,
      consecutive_failures: 31,
      first_failed_at: '2026-02-25T08:00:00.000Z',
      last_failed_at: at,
      last_status_code: 500,
      last_error: 'The endpoint answered 500 instead of a 2xx status.',
      last_event_id: sampleId('evt'),
      waiting: 12,
    },
  }),
  'webhook_endpoint.recovered': defineEvent({
    group,
    description: 'An endpoint that was reported as failing answered 2xx again.',
    data: recovered,
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
    description: 'A delivery was given up after its last attempt. It can be sent again by hand.',
    data: exhausted,
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
    description: 'The oldest delivery that is due to an active endpoint has waited for long. Told once per episode.',
    data: backlog,
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
