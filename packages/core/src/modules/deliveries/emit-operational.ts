import { type HealthSignal, redactUrl } from '@finhook/delivery';
import { type Queryable, statement } from '../../db/queryable.ts';
import { emit } from '../../outbox/emit.ts';
import type { UnitOfWork } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.ts';

type SignalOf<K extends HealthSignal['kind']> = Extract<HealthSignal, { kind: K }>;

const MAX_COUNTED = 1_000;

const count = statement(
  'count_waiting',
  `SELECT count(*)::int AS n
   FROM (SELECT FROM due WHERE endpoint_id = $1 AND ($2::boolean OR due_at <= now()) LIMIT ${MAX_COUNTED}) d`,
);

/** Counts at most 1000 pending deliveries of an endpoint, or only those that are due. */
export async function countWaiting(db: Queryable, endpointId: string, which: 'all' | 'due'): Promise<number> {
  const [row] = await db.query<{ n: number }>(count, [endpointId, which === 'all']);
  return row?.n ?? 0;
}

export function endpointData({ id, url, status }: WebhookEndpoint) {
  return { object: 'webhook_endpoint' as const, id, url: redactUrl(url), status };
}

export async function emitDisabled(
  tx: UnitOfWork,
  context: Context,
  endpoint: WebhookEndpoint,
  { at, reason }: SignalOf<'disabled'>,
): Promise<void> {
  emit(tx, context, {
    type: 'webhook_endpoint.disabled',
    data: {
      ...endpointData(endpoint),
      disabled_reason: reason,
      disabled_at: at.toISOString(),
      consecutive_failures: endpoint.consecutive_failures,
      first_failed_at: endpoint.first_failed_at?.toISOString() ?? null,
      last_failed_at: endpoint.last_failed_at?.toISOString() ?? null,
      last_status_code: endpoint.last_status_code ?? null,
      last_error: endpoint.last_error ?? '',
      last_event_id: endpoint.last_event_id ?? null,
      waiting: await countWaiting(tx, endpoint.id, 'all'),
    },
  });
}

export async function emitRecovered(
  tx: UnitOfWork,
  context: Context,
  endpoint: WebhookEndpoint,
  { at, failingSince, failures }: SignalOf<'recovered'>,
): Promise<void> {
  emit(tx, context, {
    type: 'webhook_endpoint.recovered',
    data: {
      ...endpointData(endpoint),
      failing_since: failingSince.toISOString(),
      recovered_at: at.toISOString(),
      failed_attempts: failures,
    },
  });
}
