import { assertCompanyAccess } from '../../access/access.ts';
import type { Transaction } from '../../db/database.ts';
import { type Queryable, statement } from '../../db/queryable.ts';
import type { Context } from '../../verbs/context.ts';
import { companyDissolved, companyNotFound } from '../../verbs/domain-error.ts';
import { Company } from './company.entity.ts';

export interface LockedCompany {
  id: string;
  account_id: string;
  status: 'forming' | 'active';
  base_currency: string;
  timezone: string;
  /** True if it ever had flow rules. */
  has_rules: boolean;
}

const lock = statement(
  'lock_company_shared',
  `SELECT id, account_id, status, base_currency, timezone,
     EXISTS (SELECT FROM surface_settings s WHERE s.company_id = $1 AND s.rules_version > 0) AS has_rules
   FROM company WHERE id = $1 AND account_id = $2 FOR KEY SHARE`,
);

/** Share-locks a company for a write to its records. Throws `company_not_found` or `company_dissolved`. */
export async function lockCompany(db: Queryable, context: Context, companyId: string): Promise<LockedCompany> {
  assertCompanyAccess(context, companyId);
  const [company] = await db.query<Omit<LockedCompany, 'status'> & { status: string }>(lock, [
    companyId,
    context.accountId,
  ]);
  if (!company) throw companyNotFound();
  const { status } = company;
  if (status !== 'forming' && status !== 'active') throw companyDissolved();
  return { ...company, status };
}

const read = 'SELECT * FROM company WHERE id = $1 AND account_id = $2';
const forUpdate = statement('lock_company_for_update', `${read} FOR NO KEY UPDATE`);
const exclusively = statement('lock_company_exclusively', `${read} FOR UPDATE`);

async function lockRow(tx: Transaction, context: Context, companyId: string, sql: string): Promise<Company> {
  assertCompanyAccess(context, companyId);
  const [row] = await tx.query<object>(sql, [companyId, context.accountId]);
  if (row === undefined) throw companyNotFound();
  return tx.em.map(Company, row);
}

/** Its records stay writable. Needs the company's id as `lock`, so that changes are in the feed in their order. */
export async function lockCompanyForUpdate(tx: Transaction, context: Context, companyId: string): Promise<Company> {
  const company = await lockRow(tx, context, companyId, forUpdate);
  if (company.status === 'dissolved') throw companyDissolved();
  return company;
}

/** Locks a company in any state against every write to it and its records. Needs the same `lock`. */
export function lockCompanyExclusively(tx: Transaction, context: Context, companyId: string): Promise<Company> {
  return lockRow(tx, context, companyId, exclusively);
}
