import type { operations } from '@finhook/contracts';
import { statement } from '../../db/queryable.ts';
import { sqlRandomIdPart } from '../../ids/ids.ts';
import { audit } from '../../outbox/audit.ts';
import { acceptsSql } from '../../outbox/emit.ts';
import { currentPosition } from '../../outbox/sequence-sql.ts';
import { notAboutItself, thinAgainSql, wants } from '../../outbox/subscription-sql.ts';
import { transaction } from '../../outbox/transaction.ts';
import { DomainError } from '../../verbs/domain-error.ts';
import type { Verb } from '../../verbs/verb.ts';
import { type DeliveryRow, deliveryColumns, toDelivery } from '../deliveries/delivery-record.ts';
import { findEndpoint } from '../webhooks/read.ts';
import { findEvent } from './read.ts';

/** Length of an id's time, which keeps the order of redelivery among deliveries of one position. */
const ORDERED = 'dlv_'.length + 11;

const addDeliveries = statement(
  'redeliver_event',
  `WITH dl AS (
     INSERT INTO delivery (id, account_id, company_id, event_id, event_type, endpoint_id, next_attempt_at, created_at, updated_at,
       thin_body)
     SELECT substr($3::text, 1, ${ORDERED}) || substr(${sqlRandomIdPart}, 2), ev.account_id, ev.company_id, ev.id, ev.type, e.id, now(), now(), now(),
       CASE WHEN e.payload = 'thin' THEN ${thinAgainSql('ev.id', 'ev.account_id')} END
     FROM event ev JOIN webhook_endpoint e
       ON e.account_id = ev.account_id AND e.deleted_at IS NULL
      AND ($4::text IS NOT NULL AND e.id = $4 OR $4 IS NULL AND ${wants('ev', 'e')} AND ${notAboutItself('ev', 'e')}
           AND ${acceptsSql('ev.body')})
      AND (e.company_id IS NULL OR e.company_id = ev.company_id)
      AND (e.include_internal OR NOT ev.internal)
     WHERE ev.id = $1 AND ev.account_id = $2
     RETURNING ${deliveryColumns}
   ),
   du AS (
     INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, position, due_at, next_attempt_at, thin)
     SELECT id, $2, event_id, endpoint_id, ${currentPosition('$2')}, now(), now(), payload = 'thin' FROM dl
   )
   SELECT * FROM dl ORDER BY id`,
);

export const redeliverEvent: Verb<typeof operations.events.redeliver> = (context, input) =>
  transaction(context, { records: 'audit' }, async (tx) => {
    const event = await findEvent(tx, context, input.event_id);
    // A redelivered test event would look like real data.
    if (event.test) {
      throw new DomainError('invalid_state_transition', {
        detail: 'Test events cannot be redelivered. Send another one with POST /webhook-endpoints/{endpoint_id}/test.',
      });
    }
    if (input.endpoint_id != null) await findEndpoint(context, input.endpoint_id, tx.em);
    const rows = await tx.query<DeliveryRow>(addDeliveries, [
      input.event_id,
      context.accountId,
      context.newId('dlv'),
      input.endpoint_id ?? null,
    ]);
    if (rows.length === 0) {
      throw new DomainError('invalid_state_transition', {
        detail:
          input.endpoint_id == null
            ? 'No endpoint receives this event. Create one, or send an endpoint_id.'
            : 'The endpoint does not receive this event: it is limited to another company, or the event is internal and include_internal is false. Change the endpoint, or use another one.',
      });
    }
    for (const row of rows) tx.handOffs.poke({ id: row.endpoint_id, accountId: context.accountId });
    const data = rows.map(toDelivery);
    audit(tx, context, {
      action: 'events.redeliver',
      companyId: event.company_id,
      resourceId: input.event_id,
      after: { deliveries: data.map(({ id }) => id) },
    });
    return { object: 'list', data };
  });
