import { allEventTypes, eventDefinition, operationalEventTypes } from '@finhook/contracts';

/** SQL: true if the endpoint's list is empty or names the type; for events that are not operational. */
export function wantsOrdinary(event: string, endpoint: string): string {
  return `(${endpoint}.events = '{}' OR ${event}.type = ANY (${endpoint}.events))`;
}

/** The same for operational events, which an empty list does not include. */
function wantsOperational(event: string, endpoint: string): string {
  return `(${endpoint}.operational OR ${event}.type = ANY (${endpoint}.events))`;
}

const operationalList = operationalEventTypes.map((type) => `'${type}'`).join(', ');

/** The same for an event of any type. */
export function wants(event: string, endpoint: string): string {
  return `CASE WHEN ${event}.type IN (${operationalList}) THEN ${wantsOperational(event, endpoint)}
    ELSE ${wantsOrdinary(event, endpoint)} END`;
}

/**
 * SQL: true if an endpoint subscribes to an event, by type, company and `include_internal`. The parameters are aliases
 * of rows of `event` and `webhook_endpoint`.
 */
export function subscribes(event: string, endpoint: string): string {
  return `${wants(event, endpoint)}
    AND (${endpoint}.company_id IS NULL OR ${endpoint}.company_id = ${event}.company_id)
    AND (${endpoint}.include_internal OR NOT ${event}.internal)`;
}

/**
 * SQL that is false for an event about endpoints or deliveries that fail, if the endpoint is disabled, its breaker is open
 * or its last two attempts failed: N endpoints behind one broken host would get N × (N - 1) notices. Two failures suffice, because
 * endpoints of one host fail together, and the first one that counts as failing is a failure or two ahead.
 */
export function mayGetNotices(event: string, endpoint: string): string {
  return `(${event}.type NOT LIKE 'webhook\\_endpoint.%' AND ${event}.type <> 'delivery.exhausted'
    OR ${endpoint}.status <> 'disabled' AND ${endpoint}.breaker = 'closed' AND ${endpoint}.consecutive_failures < 2)`;
}

/**
 * SQL that is false for the endpoint that an event is about: it never receives events of its own failures (D47),
 * replays included. `body` is the event's.
 */
export function notAboutItself(event: string, endpoint: string, body = `${event}.body`): string {
  const named = (field: string): string => `(${body})::jsonb #>> '{data,${field}}' <> ${endpoint}.id`;
  return `CASE WHEN ${event}.type LIKE 'webhook\\_endpoint.%' THEN ${named('id')}
    WHEN ${event}.type = 'delivery.exhausted' THEN ${named('endpoint_id')} ELSE true END`;
}

const forms = Object.fromEntries(
  allEventTypes.map((type) => {
    const sources = Object.entries(eventDefinition(type).thin.sources);
    return [type, sources.map(([name, source]) => [name, ...source])];
  }),
);

/**
 * SQL for the thin form of the event with the text `body`. A body that is not a column is read once per statement, and only
 * when an endpoint needs it.
 */
export const thinSql = (body: string): string => `(SELECT thin_event(${body}, '${JSON.stringify(forms)}'::jsonb))`;

/** The same for an event that is sent again: as it was sent before, whatever its form is today. */
export const thinAgainSql = (eventId: string, accountId: string): string => `(
  SELECT coalesce(
    (SELECT d.thin_body FROM delivery d WHERE d.event_id = b.id AND d.account_id = b.account_id AND d.thin_body IS NOT NULL LIMIT 1),
    ${thinSql('b.body')})
  FROM event b WHERE b.id = ${eventId} AND b.account_id = ${accountId} LIMIT 1)`;
