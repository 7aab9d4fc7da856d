/** events: the account's feed, the catalogue of types, and sending an event again or as a test. */

export {
  cursorAt,
  cursorFrom,
  type FeedNews,
  type FeedPosition,
  findFeedNews,
  isFeedCursor,
  readHorizon,
} from './feed-position.ts';
export { listEventTypes } from './list-event-types.ts';
export { type EventHead, getEvent, listEventHeads, listEvents } from './list-events.ts';
export { purgeEvidence } from './purge-evidence.ts';
export { redeliverEvent } from './redeliver-event.ts';
export { testEndpoint } from './test-endpoint.ts';
