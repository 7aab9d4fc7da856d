import { accountsOf, systemStatement } from '../../db/queryable.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Core } from '../../verbs/context.ts';
import { lockGates, queueOrder } from '../webhooks/endpoint-flow.ts';
import {
  type ClaimedRow,
  type ClaimRequest,
  claimedEventSql,
  type EndpointClaims,
  perEndpoint,
  withThinBodies,
} from './claim-deliveries.ts';
import { type Gate, readGates } from './read-gates.ts';

/** In ms: of the leases, and how long a probe that came to no end counts. */
export interface GatedTimes {
  readonly leaseMs: number;
  readonly probeMs: number;
}

/** Locks the rows of endpoints whose sends are bounded, of $1 of the accounts $2. */
export const lockFlows = systemStatement(
  'lock_endpoint_flow',
  lockGates('id = ANY ($1::text[]) AND account_id = ANY ($2::text[])'),
);

const isFree = '(lease_until IS NULL OR lease_until < statement_timestamp())';
const isManual = (table = ''): string => `${table}due_at IS DISTINCT FROM ${table}next_attempt_at`;

// Of an ordered endpoint what is claimed is the beginning of its queue, as far as it is due and free; a delivery without a
// schedule (a test, or one that had ended and is tried again) stands outside. An UPDATE checks again what it waited for; of a
// queue the rows are locked before, because a head that a late record moves or holds meanwhile must hold up all of it.
const claim = systemStatement(
  'claim_gated',
  `WITH w AS (
     SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::boolean[], $5::boolean[], $6::float8[], $9::text[],
       $10::float8[]) AS w (id, room, automatic, ordered, probe, tokens, account_id, at)
   ),
   manual AS (
     SELECT w.id AS endpoint_id, d.delivery_id FROM w CROSS JOIN LATERAL (
       SELECT delivery_id FROM due
       WHERE endpoint_id = w.id AND account_id = w.account_id AND ${isManual()} AND due_at <= statement_timestamp() AND ${isFree}
         AND (NOT w.ordered OR next_attempt_at IS NULL)
       ORDER BY due_at LIMIT w.room FOR UPDATE SKIP LOCKED
     ) d
   ),
   automatic AS (
     SELECT d.delivery_id FROM w CROSS JOIN LATERAL (
       SELECT delivery_id FROM due
       WHERE endpoint_id = w.id AND account_id = w.account_id AND due_at = next_attempt_at AND due_at <= statement_timestamp() AND ${isFree}
       ORDER BY due_at
       LIMIT greatest(0, least(w.automatic, w.room - (SELECT count(*) FROM manual m WHERE m.endpoint_id = w.id)))
       FOR UPDATE SKIP LOCKED
     ) d WHERE NOT w.ordered AND w.automatic > 0
   ),
   queue AS (
     SELECT w.id AS endpoint_id, w.account_id, d.delivery_id, d.due_at, d.place,
       bool_and(d.due_at <= statement_timestamp() AND ${isFree} AND (w.automatic > 0 OR ${isManual()}))
         OVER (PARTITION BY w.id ORDER BY d.place)
         AND d.place <= w.room - (SELECT count(*) FROM manual m WHERE m.endpoint_id = w.id) AS ready
     FROM w CROSS JOIN LATERAL (
       SELECT f.*, row_number() OVER (ORDER BY ${queueOrder}) AS place FROM (
         SELECT delivery_id, position, due_at, next_attempt_at, lease_until FROM due
         WHERE endpoint_id = w.id AND account_id = w.account_id AND next_attempt_at IS NOT NULL
         ORDER BY ${queueOrder} LIMIT greatest(w.automatic, 1)
       ) f
     ) d WHERE w.ordered
   ),
   locked AS (
     SELECT d.delivery_id FROM queue q CROSS JOIN LATERAL (
       SELECT delivery_id, due_at FROM due
       WHERE delivery_id = q.delivery_id AND account_id = q.account_id AND ${isFree} LIMIT 1 FOR UPDATE SKIP LOCKED
     ) d WHERE q.ready AND d.due_at = q.due_at
   ),
   first AS (
     SELECT q.delivery_id, bool_and(l.delivery_id IS NOT NULL) OVER (PARTITION BY q.endpoint_id ORDER BY q.place) AS ready
     FROM queue q LEFT JOIN locked l ON l.delivery_id = q.delivery_id
   ),
   claimed AS (
     UPDATE due SET lease_token = $7, lease_until = statement_timestamp() + $8::int * interval '1 millisecond',
       attempt_count = attempt_count + 1
     WHERE delivery_id = ANY (ARRAY(
       SELECT delivery_id FROM manual UNION ALL SELECT delivery_id FROM automatic
       UNION ALL SELECT delivery_id FROM first WHERE ready)) AND account_id = ANY ($9::text[]) AND ${isFree}
     RETURNING due.*
   ),
   noted AS (
     UPDATE endpoint_flow f SET
       tokens = CASE WHEN w.tokens = 'Infinity' THEN NULL ELSE w.tokens - c.n END,
       tokens_at = CASE WHEN w.tokens = 'Infinity' THEN NULL ELSE greatest(f.tokens_at, to_timestamp(w.at / 1000)) END,
       probed_at = CASE WHEN w.probe AND c.automatic > 0 THEN statement_timestamp() ELSE f.probed_at END,
       held = c.ids || ARRAY(
         SELECT delivery_id FROM due
         WHERE delivery_id = ANY (f.held) AND account_id = f.account_id AND lease_until >= statement_timestamp()),
       head_id = (SELECT delivery_id FROM queue q WHERE q.endpoint_id = w.id AND q.place = 1)
     FROM w CROSS JOIN LATERAL (
       SELECT count(*) AS n, count(*) FILTER (WHERE due_at = next_attempt_at) AS automatic,
         coalesce(array_agg(delivery_id), '{}') AS ids
       FROM claimed WHERE endpoint_id = w.id
     ) c
     WHERE f.endpoint_id = w.id AND f.account_id = w.account_id
   )
   SELECT c.delivery_id, e.account_id, c.event_id, e.id AS endpoint_id, e.xmin::text AS version, c.attempt_count, c.step, c.test,
          NOT (${isManual('c.')}) AS automatic,
          c.next_attempt_at IS NOT NULL AS scheduled, ev.type, ev.body, ev.body_bytes, c.thin, ev.position, ev.traceparent
   FROM webhook_endpoint e LEFT JOIN claimed c ON c.endpoint_id = e.id
   LEFT JOIN LATERAL (SELECT ${claimedEventSql} FROM event WHERE id = c.event_id AND account_id = c.account_id LIMIT 1) ev ON true
   LEFT JOIN queue q ON q.delivery_id = c.delivery_id
   WHERE e.id = ANY ($1::text[]) AND e.account_id = ANY ($9::text[])
   ORDER BY c.endpoint_id, coalesce(q.place, 0), c.due_at, c.delivery_id`,
);

