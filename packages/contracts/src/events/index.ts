import { z } from 'zod';
import { id, timestamp } from '../scalars.ts';
import { agentRuntimeEvents } from './agent-runtime.ts';
import { agentEvents } from './agents.ts';
import { apiKeyEvents } from './api-keys.ts';
import { caseEvents } from './cases.ts';
import { companyEvents } from './companies.ts';
import type { EventDefinition } from './define-event.ts';
import { filingEvents, operationalFilingEvents } from './filings.ts';
import { operationalTreasuryEvents, treasuryEvents } from './treasury.ts';
import { deliveryEvents, webhookHygieneEvents } from './webhooks.ts';

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

/** Endpoints receive these only on request. */
const operationalEvents = { ...deliveryEvents, ...operationalTreasuryEvents, ...operationalFilingEvents };
type OperationalEventType = keyof typeof operationalEvents;
export type AnyEventType = EventType | OperationalEventType;

const allEvents = { ...events, ...operationalEvents };

export type EventData<T extends AnyEventType> = z.output<(typeof allEvents)[T]['data']>;

export type ThinEventData<T extends AnyEventType> = z.output<(typeof allEvents)[T]['thin']['schema']>;

function isEventType(name: string): name is EventType {
  return Object.hasOwn(events, name);
}

export function isOperationalEventType(name: string): name is OperationalEventType {
  return Object.hasOwn(operationalEvents, name);
}

export function isDeliveryEventType(name: string): boolean {
  return Object.hasOwn(deliveryEvents, name);
}

export function isAnyEventType(name: string): name is AnyEventType {
  return isEventType(name) || isOperationalEventType(name);
}

export function eventDefinition(type: AnyEventType): EventDefinition {
  return allEvents[type];
}

/** Bytes of JSON. */
export const maxThinBytes = 24 * 1024;

/** The thin form of an event's `data`. For stored events the database makes it from the same sources. */
export function thinData(type: AnyEventType, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { sources } = eventDefinition(type).thin;
  return Object.fromEntries(Object.entries(sources).map(([name, [field, key]]) => [name, pick(data[field], key)]));
}

function pick(value: unknown, key: string | undefined): unknown {
  if (key === undefined || value == null) return value;
  return Array.isArray(value) ? value.map((one) => pick(one, key)) : Reflect.get(Object(value), key);
}

export const eventTypes: readonly EventType[] = Object.keys(events).filter(isEventType);
export const operationalEventTypes: readonly OperationalEventType[] =
  Object.keys(operationalEvents).filter(isOperationalEventType);
export const allEventTypes: readonly AnyEventType[] = [...eventTypes, ...operationalEventTypes];

/** Types whose `data` is an agent or has an `agent_id`. */
export const agentEventTypes: readonly AnyEventType[] = [
  ...Object.keys(agentEvents),
  ...Object.keys(agentRuntimeEvents),
].filter(isEventType);

/** `company_id` is absent for events of the account. */
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

interface Envelope<T extends AnyEventType, Data> {
  id: string;
  type: T;
  created_at: string;
  account_id: string;
  company_id?: string;
  data: Data;
}

export type WebhookEvent = { [T in AnyEventType]: Envelope<T, EventData<T>> }[AnyEventType];

export type ThinWebhookEvent = { [T in AnyEventType]: Envelope<T, ThinEventData<T>> }[AnyEventType];
