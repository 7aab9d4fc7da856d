import { appliedRules, flowRulesCte } from './flow-class-sql.ts';
import { changedGroupsCte, dayGroups, monthGroups, receiptGroups, tailCte } from './rollup-sql.ts';

/**
 * CTEs with the names of the tables of sums of company `$1` of account `$2`, for a `WITH` that is not recursive: the stored sums with
 * what the rows of `tail` change, which is `unread`. A query inside it finds all in the sums, as if they were up to date.
 */
export const currentSumsCtes = `
  ${tailCte()}, ${flowRulesCte(appliedRules)}, ${changedGroupsCte('$3')},
  unread AS MATERIALIZED (SELECT * FROM g),
  unread_receipt AS MATERIALIZED (${receiptGroups}),
  transaction_month AS MATERIALIZED (
    SELECT company_id, account_id, month, connection_id, currency, category, flow_class, sum(money_in) AS money_in,
           sum(money_out) AS money_out, sum(transactions)::int AS transactions,
           sum(transactions_in)::int AS transactions_in, sum(transactions_out)::int AS transactions_out
    FROM (
      SELECT company_id, account_id, month, connection_id, currency, category, flow_class, money_in, money_out, transactions,
             transactions_in, transactions_out
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

/** CTE `g` inside of these: nothing is left to add. */
export const noGroupsCte = 'g AS MATERIALIZED (SELECT * FROM unread WHERE false)';
