import { z } from 'zod';
import { id, timestamp } from '../scalars.ts';
import { actor } from './api-key.ts';

export const replayStatus = z.enum(['running', 'paused', 'completed', 'cancelled', 'failed']);
export type ReplayStatus = z.output<typeof replayStatus>;

/** Which events of those that the endpoint subscribes to. */
export const replaySelection = z.enum(['missing', 'failed', 'all']).meta({
  description:
    '`missing`: what it never got, whether it was given up or never sent. `failed`: what was sent and given up. ' +
    '`all`: also what it got already. What is under way is never sent twice.',
});
export type ReplaySelection = z.output<typeof replaySelection>;

export const replayWait = z.enum([
  'endpoint_paused',
  'endpoint_disabled',
  'endpoint_failing',
  'fresh_events',
  'open_transactions',
]);
export type ReplayWait = z.output<typeof replayWait>;

/** How far a count goes. */
export const maxCountedMatches = 100_000;
const counted = `counted up to ${maxCountedMatches}, which means as many or more`;

const selection = {
  endpoint_id: id('we'),
  only: replaySelection,
  since: timestamp,
  until: timestamp.nullable().meta({ description: 'null: up to the moment when it was asked for' }),
  types: z.array(z.string()).nullable(),
  company_id: id('co').nullable(),
};

/** A replay: events of the past that are sent to an endpoint in the background. */
export const replay = z
  .object({
    id: id('rpl'),
    object: z.literal('replay'),
    account_id: id('acct'),
    kind: z.enum(['replay', 'recover']),
    status: replayStatus,
    ...selection,
    matched: z.int().meta({
      description: `Events to be sent, ${counted}; once all were looked at, how many were sent`,
    }),
    enqueued: z
      .int()
      .meta({ description: 'Deliveries made so far; open, delivered, failed and cancelled add up to it' }),
    open: z.int().meta({ description: 'Deliveries that have not ended: under way, or waiting for another attempt' }),
    delivered: z.int(),
    failed: z.int(),
    cancelled: z.int(),
    waiting_for: replayWait
      .nullable()
      .meta({ description: 'Why a running replay hands over nothing at the moment; null when nothing holds it back' }),
    error: z.object({ code: z.enum(['endpoint_deleted']), message: z.string() }).nullable(),
    created_by: actor,
    finished_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Replay' });
export type Replay = z.output<typeof replay>;

/** What a replay would send: the answer to a dry run, which stores nothing. */
export const replayEstimate = z
  .object({
    object: z.literal('replay_estimate'),
    ...selection,
    matched: z.int().meta({ description: `Events that would be sent, ${counted}` }),
  })
  .meta({ id: 'ReplayEstimate' });
