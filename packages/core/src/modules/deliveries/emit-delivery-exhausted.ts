import { isOperationalEventType } from '@finhook/contracts';
import { statement } from '../../db/queryable.ts';
import { auditValues } from '../../kernel/audit.ts';
import { type Core, systemContext } from '../../kernel/context.ts';
import { emitCtes, newDeliveriesSql, prepareEvent } from '../../kernel/emit.ts';
import type { NewDelivery } from '../../kernel/hand-off.ts';
import { eventAuditColumns, eventAuditValues, eventRows, insertAuditRows } from '../../kernel/record-change.ts';
import type { UnitOfWork } from '../../kernel/transaction.ts';
import type { AttemptRecord } from './attempt.ts';

/**
 * Returns true if an attempt exhausts its delivery. Tests, manual attempts and operational events don't count: two dead
 * endpoints would notify each other forever.
 */
export function isGivenUp({ claim, disposition }: AttemptRecord): boolean {
  return disposition.kind === 'failed' && claim.trigger === 'automatic' && !isOperationalEventType(claim.eventType);
}

const readDeliveries = statement(
  'read_exhausted',
  'SELECT id, account_id, company_id, created_at FROM delivery WHERE id = ANY ($1::text[]) ORDER BY id',
);

interface ExhaustedRow {
  id: string;
  account_id: string;
  company_id: string | null;
  created_at: string;
}

// One statement for an endpoint: after days of unavailability its deliveries are exhausted by the hundred.
const store = statement(
  'store_exhausted',
  `WITH r AS MATERIALIZED (
     SELECT * FROM json_to_recordset($1) AS r (${eventAuditColumns})
   ),
   au AS (${insertAuditRows('r')}),
   ${emitCtes({ source: eventRows('r'), except: '$2::text', operational: true })}
   ${newDeliveriesSql}`,
);

export async function emitDeliveryExhausted(
  tx: UnitOfWork,
  core: Core,
  records: readonly AttemptRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const found = await tx.query<ExhaustedRow>(readDeliveries, [records.map(({ claim }) => claim.deliveryId)]);
  const deliveries = new Map(found.map((row) => [row.id, row]));
  for (const [endpointId, attempts] of Map.groupBy(records, ({ claim }) => claim.endpointId)) {
    const values = attempts.flatMap((attempt) => {
      const delivery = deliveries.get(attempt.claim.deliveryId);
      return delivery === undefined ? [] : [valuesOf(core, attempt, delivery)];
    });
    tx.handOffs.add(await tx.query<NewDelivery>(store, [JSON.stringify(values), endpointId]), []);
    tx.emitted.count += values.length;
  }
}

function valuesOf(core: Core, { claim, statusCode, error, at }: AttemptRecord, delivery: ExhaustedRow) {
  const context = systemContext(core, delivery.account_id, 'delivery');
  const event = prepareEvent(context, {
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
  return eventAuditValues(auditValues(context, entry), event);
}
