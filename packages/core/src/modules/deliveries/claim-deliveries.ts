import { retryOnConflict } from '../../db/database-error.ts';
import { accountsOf, type Queryable, systemStatement } from '../../db/queryable.ts';
import { leaseKeys, ofHolder } from '../../outbox/delivery-queue.ts';
import { type HandOff, maxInlineBodyBytes } from '../../outbox/hand-off.ts';
import type { Core } from '../../verbs/context.ts';

/** How many due deliveries of one endpoint to claim. */
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
  /** Of the endpoint's row when it was leased (`Target.version`). */
  endpointVersion: string;
  /** The exact bytes to send; null when they are so many that they are loaded when they are sent (`loadBody`). */
  body: Buffer | null;
  /** How many they are. */
  bodyBytes: number;
  /** This attempt's number, from 1, over all triggers. */
  attempt: number;
  /** Automatic attempts made before this one. */
  step: number;
  trigger: 'automatic' | 'manual' | 'test';
  /** Whether an automatic attempt is still scheduled whatever comes of this manual one. */
  scheduled: boolean;
  leaseToken: string;
  /** Whether it was let through an open breaker to see whether the endpoint is back. */
  probe?: boolean;
  /** True if its claim counts for the limits of its endpoint. */
  gated?: boolean;
  /** The trace of the request that emitted the event. */
  traceparent?: string | undefined;
}

/** What was claimed for one endpoint. */
export interface EndpointClaims {
  claims: ClaimedDelivery[];
  /** Of the endpoint's row (`Target.version`); undefined when it does not exist. */
  version: string | undefined;
  /** Whether others of it, which are in flight, are what left too little room. */
  full: boolean;
}

/** A claimed row as the claims return it; one without a delivery for an endpoint that has none. */
export interface ClaimedRow {
  version: string;
  delivery_id: string | null;
  account_id: string;
  event_id: string;
  type: string;
  endpoint_id: string;
  body: string | null;
  body_bytes: number;
  /** Null without a delivery. */
  thin: boolean | null;
  position: string;
  traceparent: string | null;
  attempt_count: number;
  step: number;
  test: boolean;
  automatic: boolean;
  scheduled: boolean;
}

interface ClaimRow extends ClaimedRow {
  /** What a delivery in the thin form sends in place of the body. */
  thin_body: string | null;
}

/** What claim `c` has of its event. The length of a body that is stored apart is known without reading it. */
export const claimedEventSql = `type, position, traceparent, octet_length(body) AS body_bytes,
     CASE WHEN NOT c.thin AND octet_length(body) <= ${maxInlineBodyBytes} THEN body END AS body`;

// A statement of its own, because a claim that could read deliveries would open all their partitions each time.
const loadThin = systemStatement(
  'load_thin_bodies',
  'SELECT id, thin_body FROM delivery WHERE id = ANY ($1::text[]) AND account_id = ANY ($2::text[])',
);

/** Adds to claimed rows what those in the thin form send. */
export async function withThinBodies(db: Queryable, rows: readonly ClaimedRow[]): Promise<ClaimRow[]> {
  const thin = rows.filter(({ thin: isThin }) => isThin);
  const values = [
    thin.map(({ delivery_id }) => delivery_id),
    accountsOf(thin.map((row) => ({ accountId: row.account_id }))),
  ];
  const found = thin.length === 0 ? [] : await db.query<{ id: string; thin_body: string }>(loadThin, values);
  const bodies = new Map(found.map(({ id, thin_body }) => [id, thin_body]));
  return rows.map((row) => ({ ...row, thin_body: bodies.get(row.delivery_id ?? '') ?? null }));
}

