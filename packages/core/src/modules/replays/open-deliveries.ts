import { type Queryable, statement } from '../../db/queryable.ts';
import { isFree } from '../../outbox/leases.ts';

export interface Settled {
  delivered: number;
  failed: number;
  cancelled: number;
  open: number;
  responses: number;
  slowest: number;
}

// The lateral LIMIT keeps the plan at one probe per open delivery.
const settle = statement(
  'settle_replay',
  `WITH stands AS MATERIALIZED (
     SELECT o.delivery_id, coalesce(d.status, 'cancelled') AS status,
       CASE WHEN d.status IN ('succeeded', 'failed') AND d.attempt_count = 1 THEN d.updated_at - d.created_at END AS took
     FROM replay_open o
     LEFT JOIN LATERAL (
       SELECT status, attempt_count, created_at, updated_at FROM delivery WHERE id = o.delivery_id LIMIT 1
     ) d ON true
     WHERE o.replay_id = $1
   ),
   ended AS (
     DELETE FROM replay_open WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM stands WHERE status <> 'pending'))
   )
   SELECT count(*) FILTER (WHERE status = 'succeeded')::int AS delivered,
     count(*) FILTER (WHERE status = 'failed')::int AS failed,
     count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
     count(*) FILTER (WHERE status = 'pending')::int AS open,
     count(took)::int AS responses, coalesce(extract(epoch FROM max(took)) * 1000, 0)::float8 AS slowest
   FROM stands`,
);

export async function settleReplay(db: Queryable, replayId: string): Promise<Settled> {
  const [row] = await db.query<Settled>(settle, [replayId]);
  return row ?? { delivered: 0, failed: 0, cancelled: 0, open: 0, responses: 0, slowest: 0 };
}

const cancel = statement(
  'cancel_replay_deliveries',
  `WITH gone AS (
     DELETE FROM due
     WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM replay_open WHERE replay_id = $1))
       AND ${isFree()}
     RETURNING delivery_id
   )
   UPDATE delivery SET status = 'cancelled', next_attempt_at = NULL, updated_at = now()
   WHERE id = ANY (ARRAY(SELECT delivery_id FROM gone)) AND status = 'pending'`,
);

export async function cancelOpen(db: Queryable, replayId: string): Promise<void> {
  await db.query(cancel, [replayId]);
}
