import { z } from 'zod';
import { eventGroups } from '../events/define-event.ts';
import { allEventTypes, eventEnvelope } from '../events/index.ts';
import { defineOperation } from '../operation.ts';
import { deliverySummary } from '../records/activity.ts';
import { delivery } from '../records/delivery.ts';
import { listOf, pageParameters, warnings } from '../records/list.ts';
import { idParameter, instant, optional } from '../scalars.ts';

const eventType = z
  .object({
    object: z.literal('event_type'),
    type: z.string(),
    group: z.enum(eventGroups),
    description: z.string(),
    emitted: z.boolean().meta({ description: 'false: part of the catalogue, nothing emits it yet' }),
    operational: z.boolean().meta({ description: 'An addition that endpoints get only when they ask for it' }),
    schema: z.record(z.string(), z.unknown()).nullable().meta({ description: 'JSON Schema of `data`' }),
    sample: eventEnvelope.nullable(),
  })
  .meta({ id: 'EventType' });

/** An event as it was sent; how its deliveries went is told on request (`include=deliveries_summary`). */
const storedEvent = eventEnvelope.extend({ deliveries: deliverySummary.optional() }).meta({ id: 'Event' });

export const eventOperations = {
  list: defineOperation({
    id: 'events.list',
    kind: 'query',
    summary: 'The feed: every event of the account, in an order that late commits cannot slip behind',
    http: { method: 'GET', path: '/events', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({
      ...pageParameters,
      order: z.enum(['asc', 'desc']).default('asc'),
      include: z.enum(['total_count', 'deliveries_summary']).optional(),
      type: z.enum(allEventTypes).optional(),
      company_id: idParameter.optional(),
      created_from: instant.optional(),
      created_to: instant.optional(),
    }),
    output: listOf(storedEvent),
    errors: ['invalid_cursor'],
    emits: [],
    example: {},
  }),
  get: defineOperation({
    id: 'events.get',
    kind: 'query',
    summary: 'Read an event',
    http: { method: 'GET', path: '/events/{event_id}', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({ event_id: idParameter, include: z.enum(['deliveries_summary']).optional() }),
    output: storedEvent,
    errors: ['not_found'],
    emits: [],
    example: {},
  }),
  redeliver: defineOperation({
    id: 'events.redeliver',
    kind: 'mutation',
    summary: 'Send an event again, to one endpoint or to all that receive its type',
    http: { method: 'POST', path: '/events/{event_id}/redeliver', success: 202 },
    scopes: ['human'],
    permission: 'events:write',
    input: z.object({ event_id: idParameter, endpoint_id: optional(idParameter) }),
    output: z.object({
      object: z.literal('list'),
      data: z.array(delivery),
      warnings: warnings.optional(),
    }),
    errors: ['not_found', 'invalid_state_transition'],
    emits: [],
    example: {},
  }),
  purgeEvidence: defineOperation({
    id: 'events.purgeEvidence',
    kind: 'mutation',
    summary: 'Delete the headers, response bodies and addresses that attempts to deliver an event left behind',
    http: { method: 'DELETE', path: '/events/{event_id}/evidence', success: 204 },
    scopes: ['human'],
    permission: 'events:write',
    input: z.object({ event_id: idParameter }),
    output: z.null(),
    errors: ['not_found'],
    emits: [],
    example: {},
  }),
};

export const eventTypeOperations = {
  list: defineOperation({
    id: 'eventTypes.list',
    kind: 'query',
    summary: 'The catalogue of event types, each with its JSON Schema and a sample',
    http: { method: 'GET', path: '/event-types', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({}),
    output: z.object({
      object: z.literal('list'),
      data: z.array(eventType),
      has_more: z.literal(false),
      next_cursor: z.null(),
      prev_cursor: z.null(),
    }),
    errors: [],
    emits: [],
    example: {},
  }),
};
