import { decideGate, type GateState, type GateVerdict } from '@finhook/delivery';
import { accountsOf, type Queryable, systemStatement } from '../../db/queryable.ts';
import type { EndpointRef } from '../../outbox/delivery-queue.ts';
import { isFree } from '../../outbox/leases.ts';
import type { Core } from '../../verbs/context.ts';

const ms = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

// Held deliveries are found by key (`f.held`): counting leases would read an endpoint's whole backlog.
const read = systemStatement(
  'read_gates',
  `SELECT e.id, ${ms('statement_timestamp()')} AS at, e.rate_limit_requests::float8 / e.rate_limit_seconds AS "rateLimit",
     e.paced_to AS "pacedTo", e.max_concurrency AS "maxConcurrency", e.ordered, e.breaker = 'open' AS "breakerOpen",
     ${ms('e.next_probe_at')} AS "nextProbeAt", ${ms('e.hold_until')} AS "holdUntil",
     ${ms('f.probed_at')} AS "probedAt", f.tokens, ${ms('f.tokens_at')} AS "tokensAt",
     (SELECT count(*)::int FROM due WHERE delivery_id = ANY (f.held)
      AND account_id = f.account_id AND lease_until >= statement_timestamp()) AS held
   FROM webhook_endpoint e LEFT JOIN endpoint_flow f ON f.endpoint_id = e.id AND f.account_id = e.account_id
   WHERE e.id = ANY ($1::text[]) AND e.account_id = ANY ($2::text[]) AND e.status = 'active' AND e.deleted_at IS NULL`,
);

/** The limits of an endpoint at the moment `at` of the database's clock, in ms. */
export interface Gate extends GateVerdict {
  at: number;
  ordered: boolean;
}

/** Returns the gates of active endpoints, by id. A probe without a result counts for `probeMs`. */
export async function readGates(
  db: Queryable,
  endpoints: readonly EndpointRef[],
  probeMs: number,
): Promise<Map<string, Gate>> {
  const rows = await db.query<GateState & { id: string; at: number }>(read, [
    endpoints.map(({ id }) => id),
    accountsOf(endpoints),
  ]);
  return new Map(
    rows.map(({ id, at, ...state }) => [id, { ...decideGate(state, at, probeMs), at, ordered: state.ordered }]),
  );
}

const readNext = systemStatement(
  'read_next_due',
  `SELECT w.id,
     (SELECT ${ms('d.due_at - statement_timestamp()')} FROM due d
      WHERE d.endpoint_id = w.id AND d.account_id = w.account_id AND ${isFree('d', 'statement_timestamp()')}
      ORDER BY d.due_at LIMIT 1) AS next_in_ms,
     h.delivery_id AS head_id, ${ms('h.due_at - statement_timestamp()')} AS head_in_ms,
     coalesce(h.lease_until >= statement_timestamp(), false) AS head_held
   FROM unnest($1::text[], $2::text[], $3::boolean[]) AS w (id, account_id, ordered)
   LEFT JOIN endpoint_flow f ON w.ordered AND f.endpoint_id = w.id AND f.account_id = w.account_id
   LEFT JOIN due h ON h.delivery_id = f.head_id AND h.account_id = w.account_id`,
);

interface NextRow {
  id: string;
  next_in_ms: number | null;
  head_id: string | null;
  head_in_ms: number | null;
  head_held: boolean;
}

/** `gated`: as loaded. */
export interface NextDueRequest extends EndpointRef {
  readonly gated: boolean;
}

/** Milliseconds until a claim may find a delivery of each endpoint; null without one, or if a request must end first. */
export async function readNextDueInMs(
  core: Core,
  endpoints: readonly NextDueRequest[],
  probeMs: number,
): Promise<(number | null)[]> {
  const gated = endpoints.filter((endpoint) => endpoint.gated);
  const gates = gated.length === 0 ? new Map<string, Gate>() : await readGates(core.database, gated, probeMs);
  const rows = await core.database.query<NextRow>(readNext, [
    endpoints.map(({ id }) => id),
    endpoints.map(({ accountId }) => accountId),
    endpoints.map(({ id }) => gates.get(id)?.ordered ?? false),
  ]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return endpoints.map(({ id, gated: isGated }) => {
    const row = found.get(id);
    const opensInMs = isGated ? gates.get(id)?.opensInMs : 0;
    if (row === undefined || row.next_in_ms === null || opensInMs === undefined || row.head_held) return null;
    return Math.max(0, opensInMs, row.head_in_ms ?? row.next_in_ms);
  });
}
