import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { listOf, pageParameters, timeFilters, writeResult } from '../records/list.ts';
import { replay, replayEstimate, replaySelection, replayStatus } from '../records/replay.ts';
import { exactInput, idParameter, instant, optional, text } from '../scalars.ts';

const replayResult = writeResult(replay);

export const endpointReplayOperations = {
  recover: defineOperation({
    summary: 'Resend the failed deliveries of an endpoint',
    description:
      'Starts a replay in the background of the events since `since` whose delivery to the endpoint failed permanently, and returns the replay. An endpoint has at most ten replays that are running or paused (409 `limit_reached`). Unknown body fields are rejected.',
    http: { method: 'POST', path: '/webhook-endpoints/{endpoint_id}/recover', success: 202 },
    permission: 'webhooks:write',
    input: exactInput(
      { endpoint_id: idParameter },
      { since: instant.describe('Only events created at or after this time. It cannot be in the future.') },
    ),
    output: replayResult,
    errors: ['limit_reached'],
    example: { since: '2026-01-01T00:00:00Z' },
  }),
  replay: defineOperation({
    summary: 'Replay past events to an endpoint',
    description:
      'Starts a replay in the background and returns it. It selects events by time, type and company, within what the endpoint subscribes to today, and by default sends those that the endpoint never received. With `dry_run` nothing is sent and the response is 200 with the number of matching events. An endpoint has at most ten replays that are running or paused (409 `limit_reached`). Unknown body fields are rejected.',
    http: {
      method: 'POST',
      path: '/webhook-endpoints/{endpoint_id}/replay',
      success: 202,
      status: (output: { readonly object: string }) => (output.object === 'replay' ? 202 : 200),
    },
    permission: 'webhooks:write',
    input: exactInput(
      { endpoint_id: idParameter },
      {
        since: instant.describe('Only events created at or after this time. It cannot be in the future.'),
        until: optional(instant).describe('Only events created before this time. The default is now.'),
        types: optional(z.array(text(1, 100)).min(1).max(200)).describe(
          'Only events of these types. By default all that the endpoint subscribes to.',
        ),
        company_id: optional(idParameter).describe('Only events of this company.'),
        only: optional(replaySelection).describe(
          `Which events to send: \`missing\`, the default, those that the endpoint never received; \`failed\`, those whose delivery failed permanently; \`all\`, also those that it received.`,
        ),
        dry_run: optional(z.boolean()).describe('`true` only counts the events and sends nothing.'),
      },
    ),
    output: z.discriminatedUnion('object', [replayResult, writeResult(replayEstimate)]).meta({
      id: 'ReplayOrEstimate',
      description: 'The started replay, or with `dry_run` the number of events that it would send.',
    }),
    errors: ['limit_reached'],
    example: { since: '2026-01-01T00:00:00Z', types: ['bank.balance.updated'] },
  }),
};

function move(verb: 'pause' | 'resume' | 'cancel', summary: string, description: string) {
  return defineOperation({
    summary,
    description,
    http: { method: 'POST', path: `/replays/{replay_id}/${verb}` },
    permission: 'webhooks:write',
    input: z.object({ replay_id: idParameter }),
    output: replayResult,
    errors: ['invalid_state_transition'],
  });
}

export const replayOperations = {
  list: defineOperation({
    summary: 'List replays, newest first',
    description: 'Includes replays that were started by `recover`, and those that have ended.',
    http: { method: 'GET', path: '/replays' },
    input: z.object({
      ...pageParameters,
      endpoint_id: idParameter.optional().describe('Only replays to this webhook endpoint.'),
      status: replayStatus.optional().describe('Only replays with this status.'),
      ...timeFilters,
    }),
    output: listOf(replay),
    errors: ['not_found'],
  }),
  get: defineOperation({
    summary: 'Read a replay and how far it is',
    description: 'The counts show the progress. `waiting_for` says why a running replay sends nothing at the moment.',
    http: { method: 'GET', path: '/replays/{replay_id}' },
    input: z.object({ replay_id: idParameter }),
    output: replay,
  }),
  pause: move(
    'pause',
    'Pause a replay',
    'No further deliveries are created; those that exist continue. A repeat changes nothing, and a replay that has ended is 409 `invalid_state_transition`.',
  ),
  resume: move(
    'resume',
    'Resume a paused replay',
    'The replay continues where it stopped. A repeat changes nothing, and a replay that has ended is 409 `invalid_state_transition`.',
  ),
  cancel: move(
    'cancel',
    'Cancel a replay',
    'Its deliveries that have not ended are cancelled; one that is being attempted at that moment may still arrive. A repeat changes nothing.',
  ),
};
