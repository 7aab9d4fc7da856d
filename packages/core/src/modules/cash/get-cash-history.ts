import type { ExclusionReason, operations } from '@finhook/contracts';
import { assertReach } from '../../kernel/access.ts';
import { addDays } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import { companyNotFound } from '../../kernel/domain-error.ts';
import { statement } from '../../kernel/queryable.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { toCashHistory } from './cash-history.ts';
import type { StreamBalance } from './cash-on-hand.ts';
import { streamCtes } from './read-streams.ts';

type Op = typeof operations.cash.history;

interface Row {
  base_currency: string;
  today: string;
  streams: { connection_id: string; reason: ExclusionReason | null; balances: StreamBalance[] }[];
}

const readHistory = statement(
  'read_cash_history',
  `WITH RECURSIVE ${streamCtes},
   days AS (
     SELECT s.connection_id, s.reason, (
       SELECT json_agg(b ORDER BY b.as_of) FROM (
         (SELECT connection_id, as_of, balance_cents, currency FROM cash_balance
          WHERE company_id = $1 AND connection_id = s.connection_id AND as_of <= c.today - $4::int
          ORDER BY as_of DESC LIMIT 1)
         UNION ALL
         (SELECT connection_id, as_of, balance_cents, currency FROM cash_balance
          WHERE company_id = $1 AND connection_id = s.connection_id
            AND as_of > c.today - $4::int AND as_of <= c.today + 1)
       ) b
     ) AS balances
     FROM judged s CROSS JOIN c
   )
   SELECT c.base_currency, c.today,
          (SELECT coalesce(json_agg(days ORDER BY connection_id), '[]') FROM days) AS streams
   FROM c`,
);

/** Cash at the end of each of the last days, for plots; the last day is today. */
export async function getCashHistory(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  assertReach(context, input.company_id);
  const before = input.days - 1;
  const [row] = await context.database.query<Row>(readHistory, [
    input.company_id,
    context.accountId,
    context.clock.now().toISOString(),
    before,
  ]);
  if (!row) throw companyNotFound();
  return toCashHistory({
    companyId: input.company_id,
    baseCurrency: row.base_currency,
    from: addDays(row.today, -before),
    to: row.today,
    streams: row.streams.map(({ connection_id, reason, balances }) => ({
      connectionId: connection_id,
      reason,
      balances,
    })),
  });
}
