import { type Queryable, statement } from '../../db/queryable.ts';
import { idTime, sqlOrderedChar, sqlRandomIdPart } from '../../ids/ids.ts';
import { currentPosition } from '../../outbox/sequence-sql.ts';
import { thinAgainSql } from '../../outbox/subscription-sql.ts';
import type { Core } from '../../verbs/context.ts';
import { inRange, isWanted, matchValues } from './match-events.ts';
import type { StepPlan } from './plan-step.ts';
import type { ReplayRow } from './replay.ts';

export type ReplayToStep = ReplayRow & { endpoint_filtered: boolean };

/** Limits of events per step; with a payload filter, which may be slow. */
const MAX_SCANNED = 500;
const MAX_FILTERED = 100;
/** A requested delivery is attempted at once; its schedule begins after the first wait of a retry. */
const scheduleAfterMs = 5_000;

export interface Enqueued {
  enqueued: number;
  cursor: string | undefined;
  atEnd: boolean;
}

interface PageRow {
  enqueued: number;
  looked_at: number;
  position: string | null;
}

const behindCursor = `${inRange} AND ev.position > $10::bigint AND ev.position <= $11::bigint`;

// The subquery bound stops the scan at the last event of this step. All ids of a step have one time; the ordinal in them
// keeps the order of the feed, because claims sort by id.
const enqueue = statement(
  'enqueue_replay',
  `WITH bound AS MATERIALIZED (
     SELECT p.position, p.n FROM (
       SELECT ev.position, row_number() OVER (ORDER BY ev.position) AS n FROM event ev
       WHERE ${behindCursor} ORDER BY ev.position LIMIT $15::int
     ) p ORDER BY p.n DESC LIMIT 1
   ),
   taken AS MATERIALIZED (
     SELECT t.*, row_number() OVER (ORDER BY t.position) AS ordinal FROM (
       SELECT ev.id, ev.position, ev.account_id, ev.company_id, ev.type FROM event ev
       WHERE ${behindCursor} AND ev.position <= (SELECT position FROM bound)
         AND (SELECT ${isWanted} FROM webhook_endpoint e WHERE e.id = $2)
       ORDER BY ev.position LIMIT $12::int
     ) t
   ),
   dl AS (
     INSERT INTO delivery (id, account_id, company_id, event_id, event_type, endpoint_id, replay_id, next_attempt_at,
       created_at, updated_at, thin_body)
     SELECT 'dlv_' || $13::text || ${sqlOrderedChar('t.ordinal')} || substr(${sqlRandomIdPart}, 2), t.account_id,
       t.company_id, t.id, t.type, $2, $14, now() + $16::int * interval '1 millisecond', now(), now(),
       CASE WHEN (SELECT payload = 'thin' FROM webhook_endpoint WHERE id = $2) THEN ${thinAgainSql('t.id', 't.account_id')} END
     FROM taken t
     RETURNING id, account_id, event_id, endpoint_id, next_attempt_at, thin_body IS NOT NULL AS thin
   ),
   du AS (
     INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, position, due_at, next_attempt_at, thin)
     SELECT id, account_id, event_id, endpoint_id, ${currentPosition('$1')}, now(), next_attempt_at, thin FROM dl
   ),
   op AS (
     INSERT INTO replay_open (delivery_id, account_id, replay_id) SELECT id, account_id, $14 FROM dl
   )
   SELECT made.n AS enqueued, coalesce(bound.n, 0)::int AS looked_at, coalesce(t.position, bound.position) AS position
   FROM (SELECT count(*)::int AS n FROM taken) made
   LEFT JOIN bound ON true
   LEFT JOIN taken t ON t.ordinal = $12::int`,
);

/** Creates at most `room` (up to 31) deliveries of the next matching events after the replay's cursor, in feed order. */
export async function enqueueEvents(
  db: Queryable,
  core: Core,
  row: ReplayToStep,
  { room, requested = false }: Pick<StepPlan, 'room' | 'requested'>,
): Promise<Enqueued> {
  const most = row.endpoint_filtered ? MAX_FILTERED : MAX_SCANNED;
  const [page] = await db.query<PageRow>(enqueue, [
    ...matchValues(row),
    row.cursor_position,
    row.asked_position,
    room,
    idTime(core.clock.now().getTime()),
    row.id,
    most,
    requested ? scheduleAfterMs : 0,
  ]);
  if (!page) throw new Error('The events to replay could not be read.');
  return {
    enqueued: page.enqueued,
    cursor: page.position ?? undefined,
    atEnd: page.looked_at < most && page.enqueued < room,
  };
}
