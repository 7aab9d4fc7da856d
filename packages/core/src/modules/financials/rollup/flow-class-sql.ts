/**
 * SQL: the form in which texts and names are compared: NFKC, lower case, runs of white space one space, none at the ends. A fixed
 * collation, because lower case must not depend on the database's locale. Most texts are ASCII, for which less is done: a company
 * has many rows.
 */
export const comparedSql = (sql: string): string => `(
  SELECT btrim(CASE WHEN strpos(folded.text, '  ') > 0 THEN regexp_replace(folded.text, ' +', ' ', 'g') ELSE folded.text END)
  FROM (
    SELECT CASE WHEN octet_length(sent.text) = length(sent.text) THEN lower(translate(sent.text, E'\\t\\n\\v\\f\\r', '     ') COLLATE "C")
      ELSE regexp_replace(lower(normalize(sent.text, NFKC) COLLATE "pg_c_utf8"), '\\s+', ' ', 'g') COLLATE "C" END AS text
    FROM (SELECT ${sql} AS text OFFSET 0) sent OFFSET 0
  ) folded)`;

/** SQL: the rules that the stored sums of company `$1` of account `$2` were made with. */
export const appliedRules = '(SELECT rules FROM transaction_rollup WHERE company_id = $1 AND account_id = $2)';

/**
 * SQL: since when the sums of company `$1` of account `$2` follow the rules of its settings; null while they follow earlier
 * ones, and if it never had any.
 */
export const rulesAppliedAtSql = `(SELECT r.rules_applied_at FROM transaction_rollup r JOIN surface_settings s USING (company_id)
  WHERE r.company_id = $1 AND r.account_id = $2 AND r.rules_version = s.rules_version)`;

/** CTE `flow_rule`: the rules of a jsonb array, in the form in which they are compared. Null has none. */
export const flowRulesCte = (rules: string): string => `
  flow_rule AS MATERIALIZED (
    SELECT r.n, ${comparedSql('r.contains')} AS contains, r.direction, r.flow_class
    FROM ROWS FROM (jsonb_to_recordset(${rules}) AS (contains text, direction text, flow_class text))
      WITH ORDINALITY AS r (contains, direction, flow_class, n)
  )`;

// Tells of most rows at once that no rule applies.
const anyRule = `((SELECT array_agg('%' || regexp_replace(contains, '[\\\\%_]', '\\\\\\&', 'g') || '%') FROM flow_rule)::text[])`;

/**
 * SQL: the class that a person or a rule gave the row `t`, '' for none, beside `flowRulesCte`. Without rules no text is read.
 * OFFSET and LATERAL keep the text from being normalized for each of the rules.
 */
export const decidedClassSql = (t: string): string => `(coalesce(${t}.flow_class,
  CASE WHEN (SELECT count(*) > 0 FROM flow_rule) THEN (
    SELECT m.flow_class
    FROM (SELECT ${comparedSql(`concat_ws(' ', ${t}.category, ${t}.counterparty, ${t}.description)`)} AS text OFFSET 0) x
    CROSS JOIN LATERAL (
      SELECT f.flow_class FROM flow_rule f
      WHERE strpos(x.text, f.contains) > 0
        AND (f.direction IS NULL OR f.direction = CASE WHEN ${t}.amount_cents > 0 THEN 'in' WHEN ${t}.amount_cents < 0 THEN 'out' END)
      ORDER BY f.n LIMIT 1
    ) m
    WHERE x.text LIKE ANY ${anyRule}
  ) END, '') COLLATE "C")`;
