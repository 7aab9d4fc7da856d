import { backfillPendingSql } from '../../bank/connections/connection.ts';
import { decidedCategorySql, decidedClassSql } from '../../bank/transactions/rule-sql.ts';
import { supersessionCte } from '../../cash/series-sql.ts';
import { firstDaySql, monthColumns, sumColumns } from '../rollup/rollup-sql.ts';
import { normalizedCategorySql } from './figure-rules.ts';
import { p } from './flow-parameters.ts';

/**
 * CTEs for superseded connections, in a `WITH RECURSIVE` that has `g`. `ended`: a row per connection that another
 * supersedes (`replaced_by`), from the local `day` of the successor's first row. `replaced`: the `ended` connections with
 * `transactions` since that day, which duplicate the successor's. A connection that is excluded, empty or waiting for its
 * backfill supersedes none; a waiting one is itself `ended` by its predecessor. `since` and `until` are columns because
 * row-level security allows indexes only for leakproof comparisons; they are a day wider, since an hour may occur twice.
 */
export const supersededCtes = `
  successor AS MATERIALIZED (
    SELECT k.id, k.replaces, ${backfillPendingSql('k')} AS waits,
           CASE WHEN k.id <> ALL (${p.excluded}::text[]) THEN ${firstDaySql('k.id')} END AS first_day
    FROM bank_connection k WHERE k.company_id = ${p.company} AND k.account_id = ${p.account} AND k.replaces IS NOT NULL
  ),
  waiting AS MATERIALIZED (
    SELECT id AS connection_id, replaces AS replaced_by, first_day AS day FROM successor
    WHERE waits AND first_day IS NOT NULL
  ),
  link AS MATERIALIZED (
    SELECT id, replaces, CASE WHEN NOT waits THEN first_day END AS day FROM successor
  ),
  ${supersessionCte},
  ended AS MATERIALIZED (
    SELECT DISTINCT ON (connection_id) connection_id, replaced_by, day, date_trunc('month', day)::date AS month
    FROM (SELECT * FROM supersession UNION ALL SELECT * FROM waiting) s
    WHERE day IS NOT NULL ORDER BY connection_id, day, replaced_by
  ),
  replaced AS MATERIALIZED (
    SELECT f.*, n.transactions, (f.day - 1)::timestamp AT TIME ZONE ${p.zone} AS since,
           least(${p.due}::timestamptz, (f.month + interval '1 month 1 day') AT TIME ZONE ${p.zone}) AS until
    FROM ended f CROSS JOIN LATERAL (
      SELECT coalesce((SELECT sum(d.transactions) FROM transaction_day d
          WHERE d.company_id = ${p.company} AND d.connection_id = f.connection_id AND d.day >= f.day), 0)
        + coalesce((SELECT sum(g.transactions) FROM g WHERE g.connection_id = f.connection_id AND g.day >= f.day), 0)
        AS transactions
    ) n
    WHERE n.transactions > 0
  )`;

// The rows of the successor's first month, found by time; ORDER BY and OFFSET keep the planner to that index.
const partRows = `
  SELECT r.month, r.connection_id, b.currency, ${normalizedCategorySql(decidedCategorySql('b'))} AS category,
         ${decidedClassSql('b')} AS flow_class, ${sumColumns('b.amount_cents')}
  FROM replaced r CROSS JOIN LATERAL (
    SELECT t.currency, t.category, t.own_category, t.counterparty, t.description, t.flow_class, t.amount_cents
    FROM bank_transaction t
    WHERE t.company_id = ${p.company} AND t.account_id = ${p.account} AND (t.connection_id = r.connection_id) IS TRUE
      AND t.posted_at >= r.since AND t.posted_at < r.until AND t.voided_at IS NULL
      AND (t.posted_at AT TIME ZONE ${p.zone})::date >= r.day
      AND (t.posted_at AT TIME ZONE ${p.zone})::date < r.month + interval '1 month'
    ORDER BY t.posted_at OFFSET 0
  ) b
  WHERE r.month BETWEEN ${p.firstMonth}::date AND ${p.lastMonth}::date
  GROUP BY 1, 2, 3, 4, 5`;

/** Moves rows from the counted sums to the superseded ones. Needs `flowRulesCte`. */
export const movedRows = `
  SELECT ${monthColumns}, sign * money_in, sign * money_out, sign * transactions,
         sign * transactions_in, sign * transactions_out, sign = 1 AS superseded
  FROM (${partRows}) p CROSS JOIN (VALUES (-1), (1)) AS both_sides (sign)`;

export const supersededList = `
  SELECT connection_id, replaced_by, day AS "from", transactions FROM replaced ORDER BY connection_id`;
