import { statement } from '../../../db/queryable.ts';
import type { Context } from '../../../verbs/context.ts';
import { tailCte, tailGroupsCte } from '../rollup/rollup-sql.ts';
import type { SeriesActivity } from './silent-series.ts';

/** Fewer transactions, or fewer different daily sums, are a coincidence, such as the same monthly fee. */
const LEAST_TRANSACTIONS = 10;
const LEAST_SUMS = 3;
const OVERLAP_PERCENT = 80;
const MAX_CANDIDATES = 60;

/** `transactions` of the `of` rows on common days are in both; `connection_id` has the older newest row. */
export interface RepeatedSeries {
  connection_id: string;
  repeats: string;
  transactions: number;
  of: number;
}

// Compares daily sums, not transactions. The series that ended first repeats the other, else the one with fewer
// transactions, so that one of several stays. Only days within both series are compared, because an account that moved to
// a new id has older history under the old one.
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
    WHERE day BETWEEN $5::date - interval '1 year' AND $5::date + 1
    GROUP BY 1, 2, 3
  ),
  totals AS MATERIALIZED (
    SELECT connection_id, min(day) AS first_day, max(day) AS last_day, sum(transactions) AS transactions
    FROM sums GROUP BY 1
  ),
  shared AS MATERIALIZED (
    SELECT a.connection_id, b.connection_id AS repeats, sum(a.transactions) AS transactions
    FROM sums a JOIN sums b USING (day, currency, net, transactions) 
    WHERE a.connection_id <> b.connection_id AND a.connection_id || E'\\n' || b.connection_id <> ALL ($6::text[])
    GROUP BY 1, 2 HAVING sum(a.transactions) >= ${LEAST_TRANSACTIONS} AND count(DISTINCT net) >= ${LEAST_SUMS}
  ),
  pair AS MATERIALIZED (
    SELECT s.*, greatest(own.first_day, other.first_day) AS from_day, own.last_day AS to_day
    FROM shared s JOIN totals own ON own.connection_id = s.connection_id JOIN totals other ON other.connection_id = s.repeats
    WHERE own.last_day < other.last_day
      OR own.last_day = other.last_day AND (own.transactions < other.transactions
        OR own.transactions = other.transactions AND s.connection_id > s.repeats)
  ),
  overlap AS (
    SELECT p.connection_id, p.repeats, p.transactions,
           least(sum(x.transactions) FILTER (WHERE x.connection_id = p.connection_id),
                 sum(x.transactions) FILTER (WHERE x.connection_id = p.repeats)) AS of
    FROM (SELECT connection_id AS side, pair.* FROM pair UNION ALL SELECT repeats, pair.* FROM pair) p
    JOIN sums x ON x.connection_id = p.side AND x.day BETWEEN p.from_day AND p.to_day
    GROUP BY 1, 2, 3
  )
  SELECT DISTINCT ON (connection_id) connection_id, repeats, transactions::int AS transactions, of::int AS of
  FROM overlap WHERE transactions * 100 >= of * ${OVERLAP_PERCENT}
  ORDER BY connection_id, overlap.transactions DESC, repeats`,
);

/** Finds series with 80 % equal days in the last year. Skips excluded and superseded ones, and pairs in `distinct`. */
export async function findRepeatedSeries(
  context: Context,
  company: { companyId: string; timezone: string },
  today: string,
  activity: readonly (SeriesActivity & { sums: readonly string[] | null })[],
  distinct: readonly (readonly string[])[],
): Promise<RepeatedSeries[]> {
  const different = distinct.flatMap((pair) => [pair.join('\n'), pair.toReversed().join('\n')]);
  const best = new Map<string, RepeatedSeries>();
  for (const candidates of batchesOf(groupBySums(activity))) {
    const values = [company.companyId, context.accountId, company.timezone, candidates, today, different];
    for (const found of await context.database.query<RepeatedSeries>(find, values)) {
      const known = best.get(found.connection_id);
      if (known === undefined || found.transactions > known.transactions) best.set(found.connection_id, found);
    }
  }
  return [...best.values()].toSorted((a, b) => (a.connection_id < b.connection_id ? -1 : 1));
}

/** Batches of at most `MAX_CANDIDATES`. A larger group is split into pieces that each have its first series. */
function batchesOf(groups: readonly (readonly string[])[]): string[][] {
  const batches: Set<string>[] = [];
  for (const [first = '', ...others] of groups) {
    for (let from = 0; from < others.length; from += MAX_CANDIDATES - 1) {
      const piece = [first, ...others.slice(from, from + MAX_CANDIDATES - 1)];
      const joined = new Set([...(batches.at(-1) ?? []), ...piece]);
      if (joined.size <= MAX_CANDIDATES) batches.splice(-1, 1, joined);
      else batches.push(new Set(piece));
    }
  }
  return batches.map((batch) => [...batch]);
}

function groupBySums(activity: readonly (SeriesActivity & { sums: readonly string[] | null })[]): string[][] {
  const bySums = new Map<string, Set<string>>();
  for (const { connection_id, ended, sums } of activity) {
    if (ended !== null) continue;
    for (const sum of sums ?? []) bySums.set(sum, (bySums.get(sum) ?? new Set()).add(connection_id));
  }
  const groups = [...bySums.values()].filter(({ size }) => size > 1).map((ids) => [...ids].toSorted());
  return [...new Map(groups.map((ids) => [ids.join('\n'), ids])).values()].toSorted((a, b) =>
    (a[0] ?? '') < (b[0] ?? '') ? -1 : 1,
  );
}
