import { accountsOf, systemStatement } from '../../db/queryable.ts';
import { isFree, leaseKeys, releaseLeases, releaseSql } from '../../outbox/leases.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Core } from '../../verbs/context.ts';
import { lockGates, queueOrder } from '../webhooks/endpoint-flow.ts';
import {
  type ClaimedDelivery,
  type ClaimedRow,
  type ClaimRequest,
  type EndpointClaims,
  selectClaimed,
  toEndpointClaims,
} from './claim-deliveries.ts';
import { type Gate, readGates } from './read-gates.ts';

/** Locks the limits of endpoints ($1) of accounts ($2). */
const lockFlows = systemStatement(
  'lock_endpoint_flow',
  lockGates('id = ANY ($1::text[]) AND account_id = ANY ($2::text[])'),
);

// The transaction waited for a lock before this statement, so now() is too early.
const isFreeNow = (due = 'due'): string => isFree(due, 'statement_timestamp()');
const isManual = 'due_at IS DISTINCT FROM next_attempt_at';

// `manual` and `automatic` are claims of endpoints without an order. Of an ordered endpoint, the beginning of its `queue` is
// claimed, as far as it is due and free; deliveries without a schedule (tests, and manual retries of ended ones) are not part
// of the queue. Its rows are locked before the UPDATE, because a head that a late record holds or moves blocks all others.
const claim = systemStatement(
  'claim_gated',
  `WITH w AS MATERIALIZED (
     SELECT * FROM json_to_recordset($1) AS w (id text, account_id text, room int, automatic int, ordered boolean,
       probe boolean, tokens float8, at float8)
   ),
   e AS (
     SELECT id, account_id, xmin::text AS version FROM webhook_endpoint
     WHERE id = ANY (ARRAY(SELECT id FROM w)) AND account_id = ANY ($2::text[])
   ),
   manual AS (
     SELECT w.id AS endpoint_id, d.delivery_id FROM w CROSS JOIN LATERAL (
       SELECT delivery_id FROM due
       WHERE endpoint_id = w.id AND account_id = w.account_id AND ${isManual} AND due_at <= statement_timestamp() AND ${isFreeNow()}
         AND (NOT w.ordered OR next_attempt_at IS NULL)
       ORDER BY due_at LIMIT w.room FOR UPDATE SKIP LOCKED
     ) d
   ),
   automatic AS (
     SELECT d.delivery_id FROM w CROSS JOIN LATERAL (
       SELECT delivery_id FROM due
       WHERE endpoint_id = w.id AND account_id = w.account_id AND due_at = next_attempt_at AND due_at <= statement_timestamp() AND ${isFreeNow()}
       ORDER BY due_at
       LIMIT greatest(0, least(w.automatic, w.room - (SELECT count(*) FROM manual m WHERE m.endpoint_id = w.id)))
       FOR UPDATE SKIP LOCKED
     ) d WHERE NOT w.ordered AND w.automatic > 0
   ),
   queue AS (
     SELECT w.id AS endpoint_id, w.account_id, d.delivery_id, d.due_at, d.place,
       bool_and(d.due_at <= statement_timestamp() AND ${isFreeNow('d')} AND (w.automatic > 0 OR ${isManual}))
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
       WHERE delivery_id = q.delivery_id AND account_id = q.account_id AND ${isFreeNow()} LIMIT 1 FOR UPDATE SKIP LOCKED
     ) d WHERE q.ready AND d.due_at = q.due_at
   ),
   first AS (
     SELECT q.delivery_id, bool_and(l.delivery_id IS NOT NULL) OVER (PARTITION BY q.endpoint_id ORDER BY q.place) AS ready
     FROM queue q LEFT JOIN locked l ON l.delivery_id = q.delivery_id
   ),
   claimed AS (
     UPDATE due SET lease_token = $3, lease_until = statement_timestamp() + $4::int * interval '1 millisecond',
       attempt_count = attempt_count + 1
     WHERE delivery_id = ANY (ARRAY(
       SELECT delivery_id FROM manual UNION ALL SELECT delivery_id FROM automatic
       UNION ALL SELECT delivery_id FROM first WHERE ready)) AND account_id = ANY ($2::text[]) AND ${isFreeNow()}
     RETURNING due.*
   ),
   noted AS (
     UPDATE endpoint_flow f SET
       tokens = w.tokens - c.n,
       tokens_at = CASE WHEN w.tokens IS NOT NULL THEN greatest(f.tokens_at, to_timestamp(w.at / 1000)) END,
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
   ${selectClaimed}
   LEFT JOIN queue q ON q.delivery_id = c.delivery_id
   ORDER BY c.endpoint_id, coalesce(q.place, 0), c.due_at, c.delivery_id`,
);

