/** `$1` to `$4` of all SQL in this folder. */
export const rollupParameters = ['company', 'account', 'zone', 'now'] as const;

/**
 * SQL: normalized for comparison: NFKC, lower case, single spaces, trimmed. ASCII texts take a cheaper path. The
 * collations are fixed because stored sums depend on lower case, which must not depend on the database's locale.
 */
export const comparedSql = (sql: string): string => `(
  SELECT btrim(CASE WHEN strpos(folded.text, '  ') > 0 THEN regexp_replace(folded.text, ' +', ' ', 'g') ELSE folded.text END)
  FROM (
    SELECT CASE WHEN octet_length(sent.text) = length(sent.text) THEN lower(translate(sent.text, E'\\t\\n\\v\\f\\r', '     ') COLLATE "C")
      ELSE regexp_replace(lower(normalize(sent.text, NFKC) COLLATE "pg_c_utf8"), '\\s+', ' ', 'g') COLLATE "C" END AS text
    FROM (SELECT ${sql} AS text OFFSET 0) sent OFFSET 0
  ) folded)`;

/** SQL: the rules of the stored sums of company `$1` of account `$2`. */
export const appliedRulesSql = '(SELECT rules FROM transaction_rollup WHERE company_id = $1 AND account_id = $2)';

/** SQL: the time since which the sums of company `$1` of account `$2` follow its settings' rules; null without, or if older. */
export const rulesAppliedAtSql = `(SELECT r.rules_applied_at FROM transaction_rollup r JOIN surface_settings s USING (company_id)
  WHERE r.company_id = $1 AND r.account_id = $2 AND r.rules_version = s.rules_version)`;

/** CTE `flow_rule`: the rules of a jsonb array, normalized; none for null. */
export const flowRulesCte = (rules: string): string => `
  flow_rule AS MATERIALIZED (
    SELECT r.n, ${comparedSql('r.contains')} AS contains, r.direction, r.flow_class
    FROM ROWS FROM (jsonb_to_recordset(${rules}) AS (contains text, direction text, flow_class text))
      WITH ORDINALITY AS r (contains, direction, flow_class, n)
  )`;

// One pattern match shows for most rows that no rule applies.
const anyRule = `((SELECT array_agg('%' || regexp_replace(contains, '[\\\\%_]', '\\\\\\&', 'g') || '%') FROM flow_rule)::text[])`;

/** SQL: the class by a person or a rule, '' for none. OFFSET and LATERAL prevent a normalization per rule. */
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
