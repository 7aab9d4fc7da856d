/**
 * CTEs that find the newest balance of every series of the companies that `which` selects (a condition on `company`),
 * of account `$2` as of `$3` (a timestamptz). `c` is a company with its local `today`; `newest` has one row per series;
 * `judged` adds the `reason` that a series is excluded for; `latest` are those that count as cash: neither disconnected
 * nor excluded by the settings. They walk the unique index backwards, and each step finds the newest row of the next
 * series, so the cost depends on the number of connections, not of balances. `IS TRUE` keeps the day from influencing
 * the choice of index; EXISTS could become a scan of every disconnected connection. A balance of tomorrow counts
 * (UTC+14 posts early).
 */
export const seriesCtesOf = (which: string): string => `
  c AS MATERIALIZED (
    SELECT id, status, base_currency, timezone, ($3::timestamptz AT TIME ZONE timezone)::date AS today,
           (SELECT s.excluded_connections FROM surface_settings s WHERE s.company_id = company.id) AS excluded
    FROM company WHERE ${which} AND account_id = $2
  ),
  newest AS (
    SELECT c.id AS company_id, c.today, l.* FROM c CROSS JOIN LATERAL (
      SELECT b.connection_id, b.as_of, b.balance_cents, b.currency, b.updated_at FROM cash_balance b
      WHERE b.company_id = c.id AND (b.as_of <= c.today + 1) IS TRUE
      ORDER BY b.connection_id DESC, b.as_of DESC LIMIT 1
    ) l
    UNION ALL
    SELECT s.company_id, s.today, l.* FROM newest s CROSS JOIN LATERAL (
      SELECT b.connection_id, b.as_of, b.balance_cents, b.currency, b.updated_at FROM cash_balance b
      WHERE b.company_id = s.company_id AND b.connection_id < s.connection_id AND (b.as_of <= s.today + 1) IS TRUE
      ORDER BY b.connection_id DESC, b.as_of DESC LIMIT 1
    ) l
  ),
  judged AS (
    SELECT n.company_id, n.connection_id, n.as_of, n.balance_cents, n.currency, n.updated_at, CASE
      WHEN n.connection_id = ANY (c.excluded) THEN 'user'
      WHEN starts_with(n.connection_id, 'conn_')
        AND (SELECT k.status FROM bank_connection k WHERE k.id = n.connection_id AND k.company_id = n.company_id)
          = 'disconnected' THEN 'disconnected'
    END AS reason FROM newest n JOIN c ON c.id = n.company_id
  ),
  latest AS (SELECT company_id, connection_id, as_of, balance_cents, currency FROM judged WHERE reason IS NULL)`;

export const seriesCtes = seriesCtesOf('id = $1');
