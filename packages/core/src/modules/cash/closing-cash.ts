import { statement } from '../../db/queryable.ts';
import type { Context } from '../../kernel/context.ts';
import type { Money } from '../fx-rates/convert.ts';
import { type CashView, sumCash } from './cash-on-hand.ts';
import { disconnectedCtes, noCashTypes, seriesCtes } from './series-sql.ts';

// As in the history: the newest balance of each series on the day, of a disconnected one only before its end.
const readSums = statement(
  'read_closing_cash',
  `WITH RECURSIVE ${seriesCtes}, ${disconnectedCtes},
   counted AS MATERIALIZED (
     SELECT j.connection_id, coalesce(e.day, 'infinity') AS ended_on
     FROM judged j LEFT JOIN ended e ON e.connection_id = j.connection_id
     WHERE j.reason IS DISTINCT FROM 'user' AND j.account_type NOT IN ${noCashTypes}
   )
   SELECT d.day::text AS day, b.currency, sum(b.balance_cents)::text AS balance
   FROM unnest($4::date[]) AS d (day) JOIN counted s ON d.day < s.ended_on CROSS JOIN LATERAL (
     SELECT o.currency, o.balance_cents FROM cash_balance o
     WHERE o.company_id = $1 AND o.connection_id = s.connection_id AND o.as_of <= d.day
     ORDER BY o.as_of DESC LIMIT 1
   ) b
   GROUP BY 1, 2 ORDER BY 1, 2`,
);

interface Row {
  day: string;
  currency: string;
  balance: string;
}

/**
 * The cash at the end of each of these days that are not later than today, per currency; a currency without a balance has none.
 * That of today is cash on hand.
 */
export async function readClosingCash(
  context: Context,
  cash: CashView,
  days: readonly string[],
): Promise<ReadonlyMap<string, readonly Money[]>> {
  const { companyId, today, now, baseCurrency, series } = cash;
  const past = days.filter((day) => day < today);
  const values = [companyId, context.accountId, new Date(now).toISOString(), past];
  const rows = past.length === 0 ? [] : await context.database.query<Row>(readSums, values);
  const closings = new Map<string, Money[]>();
  for (const [day, sums] of Map.groupBy(rows, (row) => row.day))
    closings.set(
      day,
      sums.map(({ currency, balance }) => ({ currency, amount: BigInt(balance) })),
    );
  const counted = series.filter(({ reason }) => reason === null);
  const onHand = sumCash(counted, baseCurrency).map(({ currency, balance }) => ({ currency, amount: balance }));
  if (days.includes(today)) closings.set(today, onHand);
  return closings;
}
