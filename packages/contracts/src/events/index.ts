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

/** The `data` of an event type. */
export type EventData<T extends EventType> = z.output<(typeof events)[T]['data']>;

export function isEventType(name: string): name is EventType {
  return Object.hasOwn(events, name);
}

/** The catalogue's entry as its general type. */
export function eventDefinition(type: EventType): EventDefinition {
  return events[type];
}

export const eventTypes: readonly EventType[] = Object.keys(events).filter(isEventType);

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
  [T in EventType]: {
    id: string;
    type: T;
    created_at: string;
    account_id: string;
    company_id?: string;
    data: EventData<T>;
  };
}[EventType];
