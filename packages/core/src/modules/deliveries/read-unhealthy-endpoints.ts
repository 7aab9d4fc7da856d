import { healthConfig } from '@finhook/delivery';
import { systemStatement } from '../../db/queryable.ts';
import { isNotMoving } from '../../outbox/sequence-sql.ts';
import type { Core } from '../../verbs/context.ts';
import { dueEndpoints } from './find-due-endpoints.ts';

export type UnhealthyReason = 'failing' | 'breaker_open' | 'resting' | 'blocked' | 'backlog' | 'disabled' | 'paused';

export interface UnhealthyEndpoint {
  endpointId: string;
  accountId: string;
  /** Only the host, because the rest of the URL may contain a secret; empty for an invalid URL. */
  host: string;
  /** The start of each reason; of `disabled` and `paused`, the start of that status. */
  reasons: { reason: UnhealthyReason; since: Date | null }[];
  status: EndpointStatus;
  consecutiveFailures: number;
  waiting: number;
  oldestDueAgeSeconds: number;
}

type EndpointStatus = 'active' | 'paused' | 'disabled';

interface UnhealthyRequest {
  top: number;
  waitingLimit: number;
}

/** Due deliveries of this age in seconds are a backlog; the reconciler replaces a lost wake-up much earlier. */
const lateSeconds = 30;

interface UnhealthyRow {
  id: string;
  account_id: string;
  url: string;
  status: EndpointStatus;
  failures: number;
  first_failed_at: string | null;
  breaker: 'closed' | 'open';
  breaker_since: string | null;
  resting: boolean;
  is_late: boolean;
  oldest: number;
  first_due: string | null;
  head_id: string | null;
  head_since: string | null;
  updated_at: string;
  waiting: number;
}

// Two indexes find the endpoints, and only those in the result are counted. Late endpoints alternate with failing ones.
const read = systemStatement(
  'read_unhealthy_endpoints',
  `WITH RECURSIVE ${dueEndpoints()},
   ids AS MATERIALIZED (
     SELECT endpoint_id AS id FROM t WHERE endpoint_id IS NOT NULL
     UNION
     SELECT id FROM webhook_endpoint
     WHERE deleted_at IS NULL AND (status <> 'active' OR first_failed_at IS NOT NULL OR breaker = 'open')
   ),
   seen AS MATERIALIZED (
     SELECT e.id, e.account_id, e.url, e.status, array_position(ARRAY['active', 'disabled', 'paused'], e.status) AS place,
       e.consecutive_failures AS failures, e.first_failed_at, e.breaker,
       e.breaker_since, e.updated_at, coalesce(e.hold_until > now(), false) AS resting, w.first_due, h.head_id,
       coalesce(w.first_due < now() - $2::int * interval '1 second', false) AS is_late,
       greatest(0, coalesce(extract(epoch FROM now() - w.first_due), 0))::float8 AS oldest
     FROM ids JOIN webhook_endpoint e ON e.id = ids.id AND e.deleted_at IS NULL AND ${isNotMoving('e.account_id')}
     LEFT JOIN LATERAL (
       SELECT d.due_at AS first_due FROM due d WHERE d.endpoint_id = ids.id ORDER BY d.due_at LIMIT 1
     ) w ON true
     LEFT JOIN LATERAL (
       SELECT f.head_id FROM endpoint_flow f JOIN due h ON h.delivery_id = f.head_id
       WHERE e.ordered AND f.endpoint_id = ids.id AND h.attempt_count > 0 LIMIT 1
     ) h ON true
   ),
   ranked AS (
     SELECT *, row_number() OVER (ORDER BY place, resting, first_due, id) AS by_age,
       row_number() OVER (ORDER BY place, failures DESC, id) AS by_failures
     FROM seen
     WHERE status <> 'active' OR failures >= $3::int OR breaker = 'open' OR resting OR is_late OR head_id IS NOT NULL
   ),
   found AS (SELECT * FROM ranked ORDER BY place, least(by_age, by_failures), by_age LIMIT $1::int)
   SELECT found.*,
     (SELECT a.at FROM attempt a WHERE a.delivery_id = found.head_id ORDER BY a.n LIMIT 1) AS head_since,
     (SELECT count(*)::int FROM (SELECT FROM due d WHERE d.endpoint_id = found.id LIMIT $4::int) c) AS waiting
   FROM found
   ORDER BY place, least(by_age, by_failures), by_age`,
);

/** The `top` unhealthy endpoints of accounts that have not moved, the worst first; for the metrics and `/ops`. */
export async function readUnhealthyEndpoints(
  core: Core,
  { top, waitingLimit }: UnhealthyRequest,
): Promise<UnhealthyEndpoint[]> {
  const values = [top, lateSeconds, healthConfig.failingThreshold, waitingLimit];
  const rows = await core.database.query<UnhealthyRow>(read, values);
  return rows.map((row) => ({
    endpointId: row.id,
    accountId: row.account_id,
    host: URL.parse(row.url)?.host ?? '',
    reasons: reasonsOf(row).map(([reason, since]) => ({ reason, since: since === null ? null : new Date(since) })),
    status: row.status,
    consecutiveFailures: row.failures,
    waiting: row.waiting,
    oldestDueAgeSeconds: row.oldest,
  }));
}

function reasonsOf(row: UnhealthyRow): [UnhealthyReason, string | null][] {
  const reasons: [UnhealthyReason, boolean, string | null][] = [
    ['disabled', row.status === 'disabled', row.updated_at],
    ['paused', row.status === 'paused', row.updated_at],
    ['failing', row.failures >= healthConfig.failingThreshold, row.first_failed_at],
    ['breaker_open', row.breaker === 'open', row.breaker_since],
    ['resting', row.resting, null],
    ['blocked', row.head_id !== null, row.head_since],
    ['backlog', row.is_late, row.first_due],
  ];
  return reasons.flatMap(([reason, holds, since]) => (holds ? [[reason, since]] : []));
}
