import { retryOnConflict } from '../../db/database-error.ts';
import { accountsOf, type Queryable, systemStatement } from '../../db/queryable.ts';
import type { HandOff } from '../../outbox/delivery-queue.ts';
import { maxInlineBodyBytes } from '../../outbox/hand-off.ts';
import { isFree, leaseKeys, ofHolder } from '../../outbox/leases.ts';
import type { Core } from '../../verbs/context.ts';

/** Asks for at most `limit` due deliveries of an endpoint. */
export interface ClaimRequest {
  accountId: string;
  endpointId: string;
  limit: number;
}

/** A due delivery that this worker holds until its lease ends. */
export interface ClaimedDelivery {
  deliveryId: string;
  accountId: string;
  eventId: string;
  eventType: string;
  /** The event's position in the sequence of its account. */
  sequence: string;
  endpointId: string;
  /** Version (xmin) of the endpoint's row when the delivery was leased. */
  endpointVersion: string;
  /** The exact bytes to send; null for a large body, which is loaded when it is sent (`loadBody`). */
  body: Buffer | null;
  /** Size of `body` in bytes. */
  bodyBytes: number;
  /** This attempt's number, from 1, over all triggers. */
  attempt: number;
  /** Automatic attempts made before this one. */
  step: number;
  trigger: 'automatic' | 'manual' | 'test';
  /** True if an automatic attempt stays scheduled after this manual one. */
  scheduled: boolean;
  leaseToken: string;
  /** True for the one delivery that tests whether an endpoint with an open breaker is back. */
  probe?: boolean;
  /** True if its claim counts for the limits of its endpoint. */
  gated?: boolean;
  /** The trace of the request that emitted the event. */
  traceparent?: string | undefined;
}

export interface EndpointClaims {
  claims: ClaimedDelivery[];
  /** Version (xmin) of the endpoint's row; undefined if it does not exist. */
  version: string | undefined;
  /** True if max_concurrency reduced the claim. */
  full: boolean;
}

/** A row of `selectClaimed`. An endpoint without claims has one whose `deliveryId` is null. */
export interface ClaimedRow extends Omit<ClaimedDelivery, 'deliveryId' | 'body' | 'traceparent'> {
  deliveryId: string | null;
  thin: boolean | null;
  body: string | null;
  traceparent: string | null;
}

/**
 * SELECT of the rows `claimed` of `due`, per endpoint of `e`, with their events. The length of a large body is read
 * without the body.
 */
export const selectClaimed = `SELECT e.id AS "endpointId", e.account_id AS "accountId", e.version AS "endpointVersion",
     c.delivery_id AS "deliveryId", c.event_id AS "eventId", c.attempt_count AS attempt, c.step, c.thin,
     CASE WHEN c.test THEN 'test' WHEN c.due_at = c.next_attempt_at THEN 'automatic' ELSE 'manual' END AS trigger,
     c.next_attempt_at IS NOT NULL AS scheduled, c.lease_token AS "leaseToken", ev.*
   FROM e LEFT JOIN claimed c ON c.endpoint_id = e.id
   LEFT JOIN LATERAL (
     SELECT type AS "eventType", position AS sequence, traceparent, octet_length(body) AS "bodyBytes",
       CASE WHEN NOT c.thin AND octet_length(body) <= ${maxInlineBodyBytes} THEN body END AS body
     FROM event WHERE id = c.event_id AND account_id = c.account_id LIMIT 1
   ) ev ON true`;

// A LIMIT that is a parameter is guessed as a tenth of the table. The array and the inner LIMIT keep the planner from
// reading the whole of `due` and `event` because of that guess. `due_at` is reset to the schedule if that is due too, so
// that a manual retry requested from now on counts as new.
const claim = systemStatement(
  'claim_deliveries',
  `WITH e AS MATERIALIZED (
     SELECT id, account_id, xmin::text AS version, status = 'active' AND deleted_at IS NULL AND NOT gated AS open
     FROM webhook_endpoint WHERE id = ANY ($1::text[]) AND account_id = ANY ($5::text[])
   ),
   picked AS (
     SELECT d.delivery_id FROM unnest($1::text[], $2::int[]) AS w (endpoint_id, n)
     JOIN e ON e.id = w.endpoint_id AND e.open
     CROSS JOIN LATERAL (
       SELECT delivery_id FROM due
       WHERE endpoint_id = w.endpoint_id AND account_id = e.account_id AND due_at <= now() AND ${isFree()}
       ORDER BY due_at LIMIT w.n FOR UPDATE SKIP LOCKED
     ) d
   ),
   claimed AS (
     UPDATE due SET lease_token = $3, lease_until = now() + $4::int * interval '1 millisecond',
       attempt_count = attempt_count + 1, due_at = CASE WHEN next_attempt_at <= now() THEN next_attempt_at ELSE due_at END
     WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM picked)) AND account_id = ANY ($5::text[])
     RETURNING due.*
   )
   ${selectClaimed}
   ORDER BY c.endpoint_id, c.due_at, c.delivery_id`,
);

