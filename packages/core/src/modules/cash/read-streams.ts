/**
 * CTEs that find the newest balance of every stream of company `$1` of account `$2` as of `$3` (a timestamptz): `c` is
 * the company with its local `today`, `latest` one row a stream. They hop from stream to stream along the unique index,
 * so the cost follows the number of connections and not of balances. A balance of tomorrow counts (UTC+14 posts early).
 */
export const streamCtes = `
  c AS MATERIALIZED (
    SELECT id, status, base_currency, ($3::timestamptz AT TIME ZONE timezone)::date AS today
    FROM company WHERE id = $1 AND account_id = $2
  ),
  stream (connection_id) AS (
    SELECT (SELECT b.connection_id FROM cash_balance b WHERE b.company_id = c.id ORDER BY b.connection_id LIMIT 1) FROM c
    UNION ALL
    SELECT (SELECT b.connection_id FROM cash_balance b
            WHERE b.company_id = $1 AND b.connection_id > s.connection_id ORDER BY b.connection_id LIMIT 1)
    FROM stream s WHERE s.connection_id IS NOT NULL
  ),
  latest AS (
    SELECT l.* FROM stream s CROSS JOIN c CROSS JOIN LATERAL (
      SELECT b.connection_id, b.as_of, b.balance_cents, b.currency FROM cash_balance b
      WHERE b.company_id = c.id AND b.connection_id = s.connection_id AND b.as_of <= c.today + 1
      ORDER BY b.as_of DESC LIMIT 1
    ) l WHERE s.connection_id IS NOT NULL
  )`;
