import { statement } from '../../../db/queryable.ts';
import { firstInstantSql } from '../../../time/calendar.ts';
import { decidedCategorySql, decidedClassSql, flowRulesCte } from '../../bank/transactions/rule-sql.ts';
import { appliedRulesSql, rulesAppliedAtSql } from '../rollup/applied-rules.ts';
import {
  currentSumsCtes,
  decidedTailGroupsCte,
  firstDaySql,
  hasDaysSql,
  isUpdateSql,
  monthColumns,
  monthGroups,
  noGroupsCte,
  receiptGroups,
  sumNames,
  tailCte,
  usableSql,
} from '../rollup/rollup-sql.ts';
import { normalizedCategorySql } from './figure-rules.ts';
import { p } from './flow-parameters.ts';
import { BURN_MONTHS } from './months.ts';
import { movedRows, supersededCtes, supersededList } from './superseded-sql.ts';

/** Like `maxTailEvents`, for the size of their bodies. */
const MAX_TAIL_CHARACTERS = 128 * 1024;
/** Series that share months with fewer transactions are not compared. */
const MIN_COMPARED_TRANSACTIONS = 3;

const storedSums = `
  stored AS MATERIALIZED (
    SELECT ${usableSql} AS usable, refreshed_at < ${p.now}::timestamptz - interval '1 day' AS aging
    FROM transaction_rollup WHERE company_id = ${p.company} AND account_id = ${p.account}
  )`;

// A tail with changed rows doesn't fit: only a refresh of the stored sums can apply them (`changedGroupsCte`).
const tailSize = `
  tail_size AS MATERIALIZED (
    SELECT count(*) <= ${p.maxTailEvents}::int AND coalesce(sum(octet_length(body)), 0) <= ${MAX_TAIL_CHARACTERS}
      AND count(*) FILTER (WHERE ${isUpdateSql}) = 0 AS fits FROM tail
  )`;

// Sums contain future transactions, subtracted here until they are due. ORDER BY keeps the planner to the index on time.
const futureRows = `
  SELECT date_trunc('month', posted_at AT TIME ZONE ${p.zone})::date AS month, connection_id, currency,
         ${normalizedCategorySql(decidedCategorySql('t'))} AS category, ${decidedClassSql('t')} AS flow_class,
         -greatest(amount_cents, 0)::numeric AS money_in, least(amount_cents, 0)::numeric AS money_out, -1 AS transactions,
         -(amount_cents > 0)::int AS transactions_in, -(amount_cents < 0)::int AS transactions_out
  FROM bank_transaction t
  WHERE company_id = ${p.company} AND account_id = ${p.account} AND posted_at >= ${p.due}::timestamptz AND voided_at IS NULL
    AND posted_at < ${firstInstantSql(`${p.lastMonth}::date + interval '1 month'`, p.zone)}
  ORDER BY posted_at`;

// Enough months to find gaps in the window; `sums` has the months of a year, to find repeated series.
const isRecent = `month >= ${p.lastMonth}::date - interval '${2 * BURN_MONTHS} months'`;
const activityFrom = `${p.lastMonth}::date - CASE WHEN ${p.seeksRepeated}::boolean THEN interval '1 year' ELSE interval '${2 * BURN_MONTHS} months' END`;
const activity = `
  SELECT connection_id, coalesce(json_agg(DISTINCT currency) FILTER (WHERE ${isRecent}), '[]') AS currencies,
         coalesce(json_agg(DISTINCT to_char(month, 'YYYY-MM')) FILTER (WHERE ${isRecent}), '[]') AS months,
         to_char(min(last_month), 'YYYY-MM') AS ended, connection_id IN (SELECT id FROM successor) AS succeeds,
         json_agg(DISTINCT concat_ws(' ', month, currency, money_in, money_out, transactions))
           FILTER (WHERE ${p.seeksRepeated}::boolean AND transactions >= ${MIN_COMPARED_TRANSACTIONS}) AS sums
  FROM (
    SELECT a.connection_id, a.currency, a.month, sum(a.money_in) AS money_in, sum(a.money_out) AS money_out,
           sum(a.transactions) AS transactions, e.month AS last_month
    FROM (
      SELECT connection_id, currency, month, money_in, money_out, transactions FROM transaction_month
      WHERE company_id = ${p.company} AND account_id = ${p.account} AND month BETWEEN ${activityFrom} AND ${p.lastMonth}::date
      UNION ALL
      SELECT connection_id, currency, date_trunc('month', day)::date, money_in, money_out, transactions FROM g
      WHERE day >= ${activityFrom} AND day < ${p.lastMonth}::date + interval '1 month'
    ) a LEFT JOIN ended e ON e.connection_id = a.connection_id
    GROUP BY a.connection_id, a.currency, a.month, e.month
  ) active
  WHERE connection_id <> ALL (${p.excluded}::text[]) GROUP BY 1 ORDER BY 1`;

