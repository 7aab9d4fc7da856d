import type { operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { DomainError, notFound } from '../../kernel/domain-error.ts';
import { idTime, sqlRandomIdPart } from '../../kernel/ids.ts';
import { statement } from '../../kernel/queryable.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { type DeliveryRow, toDelivery } from '../deliveries/index.ts';

type Op = typeof operations.events.redeliver;

const addDeliveries = statement(
  'redeliver_event',
  `WITH dl AS (
     INSERT INTO delivery (id, account_id, company_id, event_id, event_type, endpoint_id, next_attempt_at, created_at, updated_at)
     SELECT 'dlv_' || $3::text || ${sqlRandomIdPart}, ev.account_id, ev.company_id, ev.id, ev.type, e.id, now(), now(), now()
     FROM event ev JOIN webhook_endpoint e
       ON e.account_id = ev.account_id AND e.deleted_at IS NULL
      AND ($4::text IS NOT NULL AND e.id = $4 OR $4 IS NULL AND (e.events = '{}' OR ev.type = ANY (e.events))
           AND (e.company_id IS NULL OR e.company_id = ev.company_id))
     WHERE ev.id = $1 AND ev.account_id = $2
     RETURNING *
   ),
   du AS (
     INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, due_at, next_attempt_at)
     SELECT id, account_id, event_id, endpoint_id, now(), now() FROM dl
   )
   SELECT * FROM dl ORDER BY id`,
);

/**
 * Sends an event of the feed again as new deliveries with a schedule of their own: to the endpoint that is named, or to every one
 * that would receive it today.
 */
export async function redeliverEvent(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, {}, async (tx) => {
    const address = [input.event_id, context.accountId];
    // A test send is not an event of the account: sent again, its sample would pass for real data.
    const events = await tx.query('SELECT id FROM event WHERE id = $1 AND account_id = $2 AND NOT test', address);
    if (events.length === 0) throw notFound('event');
    const rows = await tx.query<DeliveryRow>(addDeliveries, [
      ...address,
      idTime(context.clock.now().getTime()),
      input.endpoint_id ?? null,
    ]);
    if (rows.length === 0 && input.endpoint_id != null) throw notFound('webhook endpoint');
    if (rows.length === 0) {
      throw new DomainError('invalid_state_transition', {
        detail: 'No endpoint receives this event. Create one, or name one in endpoint_id.',
      });
    }
    for (const row of rows) tx.woken.add(row.endpoint_id);
    const data = rows.map(toDelivery);
    await audit(tx, context, {
      action: 'events.redeliver',
      resourceId: input.event_id,
      after: { deliveries: data.map(({ id }) => id) },
    });
    return { object: 'list', data };
  });
}
