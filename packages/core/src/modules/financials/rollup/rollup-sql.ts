import { decidedCategorySql, decidedClassSql, flowRulesCte } from '../../bank/transactions/rule-sql.ts';
import { normalizedCategorySql } from '../figures/figure-rules.ts';
import { appliedRulesSql } from './applied-rules.ts';

/** CTE `tail`: the events after the stored sums, by position, which has the order of commits. The index is `event_ingest`. */
export const tailCte = (limit = ''): string => `
  tail AS MATERIALIZED (
    SELECT e.type, e.body FROM event e
    WHERE e.company_id = $1 AND e.account_id = $2 AND e.type IN ('bank.transaction.posted', 'bank.transaction.updated')
      AND NOT e.test
      AND e.position > (SELECT position FROM transaction_rollup WHERE company_id = $1 AND account_id = $2)
    ${limit}
  )`;

/** SQL: true for an event of `tail` about changed rows, which only `changedGroupsCte` can apply. */
export const isUpdateSql = `type = 'bank.transaction.updated'`;

/** Days after which unread sums are rebuilt, because retention may have dropped events that they need. */
const MAX_AGE_DAYS = 30;

/** SQL: true if a row of `transaction_rollup` is usable in zone `$3` at `$4`. */
export const usableSql = `timezone = $3 AND refreshed_at > $4::timestamptz - interval '${MAX_AGE_DAYS} days'`;

const dayOf = (column: string, zone: string): string => `(${column} AT TIME ZONE ${zone})::date`;

const rowFields = `posted_at timestamptz, amount_cents bigint, currency text, category text, posted_category text,
  category_reason text, counterparty text, description text, connection_id text, flow_class text, created_at timestamptz,
  voided_at timestamptz`;
// A row of an event has its category as of then. Events of earlier versions have the posted one only, without a reason.
const rowColumns = (
  j: string,
): string => `${j}.posted_at, ${j}.amount_cents, ${j}.currency, ${j}.counterparty, ${j}.description,
  ${j}.connection_id, ${j}.flow_class, ${j}.created_at, ${j}.voided_at,
  CASE WHEN ${j}.category_reason = 'person' THEN ${j}.category END AS own_category,
  CASE WHEN ${j}.category_reason IS NULL THEN ${j}.category ELSE ${j}.posted_category END AS category`;

/** SQL: true if a connection has stored sums. LIMIT keeps a plan from reading the days of all connections. */
export const hasDaysSql = (connectionId: string): string => `
  (SELECT true FROM transaction_day d WHERE d.company_id = $1 AND d.connection_id = ${connectionId} LIMIT 1) IS TRUE`;

/** SQL: the local day of a connection's first row of company `$1`, from the stored sums and `added`, rows of later ingests. */
export const firstDaySql = (connectionId: string, added = 'g'): string => `least(
  (SELECT d.day FROM transaction_day d WHERE d.company_id = $1 AND d.connection_id = ${connectionId} ORDER BY d.day LIMIT 1),
  (SELECT min(n.day) FROM ${added} n WHERE n.connection_id = ${connectionId}))`;

/** The columns of the groups that persons and rules decide, as SQL of a row. */
interface DecidedColumns {
  category: string;
  flowClass: string;
}

const decidedColumns = (t: string): DecidedColumns => ({
  category: decidedCategorySql(t),
  flowClass: decidedClassSql(t),
});

const ingestedGroups = (zone: string, { category, flowClass }: DecidedColumns): string => `
  g AS MATERIALIZED (
    SELECT ${dayOf('r.posted_at', zone)} AS day, coalesce(r.connection_id, '') AS connection_id, r.currency,
           ${category} AS category, ${flowClass} AS flow_class, ${sumColumns('r.amount_cents')}, max(r.created_at) AS received_at
    FROM (
      SELECT ${rowColumns('p')}
      FROM tail CROSS JOIN LATERAL json_to_recordset(tail.body::json #> '{data,transactions}') AS p (${rowFields})
      WHERE NOT ${isUpdateSql}
    ) r
    GROUP BY 1, 2, 3, 4, 5
  )`;

/** CTE `g`: sums of the ingested rows of `tail` by local day, series and currency, for readers of neither category nor class. */
export const tailGroupsCte = (zone: string): string =>
  ingestedGroups(zone, { category: 'NULL::text', flowClass: "''::text" });

/** CTE `g`: like `tailGroupsCte`, also by category and class. Needs `flowRulesCte`. */
export const decidedTailGroupsCte = (zone: string): string => ingestedGroups(zone, decidedColumns('r'));