// The database computes the starts of months because it assigns rows to them: Node's time zone data may differ.
const windows = `
  SELECT to_char(month, 'YYYY-MM') AS month, ${firstInstantSql('month', p.zone)} AS from,
         ${firstInstantSql("month + interval '1 month'", p.zone)} AS to
  FROM generate_series(${p.firstMonth}::timestamp, ${p.lastMonth}::timestamp, interval '1 month') AS month ORDER BY month`;

// Excluded and uncounted accounts, and unfinished backfills, don't limit the history.
const leftOut = `
  left_out AS MATERIALIZED (
    SELECT ${p.excluded}::text[] || ${p.uncounted}::text[] || ARRAY(SELECT connection_id FROM waiting) AS ids)`;
const isCounted = (connectionId: string): string => `${connectionId} <> ALL ((SELECT ids FROM left_out)::text[])`;

const flowSums = `
  to_char(month, 'YYYY-MM') AS month, currency,
  coalesce(sum(money_in) FILTER (WHERE NOT excludes_in), 0)::text AS money_in,
  coalesce(sum(money_out) FILTER (WHERE NOT excludes_out), 0)::text AS money_out,
  coalesce(sum(money_in) FILTER (WHERE excludes_in), 0)::text AS excluded_in,
  coalesce(sum(money_out) FILTER (WHERE excludes_out), 0)::text AS excluded_out,
  coalesce(sum(money_in) FILTER (WHERE is_transfer), 0)::text AS transfer_in,
  coalesce(sum(money_out) FILTER (WHERE is_transfer), 0)::text AS transfer_out,
  sum(transactions)::int AS transactions`;

// The sums of each series that replaces none and whose history does not begin before the first month.
const lateSeries = `
  SELECT flow.connection_id, f.first_day, f.history_from, ${flowSums}
  FROM (
    SELECT i.connection_id, ${firstDaySql('i.connection_id')} AS first_day,
      (SELECT k.history_from FROM bank_connection k WHERE k.company_id = ${p.company} AND k.id = i.connection_id) AS history_from
    FROM (SELECT DISTINCT connection_id FROM flow WHERE NOT excludes_out AND money_out > 0) i
    WHERE i.connection_id NOT IN (SELECT id FROM successor)
  ) f JOIN flow ON flow.connection_id = f.connection_id
  WHERE coalesce(f.history_from, f.first_day) >= ${p.firstMonth}::date
  GROUP BY flow.connection_id, f.first_day, f.history_from, flow.month, flow.currency HAVING sum(transactions) > 0`;

const keyedSums = `
  SELECT key, ${flowSums},
         coalesce(sum(money_in) FILTER (WHERE excludes_in AND NOT excludes_out), 0)::text AS financing_in,
         coalesce(sum(transactions_in) FILTER (WHERE NOT excludes_in), 0)::int AS counted_in,
         coalesce(sum(transactions_out) FILTER (WHERE NOT excludes_out), 0)::int AS counted_out
  FROM (
    SELECT *, CASE ${p.keyedBy} WHEN 'category' THEN category ELSE connection_id END AS key
    FROM flow WHERE currency = ${p.keyCurrency} AND (${p.keyConnection}::text IS NULL OR connection_id = ${p.keyConnection}::text)
  ) k
  GROUP BY key, month, currency HAVING sum(transactions) > 0 ORDER BY key, month`;

// A connection whose rows are all void has none.
const hasRows = (connectionId: string): string => `(${hasDaysSql(connectionId)}
  OR EXISTS (SELECT FROM g WHERE g.connection_id = ${connectionId}))`;

const firstDay = `
  SELECT (posted_at AT TIME ZONE ${p.zone})::date FROM bank_transaction
  WHERE company_id = ${p.company} AND account_id = ${p.account} AND posted_at < ${p.due}::timestamptz AND voided_at IS NULL
    AND ${isCounted('connection_id')}
  ORDER BY posted_at LIMIT 1`;

