import { supersessionCte } from '../../kernel/supersession-sql.ts';

/**
 * CTEs of company `$1` of account `$2`, for a `WITH RECURSIVE`: `ended` has each disconnected connection with the local
 * `day` from which its balances no longer count. If other connections supersede it, directly or in turn, that is the
 * day of their first balance: the account continued, and a successor may bring old balances. Otherwise it is the day of
 * the disconnection. A successor that the settings exclude does not count.
 */
export const disconnectedCtes = `
  link AS MATERIALIZED (
    SELECT k.id, k.replaces, CASE WHEN NOT EXISTS (SELECT FROM surface_settings x
        WHERE x.company_id = $1 AND k.id = ANY (x.excluded_connections))
      THEN (SELECT b.as_of FROM cash_balance b
        WHERE b.company_id = $1 AND b.connection_id = k.id ORDER BY b.as_of LIMIT 1)
    END AS day
    FROM bank_connection k WHERE k.company_id = $1 AND k.replaces IS NOT NULL
  ),
  ${supersessionCte},
  ended AS MATERIALIZED (
    SELECT k.id AS connection_id, coalesce(
      (SELECT min(s.day) FROM supersession s WHERE s.connection_id = k.id),
      (k.disconnected_at AT TIME ZONE (SELECT timezone FROM company WHERE id = $1 AND account_id = $2))::date
    ) AS day
    FROM bank_connection k WHERE k.company_id = $1 AND k.status = 'disconnected'
  )`;
