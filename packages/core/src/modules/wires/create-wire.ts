import { normalizeCurrency, type operations } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { Company } from '../companies/company.entity.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { APPROVAL_HOURS } from './approval-states.ts';
import { BankApproval } from './bank-approval.entity.ts';
import { lockWireConnection } from './lock-wire-connection.ts';

type Op = typeof operations.bank.wires.create;
type Input = InputOf<Op>;

/** People beside the requester who must approve a wire that reaches the threshold. */
const REQUIRED_APPROVALS = 1;

/**
 * Records that somebody wants a wire; no money is moved. At or above the company's threshold it waits for approval and
 * `bank.approval.required` is emitted; below it is approved as it is. The threshold is an amount of the base currency
 * and nothing is ever converted, so a wire in any other currency waits. A threshold that the requester's own person set
 * only binds further: the one before it holds as well.
 */
export async function createWire(context: Context, input: Input): Promise<OutputOf<Op>> {
  return transaction(context, async (tx) => {
    await lockCompany(tx, context, input.company_id);
    const company = await tx.em.findOneOrFail(Company, { id: input.company_id });
    await lockWireConnection(tx, company.id, input.connection_id);
    const fields = wireFields(input);
    const current = company.wireTerms();
    const reached = [current, ...company.prior_wire_terms.filter(({ personId }) => personId === context.personId)].find(
      ({ thresholdCents, currency }) => fields.currency !== currency || fields.amountCents >= thresholdCents,
    );
    const waits = reached !== undefined;
    const { thresholdCents, currency: thresholdCurrency } = reached ?? current;
    const now = context.clock.now();
    const approval = tx.em.create(BankApproval, {
      id: context.newId('apr'),
      accountId: context.accountId,
      companyId: company.id,
      ...fields,
      thresholdCents,
      thresholdCurrency,
      requiredApprovals: waits ? REQUIRED_APPROVALS : 0,
      reviews: [],
      status: waits ? 'pending' : 'approved',
      requestedBy: context.actor,
      expiresAt: new Date(now.getTime() + APPROVAL_HOURS * 3_600_000),
      decidedAt: waits ? null : now,
      createdAt: now,
      updatedAt: now,
    });
    await tx.em.flush();
    const record = approval.toRecord(now);
    const { id: companyId } = company;
    await audit(tx, context, { action: 'bank.wires.create', companyId, resourceId: record.id, after: record });
    if (waits) await emit(tx, context, { type: 'bank.approval.required', companyId, data: record });
    return record;
  });
}

function wireFields({ amount_cents, currency, beneficiary, memo, connection_id }: Input) {
  return {
    amountCents: amount_cents,
    currency: normalizeCurrency(currency) ?? currency,
    beneficiary: {
      name: beneficiary.name,
      bank_name: beneficiary.bank_name ?? null,
      account_last4: beneficiary.account_last4,
      country: beneficiary.country ?? null,
    },
    memo: memo ?? null,
    connectionId: connection_id ?? null,
  };
}
