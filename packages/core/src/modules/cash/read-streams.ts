/**
 * CTEs that find the newest balance of every stream of the companies that `which` names (a condition on `company`) of
 * account `$2` as of `$3` (a timestamptz): `c` is a company with its local `today`, `newest` one row a stream, `judged` the
 * same with the `reason` that a stream is left out for, `latest` those that count as cash: neither disconnected nor left
 * out by the settings. They walk the unique index backwards, where each step lands on the newest row of the next stream,
 * so the cost follows the number of connections and not of balances: `IS TRUE` keeps the day out of the choice of index,
 * and EXISTS could become a scan of every connection that ever ended. A balance of tomorrow counts (UTC+14 posts early).
 */
export const streamCtesOf = (which: string): string => `
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

/** The same for company `$1`. */
export const streamCtes = streamCtesOf('id = $1');
