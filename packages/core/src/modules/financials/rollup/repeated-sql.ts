/** Fewer transactions, or fewer different sums of a day, are a coincidence: many accounts have the same monthly fee. */
const LEAST_TRANSACTIONS = 10;
const LEAST_SUMS = 3;
const OVERLAP_PERCENT = 80;
/** In a month that makes a series a candidate. */
const LEAST_OF_MONTH = 3;
/** Candidates are compared in pairs; with more of them nothing is compared. */
const MAX_CANDIDATES = 30;

/**
 * The series of company `$1` that look like another series of the same account: 80 % of their transactions of the last
 * year are on days on which the other has the same sum and number of transactions. The one with fewer transactions
 * `repeats` the other, so that at least one of several stays. Series that the settings exclude (`$9`), or that another
 * supersedes, count once already. For a `WITH` that has `g` and `ended`. Reads sums, never transactions, and sums of
 * days only of `alike` series: those with a recent month of the same sums as another's.
 */
export const repeatedList = `
  WITH recent AS (
    SELECT connection_id, count(*) OVER (PARTITION BY month, currency, money_in, money_out, transactions) AS series
    FROM (
      SELECT connection_id, month, currency, sum(money_in) AS money_in, sum(money_out) AS money_out,
             sum(transactions) AS transactions
      FROM (
        SELECT connection_id, month, currency, money_in, money_out, transactions FROM transaction_month
        WHERE company_id = $1 AND account_id = $2 AND month BETWEEN $6::date - interval '6 months' AND $6::date
        UNION ALL
        SELECT connection_id, date_trunc('month', day)::date, currency, money_in, money_out, transactions FROM g
        WHERE day >= $6::date - interval '6 months' AND day < $6::date + interval '1 month'
      ) m
      WHERE connection_id <> ALL ($9::text[]) AND connection_id NOT IN (SELECT connection_id FROM ended)
      GROUP BY 1, 2, 3 HAVING sum(transactions) >= ${LEAST_OF_MONTH}
    ) months
  ),
  alike AS MATERIALIZED (SELECT DISTINCT connection_id FROM recent WHERE series > 1),
  sums AS MATERIALIZED (
    SELECT connection_id, day, currency, sum(net) AS net, sum(transactions) AS transactions
    FROM (
      SELECT connection_id, day, currency, net, transactions FROM transaction_day
      WHERE company_id = $1 AND account_id = $2 AND connection_id = ANY (ARRAY(SELECT connection_id FROM alike))
      UNION ALL
      SELECT connection_id, day, currency, money_in - money_out, transactions FROM g
      WHERE connection_id IN (SELECT connection_id FROM alike)
    ) d
    WHERE day >= $6::date - interval '1 year' AND (SELECT count(*) FROM alike) <= ${MAX_CANDIDATES}
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
  ORDER BY s.connection_id, s.transactions DESC, s.repeats`;
