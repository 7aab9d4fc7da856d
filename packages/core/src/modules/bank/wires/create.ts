import { bankApproval, normalizeCurrency, type operations } from '@finhook/contracts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { connectionDisconnected, isRegistered, unknownConnection } from '../../../ids/connection-id.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import { record } from '../../../verbs/record.ts';
import { insertRecord } from '../../../verbs/record-entity.ts';
import type { InputOf, Verb } from '../../../verbs/verb.ts';
import { approvalActorOf } from '../../agent-runtime/approvals/approval-actor.ts';
import { Company } from '../../companies/company.entity.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { APPROVAL_HOURS, BankApproval, toApproval } from './approval.ts';

type Op = typeof operations.bank.wires.create;

/** People besides the requester who must approve a wire at the threshold. */
const REQUIRED_APPROVALS = 1;

/** A wire in another currency always waits. A person who changes the threshold is bound by the previous one too. */
export const createWire: Verb<Op> = async (context, input) => {
  return transaction(context, { records: 'audit and event' }, async (tx) => {
    await lockCompany(tx, context, input.company_id);
    const company = await tx.em.findOneOrFail(Company, { id: input.company_id });
    await lockWireConnection(tx, company.id, input.connection_id);
    const fields = wireFields(input);
    const current = company.wireTerms();
    const reached = [current, ...company.prior_wire_terms.filter(({ personId }) => personId === context.personId)].find(
      ({ thresholdCents, currency }) => fields.currency !== currency || fields.amount_cents >= thresholdCents,
    );
    const waits = reached !== undefined;
    const { thresholdCents, currency: thresholdCurrency } = reached ?? current;
    const now = context.clock.now();
    const wire = {
      company_id: company.id,
      ...fields,
      threshold_cents: thresholdCents,
      threshold_currency: thresholdCurrency,
      required_approvals: waits ? REQUIRED_APPROVALS : 0,
      reviews: [],
      status: waits ? ('pending' as const) : ('approved' as const),
      requested_by: approvalActorOf(context),
      expires_at: new Date(now.getTime() + APPROVAL_HOURS * 3_600_000),
      decided_at: waits ? null : now,
    };
    const after = toApproval(await insertRecord(tx, context, BankApproval, 'apr', wire, now), now);
    const event = waits ? ({ type: 'bank.approval.required', data: after } as const) : undefined;
    recordChange(tx, context, { action: 'bank.wires.create', after, event });
    return after;
  });
};

function wireFields({ amount_cents, currency, beneficiary, memo, connection_id }: InputOf<Op>) {
  return {
    amount_cents,
    currency: normalizeCurrency(currency) ?? currency,
    beneficiary: record(bankApproval.shape.beneficiary, beneficiary),
    memo: memo ?? null,
    connection_id: connection_id ?? null,
  };
}

const lock = statement(
  'lock_wire_connection',
  'SELECT status FROM bank_connection WHERE id = $1 AND company_id = $2 FOR KEY SHARE',
);

// Locks a registered connection against a disconnect. Any other text is the provider's own label, stored unchanged.
async function lockWireConnection(
  db: Queryable,
  companyId: string,
  connectionId: string | null | undefined,
): Promise<void> {
  if (!isRegistered(connectionId)) return;
  const [row] = await db.query<{ status: string }>(lock, [connectionId, companyId]);
  rejectFields([row ? undefined : unknownConnection('/connection_id')]);
  if (row?.status === 'disconnected') throw connectionDisconnected(connectionId);
}
