import { statement } from '../../../db/queryable.ts';
import type { Context, Core } from '../../../kernel/context.ts';
import { currentPosition } from '../../../kernel/sequence-sql.ts';
import { transaction } from '../../../kernel/transaction.ts';
import { allGroupsCte, storeCtes, tailCte, tailGroupsCte, usable } from './rollup-sql.ts';

/** Ingests above which the sums are rebuilt from the table, which reads less than their bodies. */
const REBUILD_ABOVE = 200;

const readState = statement(
  'read_rollup_state',
  `WITH s AS (
     SELECT ${usable} AS usable, refreshed_at > $4::timestamptz - interval '1 minute' AS recent
     FROM transaction_rollup WHERE company_id = $1 AND account_id = $2
   ), ${tailCte(`LIMIT ${REBUILD_ABOVE + 1}`)}
   SELECT coalesce((SELECT usable FROM s), false) AS usable, coalesce((SELECT recent FROM s), false) AS recent,
          (SELECT count(*)::int FROM tail) AS pending`,
);

const addTail = statement(
  'add_to_rollup',
  `WITH ${tailCte()}, ${tailGroupsCte('$3')}, ${storeCtes}
   UPDATE transaction_rollup
   SET position = ${currentPosition('$2')}, refreshed_at = $4
   WHERE company_id = $1 AND account_id = $2`,
);

const clear = ['transaction_month', 'transaction_day'].map((table) =>
  statement(`clear_${table}`, `DELETE FROM ${table} WHERE company_id = $1 AND account_id = $2`),
);

const rebuild = statement(
  'rebuild_rollup',
  `WITH ${allGroupsCte('$3')}, ${storeCtes}
   INSERT INTO transaction_rollup (company_id, account_id, timezone, position, refreshed_at)
   VALUES ($1, $2, $3, ${currentPosition('$2')}, $4)
   ON CONFLICT (company_id) DO UPDATE
     SET timezone = excluded.timezone, position = excluded.position, refreshed_at = excluded.refreshed_at`,
);

export interface RollupOf {
  companyId: string;
  timezone: string;
}

/**
 * Updates the stored sums of a company's transactions. Each statement under the lock sees the previous holder's rows,
 * and reads the account's position in the same snapshot as the rows.
 */
export async function refreshRollup(
  context: Core & Pick<Context, 'accountId'>,
  { companyId, timezone }: RollupOf,
): Promise<void> {
  const now = context.clock.now().toISOString();
  const values = [companyId, context.accountId, timezone, now];
  // no audit here: sums follow from stored rows, nobody's action changes them
  // no event here: the same
  await transaction(context, { lock: `transaction_rollup|${companyId}` }, async (tx) => {
    const [state] = await tx.query<{ usable: boolean; recent: boolean; pending: number }>(readState, values);
    if (state?.usable && state.recent && state.pending === 0) return;
    if (state?.usable && state.pending <= REBUILD_ABOVE) {
      await tx.query(addTail, values);
      return;
    }
    for (const sql of clear) await tx.query(sql, [companyId, context.accountId]);
    await tx.query(rebuild, values);
  });
}
