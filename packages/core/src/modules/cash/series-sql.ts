import type { AccountType } from '@finhook/contracts';

/** SQL: an account's type: from the settings map `accounts`, else from its last stored balance. */
export const accountTypeSql = (company: string, connection: string, accounts: string): string => `coalesce(
  ${accounts} ->> ${connection},
  (SELECT n.account_type FROM connection_account_type n
   WHERE n.company_id = ${company} AND n.connection_id = ${connection}),
  'depository')`;

/** Rows of these accounts are in no figure. */
export const uncountedTypes: readonly AccountType[] = ['investment', 'restricted', 'loan'];

const noCash: readonly AccountType[] = ['restricted', 'credit_card', 'loan'];

export const isCashType = (type: AccountType): boolean => !noCash.includes(type);

export function typesSql(types: readonly AccountType[]): string {
  return `(${types.map((type) => `'${type}'`).join(', ')})`;
}

export const noCashTypes = typesSql(noCash);

/**
 * CTEs with the newest balance of every series of the `companies`, a SELECT of their id, local `today` and settings.
 * `newest` has one row per series, `judged` adds the account type and the `reason`
 * of an exclusion, `known` omits disconnected and excluded series, and `latest` has those that count as cash. They walk
 * the unique index backwards, so the cost depends on the number of connections, not of balances. `IS TRUE` keeps the
 * day from influencing the choice of index; EXISTS instead of `= 'disconnected'` could become a scan of every
 * disconnected connection. A balance of tomorrow counts (UTC+14 posts early).
 */
export const seriesCtesOf = (companies: string): string => `
  c AS MATERIALIZED (${companies}),
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
  judged AS MATERIALIZED (
    SELECT n.company_id, n.connection_id, n.as_of, n.balance_cents, n.currency, n.updated_at, n.account_type, CASE
      WHEN n.connection_id = ANY (n.excluded) THEN 'user'
      WHEN starts_with(n.connection_id, 'conn_')
        AND (SELECT k.status FROM bank_connection k WHERE k.id = n.connection_id AND k.company_id = n.company_id)
          = 'disconnected' THEN 'disconnected'
      WHEN n.account_type IN ${noCashTypes} THEN n.account_type
    END AS reason
    FROM (
      SELECT s.*, c.excluded, ${accountTypeSql('s.company_id', 's.connection_id', 'c.accounts')} AS account_type
      FROM newest s JOIN c ON c.id = s.company_id OFFSET 0
    ) n
  ),
  known AS (
    SELECT company_id, connection_id, as_of, balance_cents, currency, account_type, reason FROM judged
    WHERE reason IS NULL OR reason = account_type
  ),
  latest AS (SELECT company_id, connection_id, as_of, balance_cents, currency FROM known WHERE reason IS NULL)`;

/** The same for company `$1` of account `$2` as of `$3`. */
export const seriesCtes = seriesCtesOf(`
    SELECT id, status, base_currency, timezone, ($3::timestamptz AT TIME ZONE timezone)::date AS today,
           (SELECT s.excluded_connections FROM surface_settings s WHERE s.company_id = company.id) AS excluded,
           (SELECT s.accounts FROM surface_settings s WHERE s.company_id = company.id) AS accounts
    FROM company WHERE id = $1 AND account_id = $2`);

/** Days up to the newest balance whose balances decide the sign. */
const OWED_DAYS = 90;

/** SQL: the sign that means "owed", because senders differ: that of most balances, or of the newest on a tie. */
export const owedSignSql = (s: string): string => `(
  SELECT coalesce(nullif(sign(sum(sign(o.balance_cents))), 0), (array_agg(sign(o.balance_cents) ORDER BY o.as_of DESC))[1])::int
  FROM cash_balance o
  WHERE o.company_id = $1 AND o.connection_id = ${s}.connection_id AND o.balance_cents <> 0
    AND o.as_of > ${s}.as_of - ${OWED_DAYS} AND o.as_of <= ${s}.as_of)`;

/**
 * CTE `supersession (connection_id, replaced_by, day)` for a `WITH RECURSIVE` with `link (id, replaces, day)`: for each
 * superseded connection the first `day` of its successors, direct or not, and that successor. One row per chain; `day`
 * is null if no successor has one. It walks from the newest connection back, so that a chain costs its length.
 */
export const supersessionCte = `
  supersession AS (
    SELECT l.replaces AS connection_id, l.id AS replaced_by, l.day FROM link l
    WHERE NOT EXISTS (SELECT FROM link n WHERE n.replaces = l.id)
    UNION ALL
    SELECT l.replaces, CASE WHEN l.day <= s.day OR s.day IS NULL THEN l.id ELSE s.replaced_by END, least(l.day, s.day)
    FROM supersession s JOIN link l ON l.id = s.connection_id
  )`;

/**
 * CTEs of company `$1` of account `$2`, for a `WITH RECURSIVE`: `ended` has the local `day` from which a disconnected
 * connection's balances no longer count. That is the first balance of a successor that the settings don't exclude,
 * because the account continued, or else the disconnection.
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
