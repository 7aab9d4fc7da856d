/** `$1` to `$4` of all SQL in this folder. */
export const rollupParameters = ['company', 'account', 'zone', 'now'] as const;

/** SQL: the rules of the stored sums of company `$1` of account `$2`. */
export const appliedRulesSql = '(SELECT rules FROM transaction_rollup WHERE company_id = $1 AND account_id = $2)';

/** SQL: the time since which the sums of company `$1` of account `$2` follow its settings' rules; null without, or if older. */
export const rulesAppliedAtSql = `(SELECT r.rules_applied_at FROM transaction_rollup r JOIN surface_settings s USING (company_id)
  WHERE r.company_id = $1 AND r.account_id = $2 AND r.rules_version = s.rules_version)`;