/** CTE `g`: the changes by `tail`. A changed row is subtracted with its `previous` fields: a group may be negative. */
export const changedGroupsCte = (zone: string): string => `
  changed AS MATERIALIZED (
    SELECT c.item FROM tail CROSS JOIN LATERAL jsonb_array_elements(tail.body::jsonb #> '{data,transactions}') AS c (item)
    WHERE ${isUpdateSql}
  ),
  g AS MATERIALIZED (
    SELECT ${dayOf('r.posted_at', zone)} AS day, coalesce(r.connection_id, '') AS connection_id, r.currency,
           ${decidedCategorySql('r')} AS category, ${decidedClassSql('r')} AS flow_class,
           ${sumColumns('r.amount_cents', 'r.sign')}, max(r.created_at) AS received_at
    FROM (
      SELECT 1 AS sign, ${rowColumns('p')}
      FROM tail CROSS JOIN LATERAL json_to_recordset(tail.body::json #> '{data,transactions}') AS p (${rowFields})
      WHERE NOT ${isUpdateSql}
      UNION ALL
      SELECT s.sign, ${rowColumns('p')}
      FROM changed CROSS JOIN LATERAL (VALUES (1, item), (-1, item || (item -> 'previous'))) AS s (sign, version)
      CROSS JOIN LATERAL jsonb_to_record(s.version) AS p (${rowFields})
    ) r
    WHERE r.voided_at IS NULL
    GROUP BY 1, 2, 3, 4, 5
  )`;

/** CTE `g`: the sums of all rows. A group of void rows only has their time of arrival. Needs `flowRulesCte`. */
export const allGroupsCte = (zone: string): string => `
  g AS MATERIALIZED (
    SELECT ${dayOf('t.posted_at', zone)} AS day, t.connection_id, t.currency, ${decidedCategorySql('t')} AS category,
           ${decidedClassSql('t')} AS flow_class, ${sumColumns('t.amount_cents', '(t.voided_at IS NULL)::int')}, max(t.created_at) AS received_at
    FROM bank_transaction t WHERE t.company_id = $1 AND t.account_id = $2
    GROUP BY 1, 2, 3, 4, 5
  )`;

const sums = ['money_in', 'money_out', 'transactions', 'transactions_in', 'transactions_out'];
export const sumNames = sums.join(', ');
export const monthColumns = 'month, connection_id, currency, category, flow_class';
const addedSums = `sum(money_in) AS money_in, sum(money_out) AS money_out, sum(transactions)::int AS transactions,
  sum(transactions_in)::int AS transactions_in, sum(transactions_out)::int AS transactions_out`;

/** SQL: the columns of a sum of transactions of `amount`, each counted `times`. */
export function sumColumns(amount: string, times = '1'): string {
  return `sum(${times} * greatest(${amount}, 0)) AS money_in, -sum(${times} * least(${amount}, 0)) AS money_out,
    sum(${times})::int AS transactions, sum(${times} * (${amount} > 0)::int)::int AS transactions_in,
    sum(${times} * (${amount} < 0)::int)::int AS transactions_out`;
}

export const monthGroups = `
  SELECT date_trunc('month', day)::date AS month, connection_id, currency, ${normalizedCategorySql('category')} AS category,
         flow_class, ${addedSums} FROM g GROUP BY 1, 2, 3, 4, 5`;

export const dayGroups = `
  SELECT connection_id, day, currency, sum(money_in - money_out) AS net, sum(transactions)::int AS transactions
  FROM g GROUP BY 1, 2, 3`;

export const receiptGroups = `
  SELECT connection_id, max(received_at) AS received_at FROM g WHERE NOT starts_with(connection_id, 'conn_')
  GROUP BY 1 ORDER BY 1`;

export const storeCtes = `
  m AS (
    INSERT INTO transaction_month AS o
      (company_id, account_id, ${monthColumns}, ${sumNames})
    SELECT $1, $2, x.* FROM (${monthGroups}) x
    ON CONFLICT (company_id, month, connection_id, currency, category, flow_class) DO UPDATE
      SET ${sums.map((name) => `${name} = o.${name} + excluded.${name}`).join(', ')}
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

/** CTEs named like the tables of sums, with `tail` added, for a `WITH` that is not recursive. */
export const currentSumsCtes = `
  ${tailCte()}, ${flowRulesCte(appliedRulesSql)}, ${changedGroupsCte('$3')},
  unread AS MATERIALIZED (SELECT * FROM g),
  unread_receipt AS MATERIALIZED (${receiptGroups}),
  transaction_month AS MATERIALIZED (
    SELECT company_id, account_id, ${monthColumns}, ${addedSums}
    FROM (
      SELECT company_id, account_id, ${monthColumns}, ${sumNames}
      FROM transaction_month WHERE company_id = $1 AND account_id = $2
      UNION ALL SELECT $1, $2, x.* FROM (${monthGroups}) x
    ) m GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(transactions) > 0
  ),
  transaction_day AS MATERIALIZED (
    SELECT company_id, connection_id, day, sum(transactions)::int AS transactions
    FROM (
      SELECT company_id, connection_id, day, transactions FROM transaction_day WHERE company_id = $1 AND account_id = $2
      UNION ALL SELECT $1, x.connection_id, x.day, x.transactions FROM (${dayGroups}) x
    ) d GROUP BY 1, 2, 3 HAVING sum(transactions) > 0
  ),
  transaction_receipt AS MATERIALIZED (
    SELECT company_id, connection_id FROM transaction_receipt WHERE company_id = $1 AND account_id = $2
    UNION SELECT $1, connection_id FROM unread_receipt
  )`;

/** CTE `g` for a query inside `currentSumsCtes`: empty. */
export const noGroupsCte = 'g AS MATERIALIZED (SELECT * FROM unread WHERE false)';
