/** events: the account's feed, the catalogue of types, redelivery and test events. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { listEventTypes } from './event-types.ts';
import { purgeEvidence } from './purge-evidence.ts';
import { getEvent, listEvents } from './read.ts';
import { redeliverEvent } from './redeliver.ts';
import { testEndpoint } from './test-endpoint.ts';

export const events = {
  list: listEvents,
  get: getEvent,
  redeliver: redeliverEvent,
  purgeEvidence,
} satisfies Handlers<typeof operations.events>;

export const eventTypes = {
  list: listEventTypes,
} satisfies Handlers<typeof operations.eventTypes>;

export const endpointEvents = {
  test: testEndpoint,
} satisfies Handlers<Pick<typeof operations.webhookEndpoints, 'test'>>;
