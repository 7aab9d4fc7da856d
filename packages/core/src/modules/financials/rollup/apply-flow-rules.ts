import { systemStatement } from '../../../db/queryable.ts';
import { isNotMoving } from '../../../outbox/sequence-sql.ts';
import { forEachSettled } from '../../../verbs/batching.ts';
import { type Core, systemContext } from '../../../verbs/context.ts';
import { refreshRollup } from './refresh-rollup.ts';

// All, because a company whose rebuild fails must not block others; small ones first: a large one takes a minute.
const findOutdated = systemStatement(
  'find_outdated_rules',
  `SELECT r.company_id, r.account_id, c.timezone
   FROM surface_settings s JOIN transaction_rollup r ON r.company_id = s.company_id AND r.account_id = s.account_id
   JOIN company c ON c.id = r.company_id AND c.account_id = r.account_id
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(m.transactions), 0) AS transactions FROM transaction_month m
     WHERE m.company_id = r.company_id AND m.account_id = r.account_id
   ) size
   WHERE s.rules_version > 0 AND r.rules_version <> s.rules_version AND ${isNotMoving('r.account_id')}
   ORDER BY size.transactions, s.updated_at, r.company_id`,
);

export async function applyFlowRules(core: Core): Promise<number> {
  const found = await core.database.query<{ company_id: string; account_id: string; timezone: string }>(findOutdated);
  await forEachSettled(found, ({ company_id, account_id, timezone }) => {
    const context = systemContext(core, account_id, 'flow_rules');
    return refreshRollup(context, { companyId: company_id, timezone, appliesRules: true });
  });
  return found.length;
}
