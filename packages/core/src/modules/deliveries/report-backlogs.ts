import { statement, systemStatement } from '../../db/queryable.ts';
import { audit } from '../../outbox/audit.ts';
import { emit } from '../../outbox/emit.ts';
import { transaction, type UnitOfWork } from '../../outbox/transaction.ts';
import { forEachSettled } from '../../verbs/batching.ts';
import { type Context, type Core, systemContext } from '../../verbs/context.ts';
import { lockEndpoint } from '../webhooks/read.ts';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.ts';
import { countWaiting, endpointData } from './emit-operational.ts';
import { dueEndpoints } from './find-due-endpoints.ts';

/** Age of the oldest due delivery from which an endpoint has a backlog; the backlog ends below half of it. */
const backlogMs = 15 * 60 * 1000;

const find = systemStatement(
  'find_backlogs',
  `WITH RECURSIVE ${dueEndpoints()}
   SELECT e.id, e.account_id FROM t
   JOIN webhook_endpoint e ON e.id = t.endpoint_id AND e.status = 'active' AND e.deleted_at IS NULL
     AND e.backlog_notified_at IS NULL
   WHERE EXISTS (
     SELECT FROM due d WHERE d.endpoint_id = t.endpoint_id AND d.due_at <= now() - $1::int * interval '1 millisecond'
   )
   UNION ALL
   SELECT id, account_id FROM webhook_endpoint WHERE backlog_notified_at IS NOT NULL AND deleted_at IS NULL`,
);

const readOldest = statement(
  'read_oldest_due',
  `SELECT event_id, due_at, (extract(epoch FROM now() - due_at) * 1000)::float8 AS age_ms
   FROM due WHERE endpoint_id = $1 ORDER BY due_at LIMIT 1`,
);

interface Oldest {
  event_id: string;
  due_at: string;
  age_ms: number;
}

export async function reportBacklogs(core: Core): Promise<void> {
  const rows = await core.database.query<{ id: string; account_id: string }>(find, [backlogMs]);
  await forEachSettled(rows, ({ id, account_id }) =>
    reportBacklog(systemContext(core, account_id, 'endpoint_backlog'), id),
  );
}

async function reportBacklog(context: Context, endpointId: string): Promise<void> {
  await transaction(context, { records: 'audit and event', lock: endpointId }, async (tx) => {
    const endpoint = await lockEndpoint(tx, endpointId);
    if (!endpoint) return;
    const [oldest] = await tx.query<Oldest>(readOldest, [endpointId]);
    const ageMs = oldest?.age_ms ?? 0;
    if (ageMs < backlogMs / 2) endpoint.backlog_notified_at = null;
    const isNews = endpoint.status === 'active' && endpoint.backlog_notified_at == null && ageMs >= backlogMs;
    if (oldest === undefined || !isNews) return;
    endpoint.backlog_notified_at = context.clock.now();
    audit(tx, context, { action: 'webhookEndpoints.backlog', resourceId: endpointId });
    await emitBacklog(tx, context, endpoint, oldest);
  });
}

async function emitBacklog(tx: UnitOfWork, context: Context, endpoint: WebhookEndpoint, oldest: Oldest): Promise<void> {
  emit(tx, context, {
    type: 'webhook_endpoint.backlog',
    data: {
      ...endpointData(endpoint),
      oldest_due_at: new Date(oldest.due_at).toISOString(),
      oldest_event_id: oldest.event_id,
      age_seconds: Math.floor(oldest.age_ms / 1000),
      threshold_seconds: backlogMs / 1000,
      waiting: await countWaiting(tx, endpoint.id, 'due'),
    },
  });
}
