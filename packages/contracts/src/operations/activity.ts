import { z } from 'zod';
import { allEventTypes } from '../events/index.ts';
import { defineOperation } from '../operation.ts';
import { activity } from '../records/activity.ts';
import { actor } from '../records/api-key.ts';
import { listOf, pageParameters } from '../records/list.ts';
import { idParameter, instant, text } from '../scalars.ts';

export const activityOperations = {
  list: defineOperation({
    summary: 'List the activity log, newest first',
    description:
      'Each row has the actor, the record before and after the change, and the emitted events with the state of their deliveries. Rows cannot be changed or deleted. Internal comments are hidden from keys of scope `read`.',
    http: { method: 'GET', path: '/activity' },
    scopes: ['human', 'read'],
    input: z.object({
      ...pageParameters,
      actor_id: idParameter.optional().describe('Only actions of this actor, for example the ID of an API key.'),
      actor_type: actor.shape.type.optional().describe('Only actions of actors of this type.'),
      action: text(1, 100).optional().describe('Only this action, for example `companies.update`.'),
      type: z.enum(allEventTypes).optional().describe('Only actions that emitted an event of this type.'),
      company_id: idParameter.optional().describe('Only actions on records of this company.'),
      resource_id: idParameter.optional().describe('Only actions on the record with this ID.'),
      created_from: instant.optional().describe('Only actions at or after this time.'),
      created_to: instant.optional().describe('Only actions before this time.'),
    }),
    output: listOf(activity),
  }),
};
