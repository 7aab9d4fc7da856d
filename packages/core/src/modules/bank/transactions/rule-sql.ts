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

/** CTE `flow_rule`: the rules of a jsonb array, normalized; none for null. */
export const flowRulesCte = (rules: string): string => `
  flow_rule AS MATERIALIZED (
    SELECT r.n, ${comparedSql('r.contains')} AS contains, r.direction, r.flow_class, r.category
    FROM ROWS FROM (jsonb_to_recordset(${rules}) AS (contains text, direction text, flow_class text, category text))
      WITH ORDINALITY AS r (contains, direction, flow_class, category, n)
  )`;

type Decided = 'flow_class' | 'category';

// One pattern match shows for most rows that no rule applies.
const anyRule = (field: Decided): string =>
  `((SELECT array_agg('%' || regexp_replace(contains, '[\\\\%_]', '\\\\\\&', 'g') || '%') FROM flow_rule WHERE ${field} IS NOT NULL)::text[])`;

/**
 * SQL: the class or category by the first rule that sets one, else null. Rules look for their text in what was posted.
 * OFFSET and LATERAL prevent a normalization per rule.
 */
const byRuleSql = (t: string, field: Decided): string => `
  CASE WHEN (SELECT count(*) > 0 FROM flow_rule WHERE ${field} IS NOT NULL) THEN (
    SELECT m.${field}
    FROM (SELECT ${comparedSql(`concat_ws(' ', ${t}.category, ${t}.counterparty, ${t}.description)`)} AS text OFFSET 0) x
    CROSS JOIN LATERAL (
      SELECT f.${field} FROM flow_rule f
      WHERE f.${field} IS NOT NULL AND strpos(x.text, f.contains) > 0
        AND (f.direction IS NULL OR f.direction = CASE WHEN ${t}.amount_cents > 0 THEN 'in' WHEN ${t}.amount_cents < 0 THEN 'out' END)
      ORDER BY f.n LIMIT 1
    ) m
    WHERE x.text LIKE ANY ${anyRule(field)}
  ) END`;

/** SQL: the class by a person or a rule, '' for none. */
export const decidedClassSql = (t: string): string =>
  `(coalesce(${t}.flow_class, ${byRuleSql(t, 'flow_class')}, '') COLLATE "C")`;

/** SQL: the category by a rule; null for none. */
export const ruleCategorySql = (t: string): string => `(${byRuleSql(t, 'category')})`;

/** SQL: the category by a person, else by a rule, else as posted; null for none. */
export const decidedCategorySql = (t: string): string =>
  `coalesce(${t}.own_category, ${byRuleSql(t, 'category')}, ${t}.category)`;

/** SQL: the rules that rows of a company are shown with: those of its sums, or of its settings before it has any. */
export const shownRulesSql = (company: string): string => `coalesce(
  (SELECT r.rules FROM transaction_rollup r WHERE r.company_id = ${company}),
  (SELECT s.flow_rules FROM surface_settings s WHERE s.company_id = ${company}))`;

/**
 * SQL: the category of row `t` by the shown rules of its company, given as a parameter, so that they are read once. The
 * first condition costs nothing per row of a company without such rules.
 */
export const shownRuleCategorySql = (t: string, company: string): string => `
  CASE WHEN (SELECT count(s.category) > 0 FROM jsonb_to_recordset(${shownRulesSql(company)}) AS s (category text)) THEN (
    WITH ${flowRulesCte(shownRulesSql(company))} SELECT ${ruleCategorySql(t)}
  ) END`;
