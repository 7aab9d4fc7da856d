import { LockMode } from '@mikro-orm/postgresql';
import type { Transaction } from '../../../../db/database.ts';
import { assertAccessible } from '../../../../kernel/access.ts';
import type { Context } from '../../../../kernel/context.ts';
import { lockCompany } from '../../../companies/lock-company.ts';
import { BankApproval } from './bank-approval.entity.ts';

/**
 * The approval, locked until the transaction ends, so that concurrent decisions see each other. Throws `not_found` if
 * it is unknown or outside the caller's access, and `company_dissolved`.
 */
export async function lockApproval(tx: Transaction, context: Context, approvalId: string): Promise<BankApproval> {
  const where = { id: approvalId, account_id: context.accountId };
  const found = await tx.em.findOne(BankApproval, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const approval = assertAccessible(context, found, 'bank approval');
  await lockCompany(tx, context, approval.company_id);
  return approval;
}
