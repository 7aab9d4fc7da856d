import { z } from 'zod';
import { endpointStatus } from '../records/webhook-endpoint.ts';
import { id, timestamp } from '../scalars.ts';
import { defineEvent } from './define-event.ts';
import { at, sampleId } from './samples.ts';

const failing = z.object({
  object: z.literal('webhook_endpoint'),
  id: id('we'),
  url: z.string().meta({ description: 'Without its query string' }),
  status: endpointStatus,
  events: z.array(z.string()),
  consecutive_failures: z.int(),
  first_failed_at: timestamp,
  last_failed_at: timestamp,
  last_status_code: z.int().optional(),
  last_error: z.string(),
  last_event_id: id('evt'),
  next_attempt_at: timestamp.optional(),
  will_disable_at: timestamp,
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
