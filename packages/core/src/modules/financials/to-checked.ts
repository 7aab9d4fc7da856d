import type { CheckedSnapshot } from '@finhook/contracts';
import { type RelatedFigures, runChecks } from './run-checks.ts';
import type { StatementContent } from './statement-values.ts';

/** A statement with its checks against what is stored now. `today` is a local day. */
export function toChecked(
  statement: StatementContent & Pick<CheckedSnapshot, 'period_start' | 'period_end' | 'revision'> & { id: string },
  related: RelatedFigures,
  today: string,
): CheckedSnapshot {
  return {
    snapshot_id: statement.id,
    statement_type: statement.statement_type,
    period_start: statement.period_start,
    period_end: statement.period_end,
    currency: statement.currency,
    revision: statement.revision,
    checks: runChecks(statement, related, today),
  };
}
