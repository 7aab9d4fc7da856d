/**
 * CTEs that find the newest balance of every stream of company `$1` of account `$2` as of `$3` (a timestamptz): `c` is
 * the company with its local `today`, `latest` one row a stream. They walk the unique index backwards, where each step
 * lands on the newest row of the next stream, so the cost follows the number of connections and not of balances. A
 * balance of tomorrow counts (UTC+14 posts early).
 */
export const streamCtes = `
  c AS MATERIALIZED (
    SELECT id, status, base_currency, ($3::timestamptz AT TIME ZONE timezone)::date AS today
    FROM company WHERE id = $1 AND account_id = $2
  ),
  latest AS (
    SELECT l.* FROM c CROSS JOIN LATERAL (
      SELECT b.connection_id, b.as_of, b.balance_cents, b.currency FROM cash_balance b
      WHERE b.company_id = $1 AND b.as_of <= c.today + 1
      ORDER BY b.connection_id DESC, b.as_of DESC LIMIT 1
    ) l
    UNION ALL
    SELECT l.* FROM latest s CROSS JOIN c CROSS JOIN LATERAL (
      SELECT b.connection_id, b.as_of, b.balance_cents, b.currency FROM cash_balance b
      WHERE b.company_id = $1 AND b.connection_id < s.connection_id AND b.as_of <= c.today + 1
      ORDER BY b.connection_id DESC, b.as_of DESC LIMIT 1
    ) l
  )`;
