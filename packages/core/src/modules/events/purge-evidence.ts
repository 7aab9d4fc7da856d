import type { operations } from '@finhook/contracts';
import { statement } from '../../db/queryable.ts';
import { audit } from '../../outbox/audit.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Verb } from '../../verbs/verb.ts';
import { findEvent } from './read.ts';

const purge = statement(
  'purge_evidence',
  `UPDATE attempt a SET url = NULL, remote_address = NULL, request_headers = NULL, response_headers = NULL,
     response_snippet = NULL, evidence_purged_at = now()
   FROM delivery d
   WHERE d.event_id = $1 AND d.account_id = $2 AND a.delivery_id = d.id
     AND num_nonnulls(a.url, a.remote_address, a.request_headers, a.response_headers, a.response_snippet) > 0
   RETURNING a.delivery_id`,
);

export const purgeEvidence: Verb<typeof operations.events.purgeEvidence> = (context, input) =>
  transaction(context, { records: 'audit' }, async (tx) => {
    const event = await findEvent(tx, context, input.event_id);
    const purged = await tx.query(purge, [input.event_id, context.accountId]);
    if (purged.length > 0) {
      audit(tx, context, {
        action: 'events.purgeEvidence',
        companyId: event.company_id,
        resourceId: input.event_id,
        after: { attempts: purged.length },
      });
    }
    return null;
  });
