import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { listOf, pageParameters, timeFilters, warnings } from '../records/list.ts';
import { replay, replayEstimate, replaySelection, replayStatus } from '../records/replay.ts';
import { idParameter, instant, optional, text } from '../scalars.ts';

const written = replay.extend({ warnings: warnings.optional() });

/** Beginning a replay: operations of the endpoint that it sends to. */
export const endpointReplayOperations = {
  recover: defineOperation({
    id: 'webhookEndpoints.recover',
    kind: 'mutation',
    summary: 'Send again everything whose delivery to the endpoint was given up since a time',
    http: { method: 'POST', path: '/webhook-endpoints/{endpoint_id}/recover', success: 202 },
    scopes: ['human'],
    permission: 'webhooks:write',
    input: z.object({ endpoint_id: idParameter, since: instant }),
    output: written,
    errors: ['not_found', 'limit_reached'],
    emits: [],
    example: { since: '2026-01-01T00:00:00Z' },
  }),
  replay: defineOperation({
    id: 'webhookEndpoints.replay',
    kind: 'mutation',
    summary: 'Send what the endpoint never got, in the background; `dry_run: true` only counts it',
    http: {
      method: 'POST',
      path: '/webhook-endpoints/{endpoint_id}/replay',
      success: 202,
      status: (output: { readonly object: string }) => (output.object === 'replay' ? 202 : 200),
    },
    scopes: ['human'],
    permission: 'webhooks:write',
    input: z.object({
      endpoint_id: idParameter,
      since: instant,
      until: optional(instant),
      types: optional(z.array(text(1, 100)).min(1).max(200)),
      company_id: optional(idParameter),
      only: optional(replaySelection),
      dry_run: optional(z.boolean()),
    }),
    output: z.discriminatedUnion('object', [written, replayEstimate.extend({ warnings: warnings.optional() })]),
    errors: ['not_found', 'limit_reached'],
    emits: [],
    example: { since: '2026-01-01T00:00:00Z', types: ['bank.balance.updated'] },
  }),
};

function move(verb: 'pause' | 'resume' | 'cancel', summary: string) {
  return {
    kind: 'mutation',
    summary,
    http: { method: 'POST', path: `/replays/{replay_id}/${verb}`, success: 200 },
    scopes: ['human'],
    permission: 'webhooks:write',
    input: z.object({ replay_id: idParameter }),
    output: written,
    errors: ['not_found', 'invalid_state_transition'],
    emits: [],
    example: {},
  } as const;
}

export const replayOperations = {
  list: defineOperation({
    id: 'replays.list',
    kind: 'query',
    summary: 'List replays, newest first',
    http: { method: 'GET', path: '/replays', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({
      ...pageParameters,
      endpoint_id: idParameter.optional(),
      status: replayStatus.optional(),
      ...timeFilters,
    }),
    output: listOf(replay),
    errors: ['invalid_cursor', 'not_found'],
    emits: [],
    example: {},
  }),
  get: defineOperation({
    id: 'replays.get',
    kind: 'query',
    summary: 'Read a replay and how far it is',
    http: { method: 'GET', path: '/replays/{replay_id}', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({ replay_id: idParameter }),
    output: replay,
    errors: ['not_found'],
    emits: [],
    example: {},
  }),
  pause: defineOperation({
    id: 'replays.pause',
    ...move('pause', 'Pause a replay; what it has handed over already goes on'),
  }),
  resume: defineOperation({ id: 'replays.resume', ...move('resume', 'Resume a paused replay where it stopped') }),
  cancel: defineOperation({
    id: 'replays.cancel',
    ...move('cancel', 'End a replay; those of its deliveries that have not ended are cancelled'),
  }),
};
