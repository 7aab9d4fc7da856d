import { maxCountedMatches } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { idBeyond, leastId } from '../../lists/keyset.ts';
import { acceptsSql } from '../../outbox/emit.ts';
import { notAboutItself, subscribes } from '../../outbox/subscription-sql.ts';
import type { ReplayRow } from './replay.ts';

export type EventCriteria = Pick<
  ReplayRow,
  'account_id' | 'endpoint_id' | 'selection' | 'since' | 'until' | 'types' | 'company_id'
>;

export function matchValues(match: EventCriteria): unknown[] {
  return [
    match.account_id,
    match.endpoint_id,
    match.selection,
    match.since,
    match.until,
    match.types,
    match.company_id,
    leastId('evt', Date.parse(match.since)),
    idBeyond('evt', match.until === null ? Number.POSITIVE_INFINITY : Date.parse(match.until)),
  ];
}

/** Limits a scan of `event ev` to the account, and to the partitions and index entries of the period. */
export const inRange = 'ev.account_id = $1 AND ev.id >= $8 AND ev.id < $9';

// OFFSET 0 makes the planner begin with the event's few deliveries. A failed delivery with a manual retry in `due` is pending.
const isSelected = `(
  SELECT CASE $3::text
    WHEN 'all' THEN coalesce(bool_and(d.status <> 'pending'), true)
    WHEN 'failed' THEN coalesce(bool_or(d.status = 'failed') AND bool_and(d.status IN ('failed', 'cancelled')), false)
    ELSE coalesce(bool_and(d.status IN ('failed', 'cancelled')), true)
  END
  FROM (
    SELECT endpoint_id, CASE
        WHEN status = 'failed' AND (SELECT true FROM due WHERE delivery_id = delivery.id LIMIT 1) THEN 'pending'
        ELSE status
      END AS status
    FROM delivery WHERE event_id = ev.id OFFSET 0
  ) d WHERE d.endpoint_id = e.id
)`;

/** SQL: true if endpoint `e` subscribes to event `ev` today, and the replay selects it. */
export const isWanted = `NOT ev.test
  AND ev.created_at >= $4::timestamptz AND ($5::timestamptz IS NULL OR ev.created_at < $5::timestamptz)
  AND ($6::text[] IS NULL OR ev.type = ANY ($6::text[]))
  AND ($7::text IS NULL OR ev.company_id = $7::text)
  AND ${subscribes('ev', 'e')}
  AND ${notAboutItself('ev', 'e')}
  AND ${acceptsSql('ev.body')}
  AND ${isSelected}`;

const count = statement(
  'count_replay_matches',
  `SELECT count(*)::int AS count, min(created_at) AS oldest FROM (
     SELECT ev.created_at FROM event ev JOIN webhook_endpoint e ON e.id = $2
     WHERE ${inRange} AND ${isWanted} LIMIT ${maxCountedMatches}
   ) m`,
);

export interface Matches {
  /** At most `maxCountedMatches`. */
  count: number;
  /** When the oldest event was created. Null if there is none, and at the limit, where the count has not seen all. */
  oldest: Date | null;
}

export async function findMatches(db: Queryable, match: EventCriteria): Promise<Matches> {
  const [row] = await db.query<{ count: number; oldest: string | null }>(count, matchValues(match));
  const matched = row?.count ?? 0;
  const isAll = matched < maxCountedMatches;
  return { count: matched, oldest: isAll && row?.oldest != null ? new Date(row.oldest) : null };
}

export async function countMatches(db: Queryable, match: EventCriteria): Promise<number> {
  return (await findMatches(db, match)).count;
}
