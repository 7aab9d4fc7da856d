import type { ReplaySelection } from '@finhook/contracts';
import { acceptsSql } from '../../kernel/emit.ts';
import { idBeyond, leastId } from '../../kernel/keyset.ts';
import { notAboutItself, subscribes } from '../../kernel/subscribes.ts';

/** Which events of the past an endpoint is to be sent. */
export interface EventMatch {
  endpointId: string;
  accountId: string;
  selection: ReplaySelection;
  since: Date;
  until: Date | null;
  types: readonly string[] | null;
  companyId: string | null;
}

/** The values of a match, `$1` to `$9` of every statement that is made with the SQL below. */
export function matchValues(match: EventMatch): unknown[] {
  return [
    match.accountId,
    match.endpointId,
    match.selection,
    match.since.toISOString(),
    match.until?.toISOString() ?? null,
    match.types,
    match.companyId,
    leastId('evt', match.since.getTime()),
    idBeyond('evt', match.until?.getTime() ?? Number.POSITIVE_INFINITY),
  ];
}

/** Keeps a scan of `event ev` to the account and to the partitions and index entries of the time that is asked for. */
export const inRange = 'ev.account_id = $1 AND ev.id >= $8 AND ev.id < $9';

// Read per event, and only for one that passes the rest. The fence keeps the planner at the few deliveries of the event:
// those of the endpoint are many. What was given up and is retried by hand is under way as long as it is due.
const standing = `(
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

/** Whether `event ev` is to be sent to `webhook_endpoint e`: by what it subscribes to today, and by what is asked for. */
export const wanted = `NOT ev.test
  AND ev.created_at >= $4::timestamptz AND ($5::timestamptz IS NULL OR ev.created_at < $5::timestamptz)
  AND ($6::text[] IS NULL OR ev.type = ANY ($6::text[]))
  AND ($7::text IS NULL OR ev.company_id = $7::text)
  AND ${subscribes('ev', 'e')}
  AND ${notAboutItself('ev', 'e')}
  AND ${acceptsSql('ev.body')}
  AND ${standing}`;
