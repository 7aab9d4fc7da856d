import { statement } from '../../db/queryable.ts';
import type { Context } from '../../verbs/context.ts';
import type { Money } from '../fx-rates/convert.ts';
import { type CashView, sumCash } from './cash-on-hand.ts';
import { disconnectedCtes, noCashTypes, seriesCtes } from './series-sql.ts';

// Each series' newest balance on the day, as in the history. Cash is unknown while an account with transactions has no
// balance yet, nor one of those that it replaced.
const readSums = statement(
  'read_closing_cash',
  `WITH RECURSIVE ${seriesCtes}, ${disconnectedCtes},
   counted AS MATERIALIZED (
     SELECT j.connection_id, coalesce(e.day, 'infinity') AS ended_on, f.as_of AS known_from, f.currency
     FROM judged j LEFT JOIN ended e ON e.connection_id = j.connection_id CROSS JOIN LATERAL (
       SELECT b.as_of, b.currency FROM cash_balance b
       WHERE b.company_id = $1 AND b.connection_id = j.connection_id ORDER BY b.as_of LIMIT 1
     ) f
     WHERE j.reason IS DISTINCT FROM 'user' AND j.account_type NOT IN ${noCashTypes}
   ),
   account AS (
     SELECT connection_id, connection_id AS id FROM counted
     UNION SELECT a.connection_id, l.replaces FROM account a JOIN link l ON l.id = a.id
   ),
   begun AS MATERIALIZED (
     SELECT a.connection_id, min(r.day) AS day
     FROM account a JOIN jsonb_to_recordset($5::jsonb) AS r (connection_id text, day date) ON r.connection_id = a.id
     GROUP BY 1
   )
   SELECT d.day::text AS day, u.currency, NULL AS balance
   FROM unnest($4::date[]) AS d (day) JOIN counted u ON d.day < u.known_from AND d.day < u.ended_on
     JOIN begun b ON b.connection_id = u.connection_id AND b.day <= d.day
   WHERE NOT EXISTS (
     SELECT FROM account a JOIN counted p ON p.connection_id = a.id
     WHERE a.connection_id = u.connection_id AND p.known_from <= d.day AND d.day < p.ended_on)
   UNION ALL
   SELECT d.day::text, b.currency, sum(b.balance_cents)::text
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
  /** Null while an account of this currency has no balance yet. */
  balance: string | null;
}

export interface ClosingCash {
  /** Without currencies in which an account has no balance yet. */
  lines: readonly Money[];
  /** False while any account has no balance yet. */
  isComplete: boolean;
}

/** Cash at the end of each day up to today. `firstDays`: local day of each account's first transaction. */
export async function readClosingCash(
  context: Context,
  cash: CashView,
  days: readonly string[],
  firstDays: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, ClosingCash>> {
  const { companyId, today, now, baseCurrency, series } = cash;
  const past = days.filter((day) => day < today);
  const begun = [...firstDays].map(([connection_id, day]) => ({ connection_id, day }));
  const values = [companyId, context.accountId, new Date(now).toISOString(), past, JSON.stringify(begun)];
  const rows = past.length === 0 ? [] : await context.database.query<Row>(readSums, values);
  const closings = new Map<string, ClosingCash>();
  for (const [day, sums] of Map.groupBy(rows, (row) => row.day)) {
    const unknown = new Set(sums.filter(({ balance }) => balance === null).map(({ currency }) => currency));
    const lines = sums
      .filter(({ currency }) => !unknown.has(currency))
      .map(({ currency, balance }) => ({ currency, amount: BigInt(balance ?? 0) }));
    closings.set(day, { lines, isComplete: unknown.size === 0 });
  }
  const counted = series.filter(({ reason }) => reason === null);
  const onHand = sumCash(counted, baseCurrency).map(({ currency, balance }) => ({ currency, amount: balance }));
  if (days.includes(today)) closings.set(today, { lines: onHand, isComplete: true });
  return closings;
}