/**
 * Leases due deliveries of several endpoints, oldest first, for `leaseMs`. A lease that ends without a record makes the
 * delivery claimable again. Claims nothing of an endpoint that is paused, disabled, deleted, or gated (`claimGated`).
 * Each endpoint is named once.
 */
export async function claimDeliveries(
  core: Core,
  requests: readonly ClaimRequest[],
  leaseMs: number,
): Promise<EndpointClaims[]> {
  const rows = await core.database.query<ClaimedRow>(claim, [
    requests.map(({ endpointId }) => endpointId),
    requests.map(({ limit }) => limit),
    core.newId('req'),
    leaseMs,
    accountsOf(requests),
  ]);
  return toEndpointClaims(core.database, requests, rows);
}

// A separate statement: a claim that could read `delivery` would open all its partitions each time.
const loadThin = systemStatement(
  'load_thin_bodies',
  'SELECT id, thin_body FROM delivery WHERE id = ANY ($1::text[]) AND account_id = ANY ($2::text[])',
);

/** The claims of each request, in the order of the requests. */
export async function toEndpointClaims(
  db: Queryable,
  requests: readonly ClaimRequest[],
  rows: readonly ClaimedRow[],
): Promise<EndpointClaims[]> {
  const thin = rows.filter((row) => row.thin);
  const values = [thin.map(({ deliveryId }) => deliveryId), accountsOf(thin)];
  const bodies = thin.length === 0 ? [] : await db.query<{ id: string; thin_body: string | null }>(loadThin, values);
  const thinBodies = new Map(bodies.map(({ id, thin_body }) => [id, thin_body]));
  const found = Map.groupBy(rows, ({ endpointId }) => endpointId);
  return requests.map(({ endpointId }) => {
    const mine = found.get(endpointId) ?? [];
    const claims = mine.flatMap((row) => toClaim(row, thinBodies));
    return { claims, version: mine[0]?.endpointVersion, full: false };
  });
}

function toClaim(
  { thin, deliveryId, ...row }: ClaimedRow,
  thinBodies: ReadonlyMap<string, string | null>,
): ClaimedDelivery[] {
  if (deliveryId === null) return [];
  const text = thin ? (thinBodies.get(deliveryId) ?? null) : row.body;
  // Without its thin body the worker would send the whole event.
  if (thin && text === null) return [];
  const body = text === null ? null : Buffer.from(text);
  const { bodyBytes, traceparent } = row;
  return [{ ...row, deliveryId, body, bodyBytes: body?.length ?? bodyBytes, traceparent: traceparent ?? undefined }];
}

/** The deliveries of a hand-off, leased by the transaction that stored them. */
export function toClaims({ accountId, eventId, eventType, sequence, ...handOff }: HandOff): ClaimedDelivery[] {
  const { body, bodyBytes, traceparent, deliveries } = handOff;
  const bytes = body === null ? null : Buffer.from(body);
  return deliveries.map(({ id, endpointId, endpointVersion }) => ({
    deliveryId: id,
    accountId,
    eventId,
    eventType,
    sequence,
    endpointId,
    endpointVersion,
    body: bytes,
    bodyBytes,
    attempt: 1,
    step: 0,
    trigger: 'automatic',
    scheduled: true,
    leaseToken: eventId,
    traceparent,
  }));
}

const extend = systemStatement(
  'extend_leases',
  `UPDATE due SET lease_until = now() + $4::int * interval '1 millisecond' ${ofHolder}
   RETURNING delivery_id AS id, (SELECT e.xmin::text FROM webhook_endpoint e
     WHERE e.id = due.endpoint_id AND e.account_id = due.account_id) AS version`,
);

/** Extends leases to `leaseMs` from now. Returns the deliveries still held, with the version of their endpoint's row. */
export async function extendLeases(
  core: Core,
  claims: readonly ClaimedDelivery[],
  leaseMs: number,
): Promise<ReadonlyMap<string, string>> {
  const values = [...leaseKeys(claims), leaseMs];
  const rows = await retryOnConflict(() => core.database.query<{ id: string; version: string }>(extend, values));
  return new Map(rows.map(({ id, version }) => [id, version]));
}
