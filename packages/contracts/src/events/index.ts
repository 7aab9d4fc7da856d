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
import { operationalEvents, webhookHygieneEvents } from './webhooks.ts';

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

/** Additions to the interface's catalogue, which endpoints receive only on request. */
type OperationalEventType = keyof typeof operationalEvents;
export type AnyEventType = EventType | OperationalEventType;

const allEvents = { ...events, ...operationalEvents };

export type EventData<T extends AnyEventType> = z.output<(typeof allEvents)[T]['data']>;

function isEventType(name: string): name is EventType {
  return Object.hasOwn(events, name);
}

export function isOperationalEventType(name: string): name is OperationalEventType {
  return Object.hasOwn(operationalEvents, name);
}

export function isAnyEventType(name: string): name is AnyEventType {
  return isEventType(name) || isOperationalEventType(name);
}

export function eventDefinition(type: AnyEventType): EventDefinition {
  return allEvents[type];
}

export const eventTypes: readonly EventType[] = Object.keys(events).filter(isEventType);
export const operationalEventTypes: readonly OperationalEventType[] =
  Object.keys(operationalEvents).filter(isOperationalEventType);
export const allEventTypes: readonly AnyEventType[] = [...eventTypes, ...operationalEventTypes];

/**
 * Types whose `data` is an agent, with its id in `data.id`, or a record of an agent, with its id in `data.agent_id`.
 */
export const agentEventTypes: readonly AnyEventType[] = [
  ...Object.keys(agentEvents),
  ...Object.keys(agentRuntimeEvents),
].filter(isEventType);

/** The envelope that is signed and sent; `company_id` is absent for account-level events. */
export const eventEnvelope = z.object({
  id: id('evt'),
  type: z.string().describe('Type of the event, for example `bank.balance.updated`.'),
  created_at: timestamp.describe('When the event was created (UTC).'),
  account_id: id('acct'),
  company_id: id('co')
    .optional()
    .describe('ID of the company that the event is about (`co_…`); absent for account-level events.'),
  data: z.record(z.string(), z.unknown()).describe('What the event is about. Its fields depend on `type`.'),
});

export type WebhookEvent = {
  [T in AnyEventType]: {
    id: string;
    type: T;
    created_at: string;
    account_id: string;
    company_id?: string;
    data: EventData<T>;
  };
}[AnyEventType];
