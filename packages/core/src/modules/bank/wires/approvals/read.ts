import type { operations } from '@finhook/contracts';
import { assertAccessible } from '../../../../kernel/access.ts';
import type { Context } from '../../../../kernel/context.ts';
import { filterExpiring } from '../../../../kernel/keyset.ts';
import { type InputOf, listVerb, type OutputOf } from '../../../../kernel/verb.ts';
import { findCompany } from '../../../companies/get.ts';
import { type ApprovalRow, BankApproval, toApproval } from './bank-approval.entity.ts';

type GetOp = typeof operations.bank.approvals.get;

export async function getBankApproval(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  const where = { id: input.approval_id, account_id: context.accountId };
  const found = await context.database.em().findOne(BankApproval, where);
  return toApproval(assertAccessible(context, found, 'bank approval'), context.clock.now());
}

export const listBankApprovals = listVerb<typeof operations.bank.approvals.list, ApprovalRow, Date>({
  table: 'bank_approval',
  prefix: 'apr',
  times: false,
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    const now = context.clock.now();
    filters.where(company.id, 'company_id = ?');
    filters.whereTimes({ ...input, updated_since: undefined });
    filterExpiring(filters, input, now);
    return now;
  },
  map: toApproval,
});
