import { z } from 'zod';
import { allEventTypes } from '../events/index.ts';
import { defineOperation } from '../operation.ts';
import { activity } from '../records/activity.ts';
import { actor } from '../records/api-key.ts';
import { listOf, pageParameters } from '../records/list.ts';
import { idParameter, instant, text } from '../scalars.ts';

export const activityOperations = {
  list: defineOperation({
    id: 'activity.list',
    kind: 'query',
    summary: 'The audit log, newest first: who did what, and how the webhooks about it went',
    http: { method: 'GET', path: '/activity', success: 200 },
    scopes: ['human', 'read'],
    input: z.object({
      ...pageParameters,
      actor_id: idParameter.optional(),
      actor_type: actor.shape.type.optional(),
      action: text(1, 100).optional(),
      type: z.enum(allEventTypes).optional().meta({ description: 'Only what emitted an event of this type' }),
      company_id: idParameter.optional(),
      resource_id: idParameter.optional(),
      created_from: instant.optional(),
      created_to: instant.optional(),
    }),
    output: listOf(activity),
    errors: ['invalid_cursor'],
    emits: [],
    example: {},
  }),
};
