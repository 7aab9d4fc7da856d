import type { Core } from '../../kernel/context.ts';
import { statement } from '../../kernel/queryable.ts';
import { longestLeaseMs } from './lease-sql.ts';

/** An endpoint whose deliveries wait longer than they should, or that fails. */
interface TroubledEndpoint {
  endpointId: string;
  accountId: string;
  status: string;
  consecutiveFailures: number;
  /** Deliveries that are still to be attempted. */
  scheduled: number;
  /** Seconds since the oldest of them was due; 0 when none is. */
  oldestDueAgeSeconds: number;
}

/** Pending deliveries of all accounts. */
export interface Backlog {
  scheduled: number;
  /** Due now, at endpoints that may be delivered to now. */
  due: number;
  /**
   * Due now, and waiting on purpose: for an account that paused or disabled the endpoint, for the end of a Retry-After,
   * for an open breaker's probe, for a rate limit, or for the first one of an ordered endpoint, which is tried again later.
   */
  held: number;
  /** Of what is `due`. */
  oldestDueAgeSeconds: number;
  /** The worst first: in turn who is latest, of those that don't wait on purpose before the others, and who fails most. */
  troubled: TroubledEndpoint[];
}

interface BacklogRow {
  scheduled: number;
  due: number;
  held: number;
  oldest: number;
  troubled: {
    endpoint_id: string;
    account_id: string;
    status: string;
    failures: number;
    scheduled: number;
    oldest: number;
  }[];
}

const ratePerSecond = 'least(e.rate_limit_requests::float8 / e.rate_limit_seconds, e.paced_to)';

// All wait for the probe's answer, and not only for its turn.
const probeEnd = `CASE WHEN e.breaker = 'open' THEN e.next_probe_at + interval '${longestLeaseMs} milliseconds' END`;

// Each wait is bounded by what was written before it, so that workers which stand still are noticed once it is over.
// Reads the index of `due` once, in its order, and of the endpoints only those that have something scheduled.
const readBacklogSql = statement(
  'read_backlog',
  `WITH w AS MATERIALIZED (
     SELECT endpoint_id, count(*) AS scheduled, count(*) FILTER (WHERE due_at <= now()) AS due,
            greatest(0, extract(epoch FROM now() - min(due_at)))::float8 AS oldest
     FROM due GROUP BY endpoint_id
   ),
   e AS MATERIALIZED (
     SELECT w.*, e.account_id, e.status, e.consecutive_failures AS failures,
       e.status <> 'active' OR coalesce(greatest(e.hold_until, ${probeEnd},
         f.tokens_at + interval '1 second' * ((1 - f.tokens) / ${ratePerSecond}), h.due_at) > now(), false) AS waits
     FROM w JOIN webhook_endpoint e ON e.id = w.endpoint_id
     LEFT JOIN endpoint_flow f ON f.endpoint_id = e.id
     LEFT JOIN due h ON e.ordered AND h.delivery_id = f.head_id
     WHERE e.deleted_at IS NULL
   )
   SELECT coalesce(sum(scheduled), 0)::int AS scheduled,
     coalesce(sum(due) FILTER (WHERE NOT waits), 0)::int AS due,
     coalesce(sum(due) FILTER (WHERE waits), 0)::int AS held,
     coalesce(max(oldest) FILTER (WHERE NOT waits), 0) AS oldest,
     (SELECT coalesce(json_agg(t), '[]') FROM (
        SELECT endpoint_id, account_id, status, failures, scheduled, oldest FROM (
          SELECT *,
            row_number() OVER (ORDER BY status = 'active' DESC, waits, oldest DESC, endpoint_id) AS by_age,
            row_number() OVER (ORDER BY status = 'active' DESC, failures DESC, endpoint_id) AS by_failures
          FROM e WHERE failures > 0 OR status = 'disabled' OR (status = 'active' AND oldest > $2::int)
        ) ranked
        ORDER BY least(by_age, by_failures), by_age LIMIT $1::int
      ) t) AS troubled
   FROM e`,
);

/** From this age on a due delivery is late, in seconds: a wake-up that was lost is made up for long before. */
const lateSeconds = 30;

/** Counts what is to be attempted and names the endpoints in trouble, at most `top` of them. Costs as `due` is long. */
export async function readBacklog(core: Core, top: number): Promise<Backlog> {
  const [row] = await core.database.query<BacklogRow>(readBacklogSql, [top, lateSeconds]);
  if (row === undefined) throw new Error('The backlog could not be read.');
  return {
    scheduled: row.scheduled,
    due: row.due,
    held: row.held,
    oldestDueAgeSeconds: row.oldest,
    troubled: row.troubled.map((endpoint) => ({
      endpointId: endpoint.endpoint_id,
      accountId: endpoint.account_id,
      status: endpoint.status,
      consecutiveFailures: endpoint.failures,
      scheduled: endpoint.scheduled,
      oldestDueAgeSeconds: endpoint.oldest,
    })),
  };
}