/**
 * `claimDeliveries` for gated endpoints: within rate limit, concurrency, order, the pause that the endpoint asked for and
 * its circuit breaker, for all workers together. Manual attempts wait for neither pause nor breaker. A probe without a result
 * counts as in flight for `probeMs`.
 */
export async function claimGated(
  core: Core,
  requests: readonly ClaimRequest[],
  { leaseMs, probeMs }: { readonly leaseMs: number; readonly probeMs: number },
): Promise<EndpointClaims[]> {
  const refs = requests.map(({ endpointId: id, accountId }) => ({ id, accountId }));
  return transaction(core, { records: 'nothing' }, async (tx) => {
    await tx.query(lockFlows, [refs.map(({ id }) => id), accountsOf(refs)]);
    // A separate statement, which sees what the previous holder of the lock wrote.
    const gates = await readGates(tx, refs, probeMs);
    const wanted = requests.flatMap((request) => toWanted(request, gates.get(request.endpointId)));
    const values = [JSON.stringify(wanted), accountsOf(refs), core.newId('req'), leaseMs];
    const rows = wanted.length === 0 ? [] : await tx.query<ClaimedRow>(claim, values);
    const found = await toEndpointClaims(tx, requests, rows);
    return found.map((one, i) => withGate(one, requests[i], gates));
  });
}

/** A row of `w`. JSON has no Infinity: without a limit of the rate, `tokens` is null. */
function toWanted({ accountId, endpointId: id, limit }: ClaimRequest, gate: Gate | undefined) {
  if (gate === undefined || gate.room === 0) return [];
  const { room, automatic, ordered, probe, tokens, at } = gate;
  const [most, mostAutomatic] = [Math.min(room, limit), Math.min(automatic, limit)];
  return [{ id, account_id: accountId, room: most, automatic: mostAutomatic, ordered, probe, tokens, at }];
}

function withGate(
  found: EndpointClaims,
  request: ClaimRequest | undefined,
  gates: ReadonlyMap<string, Gate>,
): EndpointClaims {
  const gate = request && gates.get(request.endpointId);
  if (request === undefined || gate === undefined) return found;
  const claims = found.claims.map((one) => ({
    ...one,
    gated: true,
    probe: gate.probe && one.trigger === 'automatic',
  }));
  const full = gate.reason === 'concurrency' && gate.room < request.limit && claims.length >= gate.room;
  return { ...found, claims, full };
}

// Also returns the tokens of the rate limit, and ends probes, which would block the next one.
const releaseGated = systemStatement(
  'release_gated_claims',
  `WITH released AS (${releaseSql} RETURNING delivery_id, endpoint_id, account_id)
   UPDATE endpoint_flow f SET tokens = f.tokens + r.n, probed_at = CASE WHEN r.probes > 0 THEN NULL ELSE f.probed_at END
   FROM (
     SELECT endpoint_id, account_id, count(*) AS n, count(*) FILTER (WHERE delivery_id = ANY ($4::text[])) AS probes
     FROM released GROUP BY endpoint_id, account_id
   ) r
   WHERE f.endpoint_id = r.endpoint_id AND f.account_id = r.account_id`,
);

/** Undoes claims without an attempt. */
export async function releaseClaims(core: Core, claims: readonly ClaimedDelivery[]): Promise<void> {
  const gated = claims.filter((one) => one.gated);
  const others = claims.filter((one) => !one.gated);
  await releaseLeases(core.database, others);
  if (gated.length === 0) return;
  const endpoints = [...new Set(gated.map(({ endpointId }) => endpointId))];
  const probes = gated.filter(({ probe }) => probe).map(({ deliveryId }) => deliveryId);
  await transaction(core, { records: 'nothing' }, async (tx) => {
    // Claims lock these rows first, too.
    await tx.query(lockFlows, [endpoints, accountsOf(gated)]);
    await tx.query(releaseGated, [...leaseKeys(gated), probes]);
  });
}
