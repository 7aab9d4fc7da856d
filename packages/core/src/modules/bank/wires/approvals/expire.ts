import { statement } from '../../../../db/queryable.ts';
import { audit } from '../../../../kernel/audit.ts';
import { type Core, systemContext } from '../../../../kernel/context.ts';
import { transaction } from '../../../../kernel/transaction.ts';

const BATCH = 200;

interface ExpiredRow {
  id: string;
  account_id: string;
  company_id: string;
}

// Reads already report this time as the expiry, so storing it changes no response.
const expire = statement(
  'expire_bank_approvals',
  `UPDATE bank_approval SET status = 'expired', decided_at = expires_at, updated_at = expires_at
   WHERE id IN (
     SELECT id FROM bank_approval WHERE status = 'pending' AND expires_at <= $1
     ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
   ) RETURNING id, account_id, company_id`,
);

/** Stores undecided overdue wires as expired, over all accounts, in batches; returns their number. */
export async function expireBankApprovals(core: Core): Promise<number> {
  let total = 0;
  for (;;) {
    // no event here: the catalogue has none for the end of a bank approval
    const rows = await transaction(core, async (tx) => {
      const expired = await tx.query<ExpiredRow>(expire, [core.clock.now().toISOString()]);
      for (const { id, account_id, company_id } of expired) {
        await audit(tx, systemContext(core, account_id, 'bank_approvals'), {
          action: 'bank.approvals.expire',
          companyId: company_id,
          resourceId: id,
          before: { status: 'pending' },
          after: { status: 'expired' },
        });
      }
      return expired.length;
    });
    total += rows;
    if (rows < BATCH) return total;
  }
}
