import { systemStatement } from '../../db/queryable.ts';
import { idTime } from '../../ids/ids.ts';
import type { Core } from '../../verbs/context.ts';
import { undelivered } from '../deliveries/delivery-record.ts';

export interface EndpointFacts {
  description: string | null;
  /** The only company whose events are sent; null for all. */
  companyName: string | null;
  accountName: string;
  /** HTTP status of the last failed attempt; null if none failed. */
  lastFailure: number | 'no_response' | null;
  /** Of the newest deliveries that were created in the last hour and attempted. */
  succeeded: number;
  attempted: number;
  /** Those that are pending, or failed and were not sent again. */
  undelivered: number;
  /** Number of newest deliveries among which they were counted; null if all were read. */
  countedNewest: number | null;
}

interface FactsRow extends Omit<EndpointFacts, 'lastFailure'> {
  id: string;
  last_status_code: number | null;
  has_failed: boolean;
}

const HOUR_MS = 3_600_000;
/** The newest deliveries of an endpoint among which the undelivered ones are counted. */
const READ_DELIVERIES = 2_000;

// The deliveries are read along their index by endpoint, the newest first.
const read = systemStatement(
  'read_endpoint_facts',
  `SELECT e.id, e.description, c.name AS "companyName", a.name AS "accountName", e.last_status_code,
     e.last_event_id IS NOT NULL AS has_failed, r.succeeded, r.attempted,
     u.undelivered, CASE WHEN u.read = $5::int THEN u.read END AS "countedNewest"
   FROM webhook_endpoint e JOIN account a ON a.id = e.account_id
   LEFT JOIN company c ON c.id = e.company_id AND c.account_id = e.account_id
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE d.status = 'succeeded')::int AS succeeded,
       count(*) FILTER (WHERE d.attempt_count > 0)::int AS attempted
     FROM (
       SELECT status, attempt_count FROM delivery
       WHERE endpoint_id = e.id AND account_id = e.account_id AND id > $3 ORDER BY id DESC LIMIT $4::int
     ) d
   ) r
   CROSS JOIN LATERAL (
     SELECT count(*)::int AS read, count(*) FILTER (WHERE ${undelivered})::int AS undelivered
     FROM (
       SELECT id, account_id, event_id, endpoint_id, status FROM delivery d
       WHERE d.endpoint_id = e.id AND d.account_id = e.account_id ORDER BY d.id DESC LIMIT $5::int
     ) delivery
   ) u
   WHERE e.id = ANY ($1::text[]) AND e.account_id = ANY ($2::text[])`,
);

/** Names and results of endpoints, by their ids; reads at most `limit` deliveries of the last hour of each. */
export async function readEndpointFacts(
  core: Core,
  endpoints: readonly { endpointId: string; accountId: string }[],
  limit: number,
): Promise<Map<string, EndpointFacts>> {
  if (endpoints.length === 0) return new Map();
  const rows = await core.database.query<FactsRow>(read, [
    endpoints.map(({ endpointId }) => endpointId),
    [...new Set(endpoints.map(({ accountId }) => accountId))],
    `dlv_${idTime(core.clock.now().getTime() - HOUR_MS)}`,
    limit,
    READ_DELIVERIES,
  ]);
  return new Map(
    rows.map(({ id, last_status_code: code, has_failed, ...facts }) => [
      id,
      { ...facts, lastFailure: has_failed ? (code ?? 'no_response') : null },
    ]),
  );
}
