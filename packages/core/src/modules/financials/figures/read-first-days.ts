import { statement } from '../../../db/queryable.ts';
import type { Context } from '../../../verbs/context.ts';
import type { CashView } from '../../cash/cash-on-hand.ts';
import { tailCte, tailGroupsCte } from '../rollup/rollup-sql.ts';

const readDays = statement(
  'read_first_days',
  `WITH ${tailCte()}, ${tailGroupsCte('$3')}
   SELECT s.connection_id, least(
       (SELECT d.day FROM transaction_day d WHERE d.company_id = $1 AND d.connection_id = s.connection_id ORDER BY d.day LIMIT 1),
       (SELECT min(g.day) FROM g WHERE g.connection_id = s.connection_id)
     )::text AS day
   FROM (
     SELECT unnest($4::text[]) AS connection_id
     UNION SELECT id FROM bank_connection WHERE company_id = $1 AND account_id = $2
   ) s WHERE s.connection_id <> ALL ($5::text[])`,
);

/**
 * The local day of the first transaction of each account with balances, and of those that they replaced, except excluded ones. From
 * the stored sums, which the caller has read, and later ingests.
 */
export async function readFirstDays(
  context: Context,
  { companyId, zone, series }: CashView,
  excludedConnections: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = series.map(({ connection_id }) => connection_id);
  const values = [companyId, context.accountId, zone.name, ids, excludedConnections];
  const rows = await context.database.query<{ connection_id: string; day: string | null }>(readDays, values);
  return new Map(rows.flatMap(({ connection_id, day }) => (day === null ? [] : [[connection_id, day]])));
}
