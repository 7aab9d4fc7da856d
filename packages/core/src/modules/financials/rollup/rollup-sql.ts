import { normalizedCategorySql } from '../figures/figure-rules.ts';

/**
 * CTE `tail`: bodies of the ingests of company `$1` of account `$2` that its sums do not contain yet. They contain those
 * up to a position: positions have the order of the commits, so no ingest appears below it later.
 */
export const tailCte = (limit = ''): string => `
  tail AS MATERIALIZED (
    SELECT e.body FROM event e
    WHERE e.company_id = $1 AND e.account_id = $2 AND e.type = 'bank.transaction.posted' AND NOT e.test
      AND e.position > (SELECT position FROM transaction_rollup WHERE company_id = $1 AND account_id = $2)
    ${limit}
  )`;

/** Days after which unread sums are rebuilt: the later events that they need may be gone. */
const MAX_AGE_DAYS = 30;

/** SQL: true if a row of `transaction_rollup` may be used in the zone `$3` at `$4`. */
export const usable = `timezone = $3 AND refreshed_at > $4::timestamptz - interval '${MAX_AGE_DAYS} days'`;

const dayOf = (column: string, zone: string): string => `(${column} AT TIME ZONE ${zone})::date`;

/** CTE `g`: the rows of `tail` summed by local day, series, currency and category. */
export const tailGroupsCte = (zone: string): string => `
  g AS MATERIALIZED (
    SELECT ${dayOf('r.posted_at', zone)} AS day, coalesce(r.connection_id, '') AS connection_id, r.currency, r.category,
           ${sums('r.amount_cents')}, max(r.created_at) AS received_at
    FROM tail CROSS JOIN LATERAL json_to_recordset(tail.body::json #> '{data,transactions}') AS r
      (posted_at timestamptz, amount_cents bigint, currency text, category text, connection_id text,
       created_at timestamptz)
    GROUP BY 1, 2, 3, 4
  )`;

export const allGroupsCte = (zone: string): string => `
  g AS MATERIALIZED (
    SELECT ${dayOf('t.posted_at', zone)} AS day, t.connection_id, t.currency, t.category, ${sums('t.amount_cents')},
           max(t.created_at) AS received_at
    FROM bank_transaction t WHERE t.company_id = $1 AND t.account_id = $2
    GROUP BY 1, 2, 3, 4
  )`;

function sums(amount: string): string {
  return `coalesce(sum(${amount}) FILTER (WHERE ${amount} > 0), 0) AS money_in,
    coalesce(-sum(${amount}) FILTER (WHERE ${amount} < 0), 0) AS money_out, count(*)::int AS transactions`;
}

export const monthGroups = `
  SELECT date_trunc('month', day)::date AS month, connection_id, currency, ${normalizedCategorySql('category')} AS category,
         sum(money_in) AS money_in, sum(money_out) AS money_out, sum(transactions)::int AS transactions
  FROM g GROUP BY 1, 2, 3, 4`;

export const dayGroups = `
  SELECT connection_id, day, currency, sum(money_in - money_out) AS net, sum(transactions)::int AS transactions
  FROM g GROUP BY 1, 2, 3`;

export const receiptGroups = `
  SELECT connection_id, max(received_at) AS received_at FROM g WHERE NOT starts_with(connection_id, 'conn_')
  GROUP BY 1 ORDER BY 1`;

export const storeCtes = `
  m AS (
    INSERT INTO transaction_month AS o
      (company_id, account_id, month, connection_id, currency, category, money_in, money_out, transactions)
    SELECT $1, $2, x.* FROM (${monthGroups}) x
    ON CONFLICT (company_id, month, connection_id, currency, category, flow_class) DO UPDATE
      SET money_in = o.money_in + excluded.money_in, money_out = o.money_out + excluded.money_out,
          transactions = o.transactions + excluded.transactions
  ),
  rc AS (
    INSERT INTO transaction_receipt AS o (company_id, account_id, connection_id, received_at)
    SELECT $1, $2, x.* FROM (${receiptGroups}) x
    ON CONFLICT (company_id, connection_id) DO UPDATE SET received_at = greatest(o.received_at, excluded.received_at)
  ),
  d AS (
    INSERT INTO transaction_day AS o (company_id, account_id, connection_id, day, currency, net, transactions)
    SELECT $1, $2, x.* FROM (${dayGroups}) x
    ON CONFLICT (company_id, connection_id, day, currency) DO UPDATE
      SET net = o.net + excluded.net, transactions = o.transactions + excluded.transactions
  )`;
