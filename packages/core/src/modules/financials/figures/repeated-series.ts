import { statement } from '../../../db/queryable.ts';
import type { Context } from '../../../kernel/context.ts';
import { tailCte, tailGroupsCte } from '../rollup/rollup-sql.ts';
import type { SeriesActivity } from './silent-series.ts';

/** Fewer transactions, or fewer different sums of a day, are a coincidence: many accounts have the same monthly fee. */
const LEAST_TRANSACTIONS = 10;
const LEAST_SUMS = 3;
const OVERLAP_PERCENT = 80;
/** Candidates are compared in pairs; those beyond are not. Pairs with a month of the same sums stand together. */
const MAX_CANDIDATES = 60;

/** A series that looks like another series of the same account: `transactions` of its rows of a year are there too. */
export interface RepeatedSeries {
  connection_id: string;
  repeats: string;
  transactions: number;
  of: number;
}

// Sums of days, never transactions. The one with fewer transactions repeats the other, so that one of several stays.
const find = statement(
  'find_repeated_series',
  `WITH ${tailCte()}, ${tailGroupsCte('$3')},
  sums AS MATERIALIZED (
    SELECT connection_id, day, currency, sum(net) AS net, sum(transactions) AS transactions
    FROM (
      SELECT connection_id, day, currency, net, transactions FROM transaction_day
      WHERE company_id = $1 AND account_id = $2 AND connection_id = ANY ($4::text[])
      UNION ALL
      SELECT connection_id, day, currency, money_in - money_out, transactions FROM g
      WHERE connection_id = ANY ($4::text[])
    ) d
    WHERE day >= $5::date - interval '1 year'
    GROUP BY 1, 2, 3
  ),
  totals AS (SELECT connection_id, sum(transactions) AS transactions FROM sums GROUP BY 1),
  shared AS (
    SELECT a.connection_id, b.connection_id AS repeats, sum(a.transactions) AS transactions
    FROM sums a JOIN sums b USING (day, currency, net, transactions) WHERE a.connection_id <> b.connection_id
    GROUP BY 1, 2 HAVING sum(a.transactions) >= ${LEAST_TRANSACTIONS} AND count(DISTINCT net) >= ${LEAST_SUMS}
  )
  SELECT DISTINCT ON (s.connection_id) s.connection_id, s.repeats, s.transactions::int AS transactions,
         own.transactions::int AS of
  FROM shared s JOIN totals own ON own.connection_id = s.connection_id JOIN totals other ON other.connection_id = s.repeats
  WHERE s.transactions * 100 >= own.transactions * ${OVERLAP_PERCENT}
    AND (own.transactions < other.transactions
      OR own.transactions = other.transactions AND s.connection_id > s.repeats)
  ORDER BY s.connection_id, s.transactions DESC, s.repeats`,
);

/**
 * The series that look like another series of the same account: 80 % of their transactions of the last year are on days
 * on which the other has the same sum and number of transactions. Series that the settings exclude, or that another
 * supersedes, count once already. Only those with a recent month of the same sums as another's are compared.
 */
export async function findRepeatedSeries(
  context: Context,
  company: { companyId: string; timezone: string },
  today: string,
  activity: readonly (SeriesActivity & { sums: readonly string[] | null })[],
): Promise<RepeatedSeries[]> {
  const candidates = alikeSeries(activity).slice(0, MAX_CANDIDATES);
  if (candidates.length === 0) return [];
  const values = [company.companyId, context.accountId, company.timezone, candidates, today];
  return context.database.query<RepeatedSeries>(find, values);
}

function alikeSeries(activity: readonly (SeriesActivity & { sums: readonly string[] | null })[]): string[] {
  const bySums = new Map<string, Set<string>>();
  for (const { connection_id, ended, sums } of activity) {
    if (ended !== null) continue;
    for (const sum of sums ?? []) bySums.set(sum, (bySums.get(sum) ?? new Set()).add(connection_id));
  }
  return [...new Set([...bySums.values()].filter(({ size }) => size > 1).flatMap((ids) => [...ids]))];
}
