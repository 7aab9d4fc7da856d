import type { operations } from '@finhook/contracts';
import { accessibleCompanies, companyAccessSql } from '../../access/access.ts';
import { statement } from '../../db/queryable.ts';
import { audit } from '../../outbox/audit.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { DomainError, notFound } from '../../verbs/domain-error.ts';
import type { InputOf, OutputOf } from '../../verbs/verb.ts';
import { WebhookEndpoint } from '../webhooks/webhook-endpoint.entity.ts';
import { type DeliveryRow, deliveryColumns, toDelivery } from './delivery-record.ts';

type Op = typeof operations.deliveries.retry;

// Locked, because a delivery that succeeds at the same time must not become due again.
const lockDelivery = statement(
  'lock_delivery',
  `SELECT ${deliveryColumns} FROM delivery
   WHERE id = $1 AND account_id = $2 AND ${companyAccessSql('$3')} FOR UPDATE`,
);

// A scheduled row keeps its schedule. Of a leased row `due_at` moves too: the retry follows the attempt in flight if that
// is automatic, fails and is not the last; a manual or last attempt is itself the requested one. A test stays a test.
const makeDue = statement(
  'make_delivery_due',
  `INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, position, due_at, next_attempt_at, attempt_count, test, thin)
   SELECT $1, $2, ev.id, $4, ev.position, now(), NULL, $5, ev.test, $6 FROM event ev WHERE ev.id = $3
   ON CONFLICT (delivery_id) DO UPDATE SET due_at = now()
   RETURNING delivery_id`,
);

/** Throws 409 unless the endpoint is active. */
export function rejectInactive(endpoint: WebhookEndpoint): void {
  if (endpoint.deleted_at != null) {
    throw new DomainError('invalid_state_transition', {
      detail: 'The endpoint was deleted. Redeliver the event to another one.',
      extra: { current_status: 'deleted', allowed: [] },
    });
  }
  if (endpoint.status === 'active') return;
  throw new DomainError('invalid_state_transition', {
    detail: `The endpoint is ${endpoint.status}. Set its status to active first.`,
    extra: { current_status: endpoint.status, allowed: ['active'] },
  });
}

export async function retryDelivery(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return transaction(context, { records: 'audit', lock: input.delivery_id }, async (tx) => {
    const [row] = await tx.query<DeliveryRow>(lockDelivery, [
      input.delivery_id,
      context.accountId,
      accessibleCompanies(context),
    ]);
    if (!row) throw notFound('delivery');
    if (row.status === 'succeeded' || row.status === 'cancelled') {
      throw new DomainError('invalid_state_transition', {
        detail: `The delivery ${row.status === 'succeeded' ? 'succeeded' : 'was cancelled'}. To send its event again, redeliver the event.`,
        extra: { current_status: row.status, allowed: ['pending', 'retrying', 'failed'] },
      });
    }
    const endpoint = await tx.em.findOneOrFail(WebhookEndpoint, row.endpoint_id);
    rejectInactive(endpoint);
    const made = await tx.query(makeDue, [
      row.id,
      row.account_id,
      row.event_id,
      row.endpoint_id,
      row.attempt_count,
      row.payload === 'thin',
    ]);
    if (made.length === 0) {
      throw new DomainError('not_found', {
        detail: 'The event of this delivery has passed its retention period and was deleted. It cannot be sent again.',
      });
    }
    tx.handOffs.poke({ id: endpoint.id, accountId: endpoint.account_id });
    audit(tx, context, { action: 'deliveries.retry', companyId: row.company_id, resourceId: row.id });
    return toDelivery(row);
  });
}
