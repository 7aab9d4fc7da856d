import { type Queryable, statement } from '../../../db/queryable.ts';
import { currentPosition } from '../../../outbox/sequence-sql.ts';
import { transaction } from '../../../outbox/transaction.ts';
import type { Context, Core } from '../../../verbs/context.ts';
import { flowRulesCte } from '../../bank/transactions/rule-sql.ts';
import { appliedRulesSql } from './applied-rules.ts';
import { allGroupsCte, changedGroupsCte, isUpdateSql, storeCtes, tailCte, usableSql } from './rollup-sql.ts';

/** More unread ingests cost more than a rebuild from the table. */
const REBUILD_ABOVE = 200;

const readState = statement(
  'read_rollup_state',
  `WITH s AS (
     SELECT ${usableSql} AS usable, refreshed_at > $4::timestamptz - interval '1 minute' AS recent
     FROM transaction_rollup WHERE company_id = $1 AND account_id = $2
   ), ${tailCte(`LIMIT ${REBUILD_ABOVE + 1}`)}
   SELECT coalesce((SELECT usable FROM s), false) AS usable, coalesce((SELECT recent FROM s), false) AS recent,
          (SELECT count(*)::int FROM tail) AS pending,
          EXISTS (SELECT FROM tail WHERE ${isUpdateSql}) AS changes,
          EXISTS (SELECT FROM transaction_rollup r JOIN surface_settings x USING (company_id)
                  WHERE r.company_id = $1 AND r.account_id = $2 AND r.rules_version <> x.rules_version) AS outdated`,
);

const addTail = statement(
  'add_to_rollup',
  `WITH ${tailCte()}, ${flowRulesCte(appliedRulesSql)}, ${changedGroupsCte('$3')}, ${storeCtes}
   UPDATE transaction_rollup
   SET position = ${currentPosition('$2')}, refreshed_at = $4
   WHERE company_id = $1 AND account_id = $2`,
);

const sumTables = ['transaction_month', 'transaction_day'];
const clear = sumTables.map((table) =>
  statement(`clear_${table}`, `DELETE FROM ${table} WHERE company_id = $1 AND account_id = $2`),
);

// A month, day or account whose rows all left must have no sum.
const dropEmpty = sumTables.map((table) =>
  statement(
    `drop_empty_${table}`,
    `DELETE FROM ${table} WHERE company_id = $1 AND account_id = $2 AND transactions = 0`,
  ),
);

const rebuild = statement(
  'rebuild_rollup',
  `WITH chosen AS MATERIALIZED (
     SELECT flow_rules, rules_version FROM surface_settings WHERE company_id = $1 AND account_id = $2
   ), ${flowRulesCte('(SELECT flow_rules FROM chosen)')}, ${allGroupsCte('$3')}, ${storeCtes}
   INSERT INTO transaction_rollup AS o
     (company_id, account_id, timezone, position, refreshed_at, rules, rules_version, rules_applied_at)
   SELECT $1, $2, $3, ${currentPosition('$2')}, $4::timestamptz, coalesce(c.flow_rules, '[]'), coalesce(c.rules_version, 0),
          CASE WHEN c.rules_version > 0 THEN $4::timestamptz END
   FROM (SELECT) one LEFT JOIN chosen c ON true
   ON CONFLICT (company_id) DO UPDATE
     SET timezone = excluded.timezone, position = excluded.position, refreshed_at = excluded.refreshed_at,
         rules = excluded.rules, rules_version = excluded.rules_version,
         rules_applied_at = CASE WHEN o.rules_version = excluded.rules_version THEN o.rules_applied_at
                                 ELSE excluded.rules_applied_at END`,
);

export interface RollupOf {
  companyId: string;
  timezone: string;
  /** Rebuilds if the rules have changed, which is slow; readers use the earlier rules until then. */
  appliesRules?: boolean;
}

interface State {
  usable: boolean;
  recent: boolean;
  pending: number;
  changes: boolean;
  outdated: boolean;
}

/**
 * Updates the stored sums of a company. Each statement under the lock sees the rows of the previous holder, and reads the
 * account's position in the same snapshot as the rows.
 */
export async function refreshRollup(
  context: Core & Pick<Context, 'accountId'>,
  { companyId, timezone, appliesRules = false }: RollupOf,
): Promise<void> {
  const now = context.clock.now().toISOString();
  const values = [companyId, context.accountId, timezone, now];
  const dropGroups = async (tx: Queryable): Promise<void> => {
    for (const sql of dropEmpty) await tx.query(sql, [companyId, context.accountId]);
  };
  await transaction(context, { records: 'nothing', lock: `transaction_rollup|${companyId}` }, async (tx) => {
    const [state] = await tx.query<State>(readState, values);
    const isCurrent = state?.usable === true && !(appliesRules && state.outdated);
    if (isCurrent && state.recent && state.pending === 0) return;
    if (isCurrent && state.pending <= REBUILD_ABOVE) {
      await tx.query(addTail, values);
      if (state.changes) await dropGroups(tx);
      return;
    }
    for (const sql of clear) await tx.query(sql, [companyId, context.accountId]);
    await tx.query(rebuild, values);
    await dropGroups(tx);
  });
}
