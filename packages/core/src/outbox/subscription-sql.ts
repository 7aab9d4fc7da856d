import { allEventTypes, eventDefinition, operationalEventTypes } from '@finhook/contracts';

/** SQL: true if the endpoint's `events` are empty or have the type. For events that are not operational. */
export function wantsOrdinary(event: string, endpoint: string): string {
  return `(${endpoint}.events = '{}' OR ${event}.type = ANY (${endpoint}.events))`;
}

/** Like `wantsOrdinary`, but empty `events` do not include operational events. */
function wantsOperational(event: string, endpoint: string): string {
  return `(${endpoint}.operational OR ${event}.type = ANY (${endpoint}.events))`;
}

const operationalList = operationalEventTypes.map((type) => `'${type}'`).join(', ');

/** Like `wantsOrdinary`, for events of any type. */
export function wants(event: string, endpoint: string): string {
  return `CASE WHEN ${event}.type IN (${operationalList}) THEN ${wantsOperational(event, endpoint)}
    ELSE ${wantsOrdinary(event, endpoint)} END`;
}

/**
 * SQL: true if an endpoint subscribes to an event, by type, company and `include_internal`. The parameters are table
 * aliases.
 */
export function subscribes(event: string, endpoint: string): string {
  return `${wants(event, endpoint)}
    AND (${endpoint}.company_id IS NULL OR ${endpoint}.company_id = ${event}.company_id)
    AND (${endpoint}.include_internal OR NOT ${event}.internal)`;
}

/**
 * SQL: false for events about failing endpoints or deliveries, if the endpoint is failing too: N endpoints of one
 * broken host would get N × (N - 1) events. Two failures suffice, because endpoints of one host fail together.
 */
export function mayGetNotices(event: string, endpoint: string): string {
  return `(${event}.type NOT LIKE 'webhook\\_endpoint.%' AND ${event}.type <> 'delivery.exhausted'
    OR ${endpoint}.status <> 'disabled' AND ${endpoint}.breaker = 'closed' AND ${endpoint}.consecutive_failures < 2)`;
}

/**
 * SQL: false for the endpoint that an event is about, so that failures cause no further failures. `body` is the event's
 * text.
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
 * SQL for the thin form of the event with the text `body`. Unless `body` is a column, it is parsed once per statement,
 * if any endpoint needs it.
 */
export const thinSql = (body: string): string => `(SELECT thin_event(${body}, '${JSON.stringify(forms)}'::jsonb))`;

/** Like `thinSql`, but reuses the thin body of an earlier delivery of the event. */
export const thinAgainSql = (eventId: string, accountId: string): string => `(
  SELECT coalesce(
    (SELECT d.thin_body FROM delivery d WHERE d.event_id = b.id AND d.account_id = b.account_id AND d.thin_body IS NOT NULL LIMIT 1),
    ${thinSql('b.body')})
  FROM event b WHERE b.id = ${eventId} AND b.account_id = ${accountId} LIMIT 1)`;
