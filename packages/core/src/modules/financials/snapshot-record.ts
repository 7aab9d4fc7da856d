import type { FinancialSnapshot, LineItem } from '@finhook/contracts';
import { toTimestamp } from '../../kernel/clock.ts';

/** A row of `financial_snapshot` as PostgreSQL returns it. */
export interface SnapshotRow {
  id: string;
  account_id: string;
  company_id: string;
  statement_type: FinancialSnapshot['statement_type'];
  period_start: string;
  period_end: string;
  currency: string;
  totals: Record<string, number>;
  line_items: LineItem[];
  source: string;
  revision: number;
  created_at: string;
  updated_at: string;
}

/** The id of what a snapshot said at one of its revisions. */
export function revisionIdOf(snapshotId: string, revision: number): string {
  return `${snapshotId}.${revision}`;
}

/** `today` decides whether the period is over. */
export function toSnapshot(row: SnapshotRow, today: string): FinancialSnapshot {
  return {
    id: row.id,
    object: 'financial_snapshot',
    account_id: row.account_id,
    company_id: row.company_id,
    statement_type: row.statement_type,
    period_start: row.period_start,
    period_end: row.period_end,
    period_complete: row.period_end < today,
    currency: row.currency,
    totals: row.totals,
    line_items: row.line_items,
    source: row.source,
    revision: row.revision,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
