import { isDeliveryEventType } from '@finhook/contracts';
import { accountsOf, systemStatement } from '../../db/queryable.ts';
import { audit } from '../../outbox/audit.ts';
import { emit } from '../../outbox/emit.ts';
import type { UnitOfWork } from '../../outbox/transaction.ts';
import { type Core, systemContext } from '../../verbs/context.ts';
import type { AttemptRecord } from './attempt.ts';

/** True for a last automatic attempt. Events about deliveries don't count: two dead endpoints would notify each other. */
export function isExhausting({ claim, disposition }: AttemptRecord): boolean {
  return disposition.kind === 'failed' && claim.trigger === 'automatic' && !isDeliveryEventType(claim.eventType);
}

const readDeliveries = systemStatement(
  'read_exhausted',
  'SELECT id, account_id, company_id, created_at FROM delivery WHERE id = ANY ($1::text[]) AND account_id = ANY ($2::text[]) ORDER BY id',
);

interface ExhaustedRow {
  id: string;
  account_id: string;
  company_id: string | null;
  created_at: string;
}

export async function emitDeliveryExhausted(
  tx: UnitOfWork,
  core: Core,
  records: readonly AttemptRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const found = await tx.query<ExhaustedRow>(readDeliveries, [
    records.map(({ claim }) => claim.deliveryId),
    accountsOf(records.map(({ claim }) => claim)),
  ]);
  const deliveries = new Map(found.map((row) => [row.id, row]));
  for (const attempt of records) {
    const delivery = deliveries.get(attempt.claim.deliveryId);
    if (delivery !== undefined) addExhausted(tx, core, attempt, delivery);
  }
}

function addExhausted(
  tx: UnitOfWork,
  core: Core,
  { claim, statusCode, error, at }: AttemptRecord,
  delivery: ExhaustedRow,
): void {
  const context = systemContext(core, delivery.account_id, 'delivery');
  const eventId = emit(tx, context, {
    type: 'delivery.exhausted',
    ...(delivery.company_id === null ? {} : { companyId: delivery.company_id }),
    data: {
      object: 'delivery',
      id: delivery.id,
      event_id: claim.eventId,
      event_type: claim.eventType,
      endpoint_id: claim.endpointId,
      company_id: delivery.company_id,
      status: 'failed',
      attempt_count: claim.attempt,
      last_status_code: statusCode,
      last_error: error ?? '',
      created_at: new Date(delivery.created_at).toISOString(),
      exhausted_at: at.toISOString(),
    },
  });
  const entry = { action: 'deliveries.exhaust', companyId: delivery.company_id, resourceId: delivery.id };
  audit(tx, context, entry, [eventId]);
}
