import { z } from 'zod';
import { endpointStatus } from '../records/webhook-endpoint.ts';
import { id, objectType, timestamp } from '../scalars.ts';
import { at, defineEvent, sampleId } from './define-event.ts';

export const endpointFields = {
  object: objectType('webhook_endpoint'),
  id: id('we'),
  url: z.string().describe('URL of the endpoint, without its query string.'),
  status: endpointStatus.describe('`active`, `paused` or `disabled`.'),
};

export const failureFields = {
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
