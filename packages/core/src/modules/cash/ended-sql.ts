/**
 * CTEs of company `$1` of account `$2`, in a `WITH RECURSIVE`: `ended` has each disconnected connection with the local `day` from which its
 * balances count no more. Where others replace it, themselves or in turn, that is the day of their first balance: the account
 * went on, and a successor may bring balances of long ago. Else it is the day on which it ended. A successor that the
 * settings leave out stands in for none.
 */
export const endedCtes = `
  succession AS (
    SELECT replaces AS connection_id, id AS successor FROM bank_connection
    WHERE company_id = $1 AND replaces IS NOT NULL
    UNION
    SELECT s.connection_id, k.id FROM succession s JOIN bank_connection k ON k.company_id = $1 AND k.replaces = s.successor
  ),
  successor_from AS (
    SELECT s.connection_id, min(f.as_of) AS day
    FROM succession s CROSS JOIN LATERAL (
      SELECT b.as_of FROM cash_balance b
      WHERE b.company_id = $1 AND b.connection_id = s.successor ORDER BY b.as_of LIMIT 1
    ) f
    WHERE NOT EXISTS (SELECT FROM surface_settings x
      WHERE x.company_id = $1 AND s.successor = ANY (x.excluded_connections))
    GROUP BY 1
  ),
  ended AS MATERIALIZED (
    SELECT k.id AS connection_id, coalesce(f.day,
      (k.disconnected_at AT TIME ZONE (SELECT timezone FROM company WHERE id = $1 AND account_id = $2))::date) AS day
    FROM bank_connection k LEFT JOIN successor_from f ON f.connection_id = k.id
    WHERE k.company_id = $1 AND k.status = 'disconnected'
  )`;
