import { statement } from '../../db/queryable.ts';
import type { Core } from '../../kernel/context.ts';
import { idTime, readIdTime } from '../../kernel/ids.ts';

export interface RecentDeliveries {
  since: Date;
  truncated: boolean;
  succeeded: number;
  failed: number;
  cancelled: number;
  retrying: number;
  waiting: number;
}

const count = statement(
  'count_recent_deliveries',
  `SELECT count(*)::int AS total, min(id) AS first,
     count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
     count(*) FILTER (WHERE status = 'failed')::int AS failed,
     count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
     count(*) FILTER (WHERE status NOT IN ('succeeded', 'failed', 'cancelled') AND attempt_count > 0)::int AS retrying,
     count(*) FILTER (WHERE status NOT IN ('succeeded', 'failed', 'cancelled') AND attempt_count = 0)::int AS waiting
   FROM (SELECT id, status, attempt_count FROM delivery WHERE id > $1 ORDER BY id DESC LIMIT $2::int) d`,
);

type Counts = Omit<RecentDeliveries, 'since' | 'truncated'>;

/** Counts deliveries whose ids were created in the last `ms`, over all accounts: the youngest `limit` of them. */
export async function countRecentDeliveries(core: Core, ms: number, limit: number): Promise<RecentDeliveries> {
  const since = new Date(core.clock.now().getTime() - ms);
  const values = [`dlv_${idTime(since.getTime())}`, limit];
  const [row] = await core.database.query<Counts & { total: number; first: string | null }>(count, values);
  if (row === undefined) throw new Error('The deliveries could not be counted.');
  const { total, first, ...counts } = row;
  const truncated = total === limit && first !== null;
  return { ...counts, truncated, since: truncated ? new Date(readIdTime(first)) : since };
}