// A LIMIT that is a parameter is guessed as a tenth of the table. The array and the inner LIMIT keep the planner from
// reading the whole of `due` and `event` because of that guess. An attempt that is due by the schedule too is the retry that
// somebody asked for before it: `due_at` then tells of those only who ask while it is made.
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
       WHERE endpoint_id = w.endpoint_id AND account_id = e.account_id AND due_at <= now() AND (lease_until IS NULL OR lease_until < now())
       ORDER BY due_at LIMIT w.n FOR UPDATE SKIP LOCKED
     ) d
   ),
   claimed AS (
     UPDATE due SET lease_token = $3, lease_until = now() + $4::int * interval '1 millisecond',
       attempt_count = attempt_count + 1, due_at = CASE WHEN next_attempt_at <= now() THEN next_attempt_at ELSE due_at END
     WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM picked)) AND account_id = ANY ($5::text[])
     RETURNING due.*
   )
   SELECT c.delivery_id, e.account_id, c.event_id, e.id AS endpoint_id, e.version, c.attempt_count, c.step, c.test,
          c.next_attempt_at IS NOT NULL AND c.next_attempt_at <= now() AS automatic,
          c.next_attempt_at IS NOT NULL AS scheduled, ev.type, ev.body, ev.body_bytes, c.thin, ev.position, ev.traceparent
   FROM e LEFT JOIN claimed c ON c.endpoint_id = e.id
   LEFT JOIN LATERAL (SELECT ${claimedEventSql} FROM event WHERE id = c.event_id AND account_id = c.account_id LIMIT 1) ev ON true
   ORDER BY c.endpoint_id, c.due_at, c.delivery_id`,
);

/**
 * Leases due deliveries of several endpoints at once, oldest first, for `leaseMs`. A lease that ends without a record
 * (a worker that died) makes the row claimable again; no two workers hold the same row. An endpoint that is paused,
 * disabled or deleted yields nothing, and nor does one whose sends are bounded (`claimGated`). Each endpoint is named
 * once.
 */
export async function claimDeliveries(
  core: Core,
  requests: readonly ClaimRequest[],
  leaseMs: number,
): Promise<EndpointClaims[]> {
  const leaseToken = core.newId('req');
  const rows = await core.database.query<ClaimedRow>(claim, [
    requests.map(({ endpointId }) => endpointId),
    requests.map(({ limit }) => limit),
    leaseToken,
    leaseMs,
    accountsOf(requests),
  ]);
  return perEndpoint(requests, await withThinBodies(core.database, rows), leaseToken);
}

/** What was claimed for each request; each endpoint is named once. */
export function perEndpoint(
  requests: readonly ClaimRequest[],
  rows: readonly ClaimRow[],
  leaseToken: string,
): EndpointClaims[] {
  const found = Map.groupBy(rows, ({ endpoint_id }) => endpoint_id);
  return requests.map(({ endpointId }) => {
    const mine = found.get(endpointId) ?? [];
    return { claims: mine.flatMap((row) => toClaim(row, leaseToken)), version: mine[0]?.version, full: false };
  });
}

function toClaim(row: ClaimRow, leaseToken: string): ClaimedDelivery[] {
  // Without its thin form it must not get the whole event, which the worker would load.
  if (row.delivery_id === null || (row.thin === true && row.thin_body === null)) return [];
  const text = row.thin_body ?? row.body;
  const body = text === null ? null : Buffer.from(text);
  return [
    {
      deliveryId: row.delivery_id,
      accountId: row.account_id,
      eventId: row.event_id,
      eventType: row.type,
      sequence: row.position,
      endpointId: row.endpoint_id,
      endpointVersion: row.version,
      body,
      bodyBytes: body?.length ?? row.body_bytes,
      attempt: row.attempt_count,
      step: row.step,
      trigger: row.test ? 'test' : row.automatic ? 'automatic' : 'manual',
      scheduled: row.scheduled,
      leaseToken,
      traceparent: row.traceparent ?? undefined,
    },
  ];
}

/** The deliveries of a hand-off, which the transaction that stored them leased. */
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

/**
 * Extends leases to `leaseMs` from now; returns the deliveries that were still held, each with the version of its
 * endpoint's row (`Target.version`).
 */
export async function extendLeases(
  core: Core,
  claims: readonly ClaimedDelivery[],
  leaseMs: number,
): Promise<ReadonlyMap<string, string>> {
  const values = [...leaseKeys(claims), leaseMs];
  const rows = await retryOnConflict(() => core.database.query<{ id: string; version: string }>(extend, values));
  return new Map(rows.map(({ id, version }) => [id, version]));
}
