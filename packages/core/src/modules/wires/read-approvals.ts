import type { operations } from '@finhook/contracts';
import { reachable } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { filterExpiring } from '../../kernel/filter-expiring.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { BankApproval } from './bank-approval.entity.ts';

type GetOp = typeof operations.bank.approvals.get;
type ListOp = typeof operations.bank.approvals.list;

/** Reads a wire with its approval, as it is now. */
export async function getBankApproval(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  const where = { id: input.approval_id, accountId: context.accountId };
  const found = await context.database.em().findOne(BankApproval, where);
  return reachable(context, found, 'bank approval').toRecord(context.clock.now());
}

/** Lists the company's wires, newest first. A pending one whose time is over counts as expired, as it reads. */
export async function listBankApprovals(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const company = await findCompany(context, input.company_id);
  const now = context.clock.now();
  const em = context.database.em();
  const filters = new Filters();
  filters.where(company.id, 'company_id = ?');
  filters.whereTimes({ ...input, updated_since: undefined });
  filterExpiring(filters, input, now);
  return readPage<{ id: string }, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: '*',
    from: 'bank_approval',
    filters,
    sort: [byId('apr')],
    page: input,
    toItem: (row) => em.map(BankApproval, row).toRecord(now),
  });
}
