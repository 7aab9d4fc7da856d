import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { checkpointInput, runtimeMetricsInput, runtimeSnapshot, runtimeState } from '../records/agent-runtime.ts';
import { writeResult } from '../records/list.ts';
import { idParameter, instant, optional, text } from '../scalars.ts';

export const runtimeSnapshotOperations = {
  put: defineOperation({
    summary: "Store the checkpoint of an agent's runtime",
    description:
      'Each agent has one snapshot, which is replaced as a whole. Emits `partner.runtime.snapshot.updated` each time; the event redacts the checkpoint, and leaves it out above 16 KiB. A checkpoint has at most 64 KiB. The agent must not be paused.',
    http: {
      method: 'PUT',
      path: '/agents/{agent_id}/runtime-snapshot',
      status: (output: { result: string }) => (output.result === 'created' ? 201 : 200),
    },
    scopes: ['agent', 'human'],
    permission: 'runtime:write',
    input: z.object({
      agent_id: idParameter,
      company_id: optional(idParameter).describe(
        'ID of the company the runtime works for at the moment. The agent must be attached to it.',
      ),
      runtime: text(1, 200).describe('Name and version of the runtime, chosen by the caller.'),
      state: runtimeState.describe('State of the runtime.'),
      checkpoint: checkpointInput.describe(
        'State to resume from, as free JSON of at most 64 KiB. It is returned as it was sent.',
      ),
      metrics: runtimeMetricsInput.describe('Figures that the runtime reports about itself.'),
      heartbeat_at: optional(instant).describe('When the runtime reported the state. The default is now.'),
    }),
    output: writeResult(
      runtimeSnapshot
        .extend({ result: z.enum(['created', 'updated']).describe('Whether the agent had no snapshot before.') })
        .meta({ id: 'RuntimeSnapshotUpsert' }),
    ),
    errors: ['company_not_found', 'company_dissolved', 'invalid_state_transition'],
    emits: ['partner.runtime.snapshot.updated'],
    example: {
      runtime: 'example-runtime/2.1',
      state: 'running',
      checkpoint: { step: 4, cursor: 'invoice-117' },
      metrics: { actions_24h: 118, failures_24h: 2, queue_depth: 5, cost_micros_24h: 1_250_000 },
    },
  }),
  get: defineOperation({
    summary: "Read the checkpoint of an agent's runtime",
    description: 'The checkpoint is returned as it was sent. Returns 404 `not_found` if none was stored.',
    http: { method: 'GET', path: '/agents/{agent_id}/runtime-snapshot' },
    input: z.object({ agent_id: idParameter }),
    output: runtimeSnapshot,
  }),
};