/**
 * Leases due deliveries of endpoints whose sends are bounded, as `claimDeliveries` does for the others: within the rate
 * limit, the concurrency, the order of the feed, the pause that the endpoint asked for and its circuit breaker, for all
 * workers together. What was asked for by hand waits for neither pause nor breaker. The answers are in the order of the
 * requests; each endpoint is named once.
 */
export async function claimGated(
  core: Core,
  requests: readonly ClaimRequest[],
  { leaseMs, probeMs }: GatedTimes,
): Promise<EndpointClaims[]> {
  const refs = requests.map(({ endpointId: id, accountId }) => ({ id, accountId }));
  const leaseToken = core.newId('req');
  const { gates, rows } = await transaction(core, { records: 'nothing' }, async (tx) => {
    await tx.query(lockFlows, [refs.map(({ id }) => id), accountsOf(refs)]);
    // Only a statement that begins after the lock sees what the claim before wrote.
    const open = await readGates(tx, refs, probeMs);
    const places = requests.flatMap((request) => toPlace(open.get(request.endpointId), request));
    if (places.length === 0) return { gates: open, rows: [] };
    const claimed = await tx.query<ClaimedRow>(claim, [
      places.map(({ id }) => id),
      places.map(({ room }) => room),
      places.map(({ automatic }) => automatic),
      places.map(({ ordered }) => ordered),
      places.map(({ probe }) => probe),
      places.map(({ tokens }) => tokens),
      leaseToken,
      leaseMs,
      places.map(({ accountId }) => accountId),
      places.map(({ at }) => at),
    ]);
    return { gates: open, rows: await withThinBodies(tx, claimed) };
  });
  return perEndpoint(requests, rows, leaseToken).map((found, i) => {
    const verdict = gates.get(requests[i]?.endpointId ?? '')?.verdict;
    const limit = requests[i]?.limit ?? 0;
    const claims = found.claims.map((one) => ({
      ...one,
      gated: true,
      probe: verdict?.probe === true && one.trigger === 'automatic',
    }));
    const full = verdict?.reason === 'concurrency' && verdict.room < limit && claims.length >= verdict.room;
    return { ...found, claims, full };
  });
}

interface Place {
  id: string;
  accountId: string;
  room: number;
  automatic: number;
  ordered: boolean;
  probe: boolean;
  tokens: number;
  at: number;
}

function toPlace(gate: Gate | undefined, { accountId, limit }: ClaimRequest): Place[] {
  if (gate === undefined || gate.verdict.room === 0) return [];
  const { room, automatic, probe, tokens } = gate.verdict;
  return [
    {
      id: gate.endpointId,
      accountId,
      room: Math.min(room, limit),
      automatic: Math.min(automatic, limit),
      ordered: gate.ordered,
      probe,
      tokens,
      at: gate.at,
    },
  ];
}
