import { isDeepStrictEqual } from 'node:util';
import type { BlockedBy, WebhookEndpoint as WebhookEndpointRecord } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { isFree } from '../../outbox/leases.ts';
import { toTimestamp } from '../../time/clock.ts';
import type { StoredEndpoint, WebhookEndpoint } from './webhook-endpoint.entity.ts';

/** SQL: by the event's position; after a redelivery, by the newest position at that time. */
export const queueOrder = 'position, delivery_id';

/** SQL: locks rows of `endpoint_flow`, ordered to avoid deadlocks; inserts missing ones. */
export const lockGates = (condition: string): string =>
  `INSERT INTO endpoint_flow (endpoint_id, account_id)
   SELECT id, account_id FROM webhook_endpoint WHERE ${condition} AND deleted_at IS NULL ORDER BY id
   ON CONFLICT (endpoint_id) DO UPDATE SET head_id = NULL WHERE false`;

export interface FlowInput {
  rate_limit?: WebhookEndpointRecord['rate_limit'] | undefined;
  max_concurrency?: number | null | undefined;
  ordered?: boolean | null | undefined;
}

export function flowColumns(
  input: FlowInput,
): Partial<Pick<WebhookEndpoint, 'rate_limit_requests' | 'rate_limit_seconds' | 'max_concurrency' | 'ordered'>> {
  const { rate_limit: rate, max_concurrency, ordered } = input;
  return {
    ...(rate === undefined
      ? {}
      : { rate_limit_requests: rate?.requests ?? null, rate_limit_seconds: rate?.per_seconds ?? null }),
    ...(max_concurrency === undefined ? {} : { max_concurrency }),
    ...(ordered === undefined ? {} : { ordered: ordered ?? false }),
  };
}

export function flowDiffers(before: StoredEndpoint, after: StoredEndpoint): boolean {
  const bounds = ({ url, rate_limit, max_concurrency, ordered, health }: StoredEndpoint) => [
    url,
    rate_limit,
    max_concurrency,
    ordered,
    health,
  ];
  return !isDeepStrictEqual(bounds(before), bounds(after));
}

/** For a new URL, or a manual reactivation. */
export function resetFlow(endpoint: WebhookEndpoint, now: Date): void {
  if (endpoint.breaker === 'open') endpoint.breaker_since = now;
  endpoint.breaker = 'closed';
  endpoint.next_probe_at = null;
  endpoint.probe_wait_ms = null;
  endpoint.unreachable_count = 0;
  endpoint.hold_until = null;
  endpoint.paced_to = null;
}

// Statuses whose Retry-After delays a delivery. `delivery` is read by key: no plan reads all of it.
const endWaits = statement(
  'end_waits_of_endpoint',
  `WITH waiting AS (
     UPDATE due SET due_at = now(), next_attempt_at = now()
     WHERE endpoint_id = $1 AND attempt_count > 0 AND due_at = next_attempt_at AND due_at > now()
       AND ${isFree()}
       AND (SELECT last_status_code FROM delivery WHERE id = due.delivery_id) IN (413, 425, 429, 502, 503, 504)
     RETURNING delivery_id
   )
   UPDATE delivery SET next_attempt_at = now() WHERE id = ANY (ARRAY(SELECT delivery_id FROM waiting))`,
);

/** Makes deliveries due that a previous receiver delayed by Retry-After. */
export async function expediteDelayed(db: Queryable, endpointId: string): Promise<void> {
  await db.query(endWaits, [endpointId]);
}

const readHeads = statement(
  'read_blocking_heads',
  `SELECT f.endpoint_id, d.id AS delivery_id, d.attempt_count AS attempts,
     (SELECT a.at FROM attempt a WHERE a.delivery_id = d.id ORDER BY a.n LIMIT 1) AS since
   FROM endpoint_flow f JOIN due ON due.delivery_id = f.head_id JOIN delivery d ON d.id = due.delivery_id
   WHERE f.endpoint_id = ANY ($1::text[]) AND d.attempt_count > 0`,
);

async function readBlockingHeads(db: Queryable, records: readonly StoredEndpoint[]): Promise<Map<string, BlockedBy>> {
  const endpointIds = records.filter((record) => record.ordered).map((record) => record.id);
  if (endpointIds.length === 0) return new Map();
  const rows = await db.query<{ endpoint_id: string; delivery_id: string; attempts: number; since: string | null }>(
    readHeads,
    [endpointIds],
  );
  return new Map(
    rows.flatMap(({ endpoint_id, delivery_id, attempts, since }) =>
      since === null ? [] : [[endpoint_id, { delivery_id, attempts, since: toTimestamp(since) }]],
    ),
  );
}

export async function completeRecord(db: Queryable, record: StoredEndpoint, now: Date): Promise<WebhookEndpointRecord> {
  const heads = await readBlockingHeads(db, [record]);
  return recordAt(record, heads, now);
}

export async function completeRecords(
  db: Queryable,
  records: readonly StoredEndpoint[],
  now: Date,
): Promise<WebhookEndpointRecord[]> {
  const heads = await readBlockingHeads(db, records);
  return records.map((record) => recordAt(record, heads, now));
}

function recordAt(record: StoredEndpoint, heads: ReadonlyMap<string, BlockedBy>, now: Date): WebhookEndpointRecord {
  return { ...record, blocked_by: heads.get(record.id) ?? null, health: healthAt(record.health, now.toISOString()) };
}

function healthAt(health: StoredEndpoint['health'], now: string): StoredEndpoint['health'] {
  const { state, next_probe_at: probe, wait_until: until } = health;
  const isProbing = state === 'open' && probe !== null && probe <= now;
  return {
    ...health,
    state: isProbing ? 'half_open' : state,
    wait_until: until !== null && until > now ? until : null,
  };
}

// `due_at` that differs from the schedule marks a manual retry, which an open breaker does not hold.
const expedite = statement(
  'expedite_first_delivery',
  `UPDATE due SET due_at = now()
   WHERE (due_at > now() OR due_at = next_attempt_at) AND ${isFree()} AND delivery_id = coalesce(
     (SELECT h.delivery_id FROM endpoint_flow f JOIN due h ON h.delivery_id = f.head_id WHERE f.endpoint_id = $1),
     (SELECT delivery_id FROM due WHERE endpoint_id = $1 ORDER BY due_at, ${queueOrder} LIMIT 1))
   RETURNING delivery_id`,
);

/**
 * Makes the endpoint's next delivery due now, like a manual retry; for an ordered endpoint the one that blocks the
 * others. Returns its id; undefined if none waits, or if it is due or being sent already.
 */
export async function expediteFirst(db: Queryable, endpointId: string): Promise<string | undefined> {
  const [first] = await db.query<{ delivery_id: string }>(expedite, [endpointId]);
  return first?.delivery_id;
}
