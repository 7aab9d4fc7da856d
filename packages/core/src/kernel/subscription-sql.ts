import { operationalEventTypes } from '@finhook/contracts';

/** SQL that tells whether an endpoint's list names the type, or is empty and no operational event is in question. */
export function wantsOrdinary(event: string, endpoint: string): string {
  return `(${endpoint}.events = '{}' OR ${event}.type = ANY (${endpoint}.events))`;
}

/** The same for operational events, which an empty list does not ask for. */
export function wantsOperational(event: string, endpoint: string): string {
  return `(${endpoint}.operational OR ${event}.type = ANY (${endpoint}.events))`;
}

const operationalList = operationalEventTypes.map((type) => `'${type}'`).join(', ');

/** The same for an event of any type. */
export function wants(event: string, endpoint: string): string {
  return `CASE WHEN ${event}.type IN (${operationalList}) THEN ${wantsOperational(event, endpoint)}
    ELSE ${wantsOrdinary(event, endpoint)} END`;
}

/**
 * SQL that tells whether an endpoint subscribes to an event, both named by their aliases (a row of `webhook_endpoint`
 * and one of `event`): by type, by company, and by whether it is sent what is internal.
 */
export function subscribes(event: string, endpoint: string): string {
  return `${wants(event, endpoint)}
    AND (${endpoint}.company_id IS NULL OR ${endpoint}.company_id = ${event}.company_id)
    AND (${endpoint}.include_internal OR NOT ${event}.internal)`;
}

/**
 * SQL that is false for the endpoint that an event is about: it is never told of its own troubles (D47), also not later.
 * `event` has its body.
 */
export function notAboutItself(event: string, endpoint: string): string {
  const named = (field: string): string => `${event}.body::jsonb #>> '{data,${field}}' <> ${endpoint}.id`;
  return `CASE WHEN ${event}.type LIKE 'webhook\\_endpoint.%' THEN ${named('id')}
    WHEN ${event}.type = 'delivery.exhausted' THEN ${named('endpoint_id')} ELSE true END`;
}
