import { systemStatement } from '../../db/queryable.ts';
import type { EndpointRef } from '../../outbox/delivery-queue.ts';
import { isFree } from '../../outbox/leases.ts';
import type { Core } from '../../verbs/context.ts';

/**
 * CTE `t`: a skip scan of the endpoints with rows in `due`, null at the end; empty while `gate` is false. A backlog of a
 * million rows costs as little as one row.
 */
export const dueEndpoints = (gate = 'true'): string => `t (endpoint_id) AS (
     (SELECT endpoint_id FROM due WHERE ${gate} ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT d.endpoint_id FROM due d WHERE d.endpoint_id > t.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
     FROM t WHERE t.endpoint_id IS NOT NULL
   )`;

// Excludes endpoints that wait for a pause, a probe or the head of their queue, unless a manual retry is due.
const gateMayBeOpen = `(
     (e.hold_until IS NULL OR e.hold_until <= now()) AND (e.breaker = 'closed' OR e.next_probe_at <= now())
     AND NOT EXISTS (
       SELECT FROM endpoint_flow f JOIN due h ON h.delivery_id = f.head_id
       WHERE e.ordered AND f.endpoint_id = e.id AND (h.due_at > now() OR h.lease_until >= now())
     )
     OR EXISTS (
       SELECT FROM due m WHERE m.endpoint_id = e.id AND m.due_at IS DISTINCT FROM m.next_attempt_at
         AND m.due_at <= now() AND ${isFree('m')}
     )
   )`;

// MATERIALIZED: the lock is tried once, before the first hop, and held while the statement runs.
const find = systemStatement(
  'find_due_endpoints',
  `WITH RECURSIVE gate AS MATERIALIZED (
     SELECT CASE WHEN $2::boolean THEN pg_try_advisory_xact_lock(hashtextextended('find_due_endpoints', 0)) ELSE true END AS open
   ),
   ${dueEndpoints('(SELECT open FROM gate)')}
   SELECT t.endpoint_id AS id, e.account_id AS "accountId" FROM t
   JOIN webhook_endpoint e ON e.id = t.endpoint_id AND e.status = 'active' AND e.deleted_at IS NULL
   WHERE EXISTS (
     SELECT FROM due d WHERE d.endpoint_id = t.endpoint_id
       AND d.due_at <= now() - $1::int * interval '1 millisecond' AND ${isFree('d')}
   ) AND (NOT e.gated OR ${gateMayBeOpen})`,
);

/** Endpoints whose job is lost or late. With `alone`, returns nothing while another process searches. */
export async function findDueEndpoints(
  core: Core,
  graceMs: number,
  { alone = false }: { readonly alone?: boolean } = {},
): Promise<EndpointRef[]> {
  return core.database.query<EndpointRef>(find, [graceMs, alone]);
}
