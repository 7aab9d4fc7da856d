import { z } from 'zod';
import { eventGroups } from '../events/define-event.ts';
import { allEventTypes, eventEnvelope } from '../events/index.ts';
import { defineOperation } from '../operation.ts';
import { deliverySummary } from '../records/activity.ts';
import { delivery } from '../records/delivery.ts';
import { listOf, pageParameters, warnings } from '../records/list.ts';
import { exactInput, id, idParameter, instant, optional } from '../scalars.ts';

const eventType = z
  .object({
    object: z.literal('event_type').describe('Always `event_type`.'),
    type: z.string().describe('Name of the event type.'),
    group: z.enum(eventGroups).describe('Group of the catalogue.'),
    description: z.string().describe('When the event is emitted.'),
    emitted: z.boolean().describe('`false` if the type is part of the catalogue but nothing emits it yet.'),
    operational: z.boolean().describe('`true` for a type that is sent only to endpoints whose `events` name it.'),
    schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('JSON Schema of `data`; null if nothing emits the type yet.'),
    sample: eventEnvelope.nullable().describe('An event of this type with example data; null if nothing emits it yet.'),
    thin_schema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema of the `data` that endpoints with `payload: thin` get.'),
    thin_sample: eventEnvelope.describe('The sample as endpoints with `payload: thin` get it.'),
  })
  .meta({ id: 'EventType', description: 'An event type, with the JSON Schema of its `data` and a sample.' });

const storedEvent = eventEnvelope
  .extend({
    deliveries: deliverySummary.optional().describe('How its deliveries went; only with `include=deliveries_summary`.'),
  })
  .meta({ id: 'Event', description: 'An event as it was sent to the endpoints.' });

export const eventOperations = {
  list: defineOperation({
    summary: 'List events, oldest first',
    description:
      'The feed has every event that is kept (90 days by default), oldest first, in an order in which no event appears before a cursor that was already returned: a reader that stores `next_cursor` misses nothing. The last page has a `next_cursor` too. Test events are not included. Internal comments are hidden from keys of scope `read`, and events of other agents from keys of scope `agent`.',
    http: { method: 'GET', path: '/events' },
    replica: false,
    input: z.object({
      ...pageParameters,
      order: z.enum(['asc', 'desc']).default('asc').describe('`asc` for oldest first, `desc` for newest first.'),
      include: z
        .enum(['total_count', 'deliveries_summary'])
        .optional()
        .describe(
          '`total_count` adds the number of matching events, `deliveries_summary` adds to each event how its deliveries went.',
        ),
      type: z.enum(allEventTypes).optional().describe('Only events of this type.'),
      company_id: idParameter.optional().describe('Only events of this company.'),
      created_from: instant.optional().describe('Only events created at or after this time.'),
      created_to: instant.optional().describe('Only events created before this time.'),
    }),
    output: listOf(storedEvent),
  }),
  get: defineOperation({
    summary: 'Read an event',
    description:
      'Returns the event as it was sent. With `include=deliveries_summary` it also returns how its deliveries went, and which endpoints filtered it out.',
    http: { method: 'GET', path: '/events/{event_id}' },
    input: z.object({
      event_id: idParameter,
      include: z
        .enum(['deliveries_summary'])
        .optional()
        .describe('`deliveries_summary` adds how the deliveries went and which endpoints filtered the event out.'),
    }),
    output: storedEvent
      .extend({
        filtered_endpoint_ids: z
          .array(id('we'))
          .optional()
          .describe(
            'IDs of the endpoints that subscribe to the type but whose `filter` rejected this event; only with `include=deliveries_summary`.',
          ),
      })
      .meta({ id: 'EventDetail', description: 'An event with its deliveries.' }),
  }),
  redeliver: defineOperation({
    summary: 'Redeliver an event',
    description:
      'Creates new deliveries of the event: to the named endpoint, whether it subscribes to the type or not, or to every endpoint that would receive the event today. Test events, and events that no endpoint takes, are 409 `invalid_state_transition`. Unknown body fields are rejected.',
    http: { method: 'POST', path: '/events/{event_id}/redeliver', success: 202 },
    permission: 'events:write',
    input: exactInput(
      { event_id: idParameter },
      {
        endpoint_id: optional(idParameter).describe(
          'ID of the only endpoint to send to. By default every endpoint that would receive the event today.',
        ),
      },
    ),
    output: z
      .object({
        object: z.literal('list').describe('Always `list`.'),
        data: z.array(delivery).describe('The new deliveries.'),
        warnings: warnings.optional(),
      })
      .meta({ id: 'RedeliveryResult', description: 'The deliveries that were created.' }),
    errors: ['invalid_state_transition'],
  }),
  purgeEvidence: defineOperation({
    summary: 'Delete the delivery evidence of an event',
    description:
      'Deletes the URLs, addresses, headers and response bodies of every attempt to deliver the event so far. The event, the outcomes and the timings stay. Later attempts record evidence again. A repeat changes nothing.',
    http: { method: 'DELETE', path: '/events/{event_id}/evidence' },
    permission: 'events:write',
    input: z.object({ event_id: idParameter }),
    output: z.null(),
  }),
};

export const eventTypeOperations = {
  list: defineOperation({
    summary: 'List the event types',
    description: 'Each type has the JSON Schema of its `data` and a sample. The list is not paged.',
    http: { method: 'GET', path: '/event-types' },
    input: z.object({}),
    output: listOf(eventType),
  }),
};
