import { z } from 'zod';
import { id, timestamp } from '../scalars.ts';
import { agentRuntimeEvents } from './agent-runtime.ts';
import { agentEvents } from './agents.ts';
import { apiKeyEvents } from './api-keys.ts';
import { caseEvents } from './cases.ts';
import { companyEvents } from './companies.ts';
import type { EventDefinition } from './define-event.ts';
import { filingEvents } from './filings.ts';
import { treasuryEvents } from './treasury.ts';
import { webhookHygieneEvents } from './webhook-hygiene.ts';

/** The whole catalogue, in the order of the interface's section 6. */
export const events = {
  ...companyEvents,
  ...agentEvents,
  ...filingEvents,
  ...apiKeyEvents,
  ...caseEvents,
  ...treasuryEvents,
  ...agentRuntimeEvents,
  ...webhookHygieneEvents,
};

export type EventType = keyof typeof events;
type Catalogue = typeof events;

/** Types that some operation or job emits: those with a data schema. */
export type EmittedEventType = {
  [T in EventType]: Catalogue[T] extends { data: z.ZodObject } ? T : never;
}[EventType];

/** The `data` of an emitted event type. */
export type EventData<T extends EmittedEventType> = Catalogue[T] extends { data: infer S extends z.ZodObject }
  ? z.output<S>
  : never;

export function isEventType(name: string): name is EventType {
  return Object.hasOwn(events, name);
}

export function isEmittedEventType(name: string): name is EmittedEventType {
  return isEventType(name) && eventDefinition(name).data !== undefined;
}

/** The catalogue's entry as its general type. */
export function eventDefinition(type: EventType): EventDefinition {
  return events[type];
}

export const eventTypes: readonly EventType[] = Object.keys(events).filter(isEventType);
export const emittedEventTypes: readonly EmittedEventType[] = eventTypes.filter(isEmittedEventType);

/** The envelope that is signed and sent; `company_id` is absent for account-level events. */
export const eventEnvelope = z.object({
  id: id('evt'),
  type: z.string(),
  created_at: timestamp,
  account_id: id('acct'),
  company_id: id('co').optional(),
  data: z.record(z.string(), z.unknown()),
});

/** A received event whose `type` tells the shape of its `data`. */
export type WebhookEvent = {
  [T in EmittedEventType]: {
    id: string;
    type: T;
    created_at: string;
    account_id: string;
    company_id?: string;
    data: EventData<T>;
  };
}[EmittedEventType];