// The months before a successor are known from the connection that it supersedes.
const historyFrom = `
  SELECT CASE WHEN count(*) = count(history_from) THEN max(history_from) FILTER (WHERE NOT EXISTS (
      SELECT FROM bank_connection p
      WHERE p.company_id = ${p.company} AND p.id = k.replaces AND p.transactions_at IS NOT NULL AND ${isCounted('p.id')}
        AND ${hasRows('p.id')})) END
  FROM bank_connection k WHERE company_id = ${p.company} AND transactions_at IS NOT NULL AND ${isCounted('id')}
    AND ${hasRows('k.id')}
    AND NOT EXISTS (SELECT FROM transaction_receipt r
                    WHERE r.company_id = ${p.company} AND ${isCounted('r.connection_id')} AND ${hasRows('r.connection_id')})
    AND NOT EXISTS (SELECT FROM g
                    WHERE NOT starts_with(g.connection_id, 'conn_') AND ${isCounted('g.connection_id')})`;

// `month_sum` has all sums of the months, `flow` those with their class, which decides what counts as money in and out.
const flowCtes = `
  month_sum AS (
    SELECT ${monthColumns}, ${sumNames}, false AS superseded
    FROM transaction_month
    WHERE company_id = ${p.company} AND account_id = ${p.account} AND month BETWEEN ${p.firstMonth}::date AND ${p.lastMonth}::date
    UNION ALL
    SELECT t.*, false FROM (${monthGroups}) t WHERE month BETWEEN ${p.firstMonth}::date AND ${p.lastMonth}::date
    UNION ALL
    SELECT f.*, false FROM (${futureRows}) f
    UNION ALL
    ${movedRows}
  ),
  series_sum AS (
    SELECT s.*, s.superseded OR coalesce(s.month > r.month, false)
             OR s.connection_id = ANY (${p.excluded}::text[] || ${p.uncounted}::text[]) AS excluded
    FROM month_sum s LEFT JOIN replaced r ON r.connection_id = s.connection_id
  ),
  flow AS (
    SELECT connection_id, month, currency, category, ${sumNames},
           class = 'transfer' AND NOT excluded AS is_transfer,
           class IN ('transfer', 'excluded') OR excluded AS excludes_out,
           class IN ('transfer', 'excluded', 'financing') OR excluded AS excludes_in
    FROM (
      SELECT *, CASE WHEN flow_class <> '' THEN flow_class
                  WHEN category = ANY (${p.transferCategories}::text[]) THEN 'transfer'
                  WHEN category = ANY (${p.financingCategories}::text[]) THEN 'financing' ELSE 'counted' END AS class
      FROM series_sum
    ) c
  ),
  flows AS (
    SELECT ${flowSums} FROM flow GROUP BY 1, 2 HAVING sum(transactions) > 0 ORDER BY 1, 2
  )`;

const listed = (sql: string): string => `SELECT json_agg(item) FROM (${sql}) item`;
/** SQL: null if the tail is too large, because then nothing is read. */
const ifFits = (sql: string): string => `CASE WHEN tail_size.fits THEN (${sql}) END`;

/**
 * `ctes` give `tail_size` and `g`; `flow_rule` is in them or around. `arrivals` selects those that the stored sums don't
 * have.
 */
const readSql = (ctes: string, arrivals: string): string => `
  WITH RECURSIVE ${ctes}, ${storedSums}, ${supersededCtes}, ${leftOut}, ${flowCtes}
  SELECT coalesce((SELECT usable FROM stored), false) AS usable, (SELECT aging FROM stored) AS aging,
         (${firstDay}) AS first_day, ${ifFits(historyFrom)} AS history_from, ${ifFits(listed(arrivals))} AS arrivals,
         ${ifFits("SELECT coalesce(json_agg(flows), '[]') FROM flows")} AS flows,
         ${ifFits(listed(supersededList))} AS replaced, ${ifFits(listed(activity))} AS activity,
         ${ifFits(listed(lateSeries))} AS late,
         CASE WHEN ${p.keyedBy}::text IS NOT NULL THEN ${ifFits(listed(keyedSums))} END AS keyed,
         ${appliedRulesSql}::text AS flow_rules, ${rulesAppliedAtSql} AS rules_applied_at, (${listed(windows)}) AS windows
  FROM tail_size`;

// The limit is a parameter: for a small constant the planner may prefer another index than `event_ingest`.
export const readSums = statement(
  'read_monthly_flows',
  readSql(
    `${tailCte(`LIMIT ${p.maxTailEvents}::int + 1`)}, ${tailSize}, ${flowRulesCte(appliedRulesSql)}, ${decidedTailGroupsCte(p.zone)}`,
    receiptGroups,
  ),
);

/** Also reads a tail that does not fit. */
export const readCurrentSums = statement(
  'read_current_monthly_flows',
  `WITH ${currentSumsCtes}
   SELECT * FROM (${readSql(`tail_size AS (SELECT ${p.maxTailEvents}::int >= 0 AS fits), ${noGroupsCte}`, 'SELECT * FROM unread_receipt')}) q`,
);
