import { assertReach } from '../../kernel/access.ts';
import type { Context } from '../../kernel/context.ts';
import { companyDissolved, companyNotFound } from '../../kernel/domain-error.ts';
import { type Queryable, statement } from '../../kernel/queryable.ts';

/** A company that is kept from being dissolved until the transaction ends. */
export interface LockedCompany {
  id: string;
  account_id: string;
  status: 'forming' | 'active';
  base_currency: string;
  timezone: string;
}

const lock = statement(
  'lock_company_shared',
  `SELECT id, account_id, status, base_currency, timezone FROM company
   WHERE id = $1 AND account_id = $2 FOR KEY SHARE`,
);

/**
 * Reads a company for a write to something that belongs to it, and share-locks it against dissolution. Throws
 * `company_not_found` when it is unknown or out of the caller's reach, `company_dissolved` when it is dissolved.
 */
export async function lockCompany(db: Queryable, context: Context, companyId: string): Promise<LockedCompany> {
  assertReach(context, companyId);
  const [company] = await db.query<Omit<LockedCompany, 'status'> & { status: string }>(lock, [
    companyId,
    context.accountId,
  ]);
  if (!company) throw companyNotFound();
  const { status } = company;
  if (status !== 'forming' && status !== 'active') throw companyDissolved();
  return { ...company, status };
}
