import { maxTimeoutMs } from '@finhook/contracts';
import { systemStatement } from '../../db/queryable.ts';
import { isNotMoving } from '../../outbox/sequence-sql.ts';
import type { Core } from '../../verbs/context.ts';

export interface Backlog {
  scheduled: number;
  due: number;
  /** Due, but held by a paused or disabled endpoint, Retry-After, breaker, rate limit, or an ordered endpoint's head. */
  held: number;
  oldestDueAgeSeconds: number;
}

const ratePerSecond = 'least(e.rate_limit_requests::float8 / e.rate_limit_seconds, e.paced_to)';

// Deliveries wait for the probe's response, not only its start.
const probeEnd = `CASE WHEN e.breaker = 'open' THEN e.next_probe_at + interval '${maxTimeoutMs + 10_000} milliseconds' END`;

// Each wait has an end that was stored earlier, so stopped workers are noticed after it.
const readBacklogSql = systemStatement(
  'read_backlog',
  `WITH w AS MATERIALIZED (
     SELECT endpoint_id, count(*) AS scheduled, count(*) FILTER (WHERE due_at <= now()) AS due,
            greatest(0, extract(epoch FROM now() - min(due_at)))::float8 AS oldest
     FROM due GROUP BY endpoint_id
   ),
   e AS MATERIALIZED (
     SELECT w.*, e.status <> 'active' OR coalesce(greatest(e.hold_until, ${probeEnd},
         f.tokens_at + interval '1 second' * ((1 - f.tokens) / ${ratePerSecond}), h.due_at) > now(), false) AS waits
     FROM w JOIN webhook_endpoint e ON e.id = w.endpoint_id
     LEFT JOIN endpoint_flow f ON f.endpoint_id = e.id
     LEFT JOIN due h ON e.ordered AND h.delivery_id = f.head_id
     WHERE e.deleted_at IS NULL AND ${isNotMoving('e.account_id')}
   )
   SELECT coalesce(sum(scheduled), 0)::int AS scheduled,
     coalesce(sum(due) FILTER (WHERE NOT waits), 0)::int AS due,
     coalesce(sum(due) FILTER (WHERE waits), 0)::int AS held,
     coalesce(max(oldest) FILTER (WHERE NOT waits), 0) AS "oldestDueAgeSeconds"
   FROM e`,
);

/** The cost is proportional to the size of `due`. */
export async function readBacklog(core: Core): Promise<Backlog> {
  const [backlog] = await core.database.query<Backlog>(readBacklogSql);
  if (backlog === undefined) throw new Error('The backlog could not be read.');
  return backlog;
}
