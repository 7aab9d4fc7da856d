import { isDeepStrictEqual } from 'node:util';
import type { BlockedBy, WebhookEndpoint as WebhookEndpointRecord } from '@finhook/contracts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';
import type { WebhookEndpoint } from './webhook-endpoint.entity.ts';

export interface FlowInput {
  rate_limit?: WebhookEndpointRecord['rate_limit'] | undefined;
  max_concurrency?: number | null | undefined;
  ordered?: boolean | null | undefined;
}

/** The columns of what its owner says about the flow to an endpoint; what is absent is not named. */
export function flowColumns(
  input: FlowInput,
): Partial<Pick<WebhookEndpoint, 'rateLimitRequests' | 'rateLimitSeconds' | 'maxConcurrency' | 'ordered'>> {
  const { rate_limit: rate, max_concurrency: most, ordered } = input;
  return {
    ...(rate === undefined
      ? {}
      : { rateLimitRequests: rate?.requests ?? null, rateLimitSeconds: rate?.per_seconds ?? null }),
    ...(most === undefined ? {} : { maxConcurrency: most }),
    ...(ordered === undefined ? {} : { ordered: ordered ?? false }),
  };
}

/** The fields of an endpoint's record that tell of the flow to it, as far as its row knows them: see `withFlow`. */
export function flowFieldsOf(
  endpoint: WebhookEndpoint,
): Pick<WebhookEndpointRecord, 'rate_limit' | 'max_concurrency' | 'ordered' | 'blocked_by' | 'health'> {
  const { rateLimitRequests: requests, rateLimitSeconds: perSeconds } = endpoint;
  return {
    rate_limit: requests == null || perSeconds == null ? null : { requests, per_seconds: perSeconds },
    max_concurrency: endpoint.maxConcurrency ?? null,
    ordered: endpoint.ordered,
    blocked_by: null,
    health: {
      state: endpoint.breaker,
      since: endpoint.breakerSince?.toISOString() ?? null,
      next_probe_at: endpoint.nextProbeAt?.toISOString() ?? null,
      consecutive_failures: endpoint.unreachableCount,
      wait_until: endpoint.holdUntil?.toISOString() ?? null,
      paced_to: endpoint.pacedTo ?? null,
    },
  };
}

/** Whether what bounds the sends differs, so that something which waited may be due now. */
export function flowDiffers(before: WebhookEndpointRecord, after: WebhookEndpointRecord): boolean {
  const bounds = ({ url, rate_limit, max_concurrency, ordered, health }: WebhookEndpointRecord) => [
    url,
    rate_limit,
    max_concurrency,
    ordered,
    health,
  ];
  return !isDeepStrictEqual(bounds(before), bounds(after));
}

/** Forgets what was learnt of a receiver: it is another one now, or its owner says that it is well. */
export function resetFlow(endpoint: WebhookEndpoint, now: Date): void {
  if (endpoint.breaker === 'open') endpoint.breakerSince = now;
  endpoint.breaker = 'closed';
  endpoint.nextProbeAt = null;
  endpoint.probeWaitMs = null;
  endpoint.unreachableCount = 0;
  endpoint.holdUntil = null;
  endpoint.pacedTo = null;
}

const readHeads = statement(
  'read_blocking_heads',
  `SELECT f.endpoint_id, d.id AS delivery_id, d.attempt_count AS attempts,
     (SELECT a.at FROM attempt a WHERE a.delivery_id = d.id ORDER BY a.n LIMIT 1) AS since
   FROM endpoint_flow f JOIN due ON due.delivery_id = f.head_id JOIN delivery d ON d.id = due.delivery_id
   WHERE f.endpoint_id = ANY ($1::text[]) AND d.attempt_count > 0`,
);

/** The heads of ordered endpoints that failed and hold up what comes after, by endpoint. */
async function readBlockingHeads(db: Queryable, endpointIds: readonly string[]): Promise<Map<string, BlockedBy>> {
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

type FlowRecord = Pick<WebhookEndpointRecord, 'id' | 'ordered' | 'blocked_by' | 'health'>;

/** Completes records of endpoints with what the moment adds: what blocks those that are ordered, and whose time has come. */
export async function withFlow<T extends FlowRecord>(context: Context, records: readonly T[]): Promise<T[]> {
  const ordered = records.filter((record) => record.ordered).map((record) => record.id);
  const heads = await readBlockingHeads(context.database, ordered);
  const now = context.clock.now().toISOString();
  return records.map((record) => ({
    ...record,
    blocked_by: heads.get(record.id) ?? null,
    health: healthAt(record.health, now),
  }));
}

function healthAt(health: FlowRecord['health'], now: string): FlowRecord['health'] {
  const { state, next_probe_at: probe, wait_until: until } = health;
  const isProbing = state === 'open' && probe !== null && probe <= now;
  return {
    ...health,
    state: isProbing ? 'half_open' : state,
    wait_until: until !== null && until > now ? until : null,
  };
}
