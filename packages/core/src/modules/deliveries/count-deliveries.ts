import { systemStatement } from '../../db/queryable.ts';
import type { Core } from '../../verbs/context.ts';
import { dueEndpoints } from './find-due-endpoints.ts';

export interface RecentOutcomes {
  since: Date;
  truncated: boolean;
  succeeded: number;
  failed: number;
  retried: number;
}

const count = systemStatement(
  'count_recent_outcomes',
  `SELECT count(*)::int AS total, min(at) AS first,
     count(*) FILTER (WHERE disposition = 'succeeded')::int AS succeeded,
     count(*) FILTER (WHERE disposition = 'failed')::int AS failed,
     count(*) FILTER (WHERE disposition IN ('retry', 'restore', 'again'))::int AS retried
   FROM (SELECT at, disposition FROM attempt WHERE at > $1::timestamptz ORDER BY at DESC LIMIT $2::int) a`,
);

type Counts = Omit<RecentOutcomes, 'since' | 'truncated'>;

export async function countRecentOutcomes(core: Core, ms: number, limit: number): Promise<RecentOutcomes> {
  const since = new Date(core.clock.now().getTime() - ms);
  const values = [since.toISOString(), limit];
  const [row] = await core.database.query<Counts & { total: number; first: string | null }>(count, values);
  if (row === undefined) throw new Error('The outcomes could not be counted.');
  const { total, first, ...counts } = row;
  const truncated = total === limit && first !== null;
  return { ...counts, truncated, since: truncated ? new Date(first) : since };
}

export interface DueWork {
  limit: number;
  due: number;
  held: number;
  oldestDueAgeSeconds: number;
}

// A lateral subquery with a limit runs per endpoint, along the index: no plan reads a whole backlog.
const countDue = (condition: string): string => `(SELECT count(*)::int FROM (
     SELECT FROM e CROSS JOIN LATERAL (
       SELECT FROM due d WHERE d.endpoint_id = e.endpoint_id AND d.due_at <= now() LIMIT $1::int
     ) d WHERE ${condition} AND e.first_due <= now() LIMIT $1::int
   ) c)`;

const read = systemStatement(
  'read_due_work',
  `WITH RECURSIVE ${dueEndpoints()},
   e AS MATERIALIZED (
     SELECT t.endpoint_id, w.status,
       (SELECT d.due_at FROM due d WHERE d.endpoint_id = t.endpoint_id ORDER BY d.due_at LIMIT 1) AS first_due
     FROM t JOIN webhook_endpoint w ON w.id = t.endpoint_id AND w.deleted_at IS NULL
   )
   SELECT ${countDue("e.status = 'active'")} AS due, ${countDue("e.status <> 'active'")} AS held,
     greatest(0, coalesce(extract(epoch FROM now() - min(first_due) FILTER (WHERE status = 'active')), 0))::float8
       AS oldest
   FROM e`,
);

/** Counts at most `limit` due deliveries of each kind, which bounds the cost of a large backlog. */
export async function readDueWork(core: Core, limit: number): Promise<DueWork> {
  const [row] = await core.database.query<{ due: number; held: number; oldest: number }>(read, [limit]);
  if (row === undefined) throw new Error('The due deliveries could not be counted.');
  return { limit, due: row.due, held: row.held, oldestDueAgeSeconds: row.oldest };
}
