import { systemStatement } from '../../../db/queryable.ts';
import { forEachSettled } from '../../../kernel/batching.ts';
import { type Core, systemContext } from '../../../kernel/context.ts';
import { staysHere } from '../../../kernel/sequence-sql.ts';
import { refreshRollup } from './refresh-rollup.ts';

/** Companies of one call. */
const BATCH = 20;

const findOutdated = systemStatement(
  'find_outdated_rules',
  `SELECT r.company_id, r.account_id, c.timezone
   FROM surface_settings s JOIN transaction_rollup r ON r.company_id = s.company_id AND r.account_id = s.account_id
   JOIN company c ON c.id = r.company_id AND c.account_id = r.account_id
   WHERE s.rules_version > 0 AND r.rules_version <> s.rules_version AND ${staysHere('r.account_id')}
   ORDER BY s.updated_at LIMIT ${BATCH}`,
);

/**
 * Sums the transactions of companies again whose rules have changed, over all accounts; returns their number. A company
 * that nobody has read has no sums yet: its first reader uses the rules of then.
 */
export async function applyFlowRules(core: Core): Promise<number> {
  const found = await core.database.query<{ company_id: string; account_id: string; timezone: string }>(findOutdated);
  await forEachSettled(found, ({ company_id, account_id, timezone }) => {
    const context = systemContext(core, account_id, 'flow_rules');
    return refreshRollup(context, { companyId: company_id, timezone, appliesRules: true });
  });
  return found.length;
}
