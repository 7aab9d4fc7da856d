import { type AnyEventType, type EventType, isAnyEventType, type operations } from '@finhook/contracts';
import { statement } from '../../db/queryable.ts';
import { audit } from '../../outbox/audit.ts';
import { takePositions } from '../../outbox/sequence-sql.ts';
import { thinSql } from '../../outbox/subscription-sql.ts';
import { transaction, type UnitOfWork } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { rejectWithFields } from '../../verbs/domain-error.ts';
import type { Verb } from '../../verbs/verb.ts';
import { type DeliveryRow, deliveryColumns, toFreshDelivery } from '../deliveries/delivery-record.ts';
import { rejectInactive } from '../deliveries/retry.ts';
import { findEndpoint } from '../webhooks/read.ts';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.ts';
import { sampleEnvelope } from './event-types.ts';

const DEFAULT_EVENT: EventType = 'bank.balance.updated';

// `test` keeps the event out of the feed. Without a schedule it is attempted once.
const insertTest = statement(
  'insert_test_delivery',
  `WITH ${takePositions('SELECT $2::text, 1, 0')},
   ev AS (
     INSERT INTO event (id, account_id, company_id, type, created_at, test, body, position)
     SELECT $1, $2, $8, $3, $4::timestamptz, true, $5, sq.position FROM sq RETURNING id, position
   ),
   du AS (
     INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, position, due_at, next_attempt_at, test, thin)
     SELECT $6, $2, ev.id, $7, ev.position, now(), NULL, true, $9 FROM ev
   )
   INSERT INTO delivery (id, account_id, company_id, event_id, event_type, endpoint_id, created_at, updated_at,
     thin_body)
   SELECT $6, $2, $8, ev.id, $3, $7, $4, $4, CASE WHEN $9 THEN ${thinSql('$5')} END FROM ev RETURNING ${deliveryColumns}`,
);

export const testEndpoint: Verb<typeof operations.webhookEndpoints.test> = async (context, input) => {
  const requested = input.event ?? undefined;
  if (requested !== undefined && !isAnyEventType(requested)) {
    rejectWithFields([
      { pointer: '/event', code: 'unknown_event_type', message: 'is no event type that has a sample' },
    ]);
  }
  return transaction(context, { records: 'audit' }, async (tx) => {
    const endpoint = await findEndpoint(context, input.endpoint_id, tx.em);
    rejectInactive(endpoint);
    const type = requested ?? endpoint.events.find(isAnyEventType) ?? DEFAULT_EVENT;
    const row = await storeTest(tx, context, endpoint, type);
    tx.handOffs.poke({ id: endpoint.id, accountId: endpoint.account_id });
    audit(tx, context, {
      action: 'webhookEndpoints.test',
      companyId: endpoint.company_id ?? null,
      resourceId: endpoint.id,
      after: { event: type, delivery_id: row.id },
    });
    return { ...toFreshDelivery(row), attempts: [] };
  });
};

async function storeTest(
  tx: UnitOfWork<'audit'>,
  context: Context,
  endpoint: WebhookEndpoint,
  type: AnyEventType,
): Promise<DeliveryRow> {
  const now = context.clock.now().toISOString();
  const id = context.newId('evt');
  const envelope = { ...sampleEnvelope(type), id, created_at: now, account_id: context.accountId };
  const [row] = await tx.query<DeliveryRow>(insertTest, [
    id,
    context.accountId,
    type,
    now,
    JSON.stringify(envelope),
    context.newId('dlv'),
    endpoint.id,
    endpoint.company_id ?? null,
    endpoint.payload === 'thin',
  ]);
  if (!row) throw new Error('The test delivery was not stored.');
  return row;
}
