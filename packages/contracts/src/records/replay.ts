import { z } from 'zod';
import { id, identity, objectType, timestamp, timestamps } from '../scalars.ts';
import { actor } from './api-key.ts';

export const replayStatus = z.enum(['running', 'paused', 'completed', 'cancelled', 'failed']);
export type ReplayStatus = z.output<typeof replayStatus>;

export const replaySelection = z.enum(['missing', 'failed', 'all']).meta({
  description:
    'Events that are selected: `missing` for those that were never delivered, `failed` for those whose deliveries were given up, ' +
    '`all` for those that were delivered as well. Deliveries in flight are never repeated.',
});

const replayWait = z.enum(['endpoint_paused', 'endpoint_disabled', 'endpoint_failing', 'fresh_events']);

export const maxCountedMatches = 100_000;

const selection = {
  endpoint_id: id('we'),
  only: replaySelection,
  since: timestamp.describe('Events created at or after this time (UTC) are selected.'),
  until: timestamp
    .nullable()
    .describe('Events created before this time (UTC) are selected; null for the time of the request.'),
  types: z.array(z.string()).nullable().describe('Event types that are selected; null for all types of the endpoint.'),
  company_id: id('co').nullable().describe('ID of the only company whose events are selected (`co_…`); null for all.'),
};

export const replay = z
  .object({
    ...identity('rpl', 'replay'),
    kind: z
      .enum(['replay', 'recover'])
      .describe('`recover` if it was started to resend failed deliveries, otherwise `replay`.'),
    status: replayStatus.describe('`running`, `paused`, or how it ended.'),
    ...selection,
    matched: z
      .int()
      .describe(
        'Number of events to send, counted up to 100 000, which means as many or more. Once all were examined, the number of events sent.',
      ),
    enqueued: z
      .int()
      .describe('Number of deliveries created so far: the sum of `open`, `delivered`, `failed` and `cancelled`.'),
    open: z.int().describe('Number of its deliveries that are in flight or wait for another attempt.'),
    delivered: z.int().describe('Number of its deliveries that succeeded.'),
    failed: z.int().describe('Number of its deliveries that were given up.'),
    cancelled: z.int().describe('Number of its deliveries that were cancelled.'),
    waiting_for: replayWait
      .nullable()
      .describe('Why a running replay sends nothing at the moment; null if nothing holds it back.'),
    error: z
      .object({
        code: z.enum(['endpoint_deleted']).describe('Stable error code.'),
        message: z.string().describe('Explanation for people; the wording may change.'),
      })
      .nullable()
      .describe('Why the replay failed; null unless it did.'),
    created_by: actor.describe('Who started the replay.'),
    finished_at: timestamp.nullable().describe('When the replay ended (UTC); null before.'),
    ...timestamps,
  })
  .meta({ id: 'Replay', description: 'A background job that sends past events to an endpoint.' });
export type Replay = z.output<typeof replay>;

export const replayEstimate = z
  .object({
    object: objectType('replay_estimate'),
    ...selection,
    matched: z
      .int()
      .describe('Number of events that would be sent, counted up to 100 000, which means as many or more.'),
  })
  .meta({
    id: 'ReplayEstimate',
    description: 'What a replay would send: the result of a dry run, which stores nothing.',
  });
