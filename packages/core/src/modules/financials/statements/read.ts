import {
  type FinancialSnapshot,
  financialSnapshot,
  normalizeCurrency,
  type operations,
  type snapshotRevision,
} from '@finhook/contracts';
import { byId } from '../../../lists/keyset.ts';
import { dateInZone } from '../../../time/calendar.ts';
import { toTimestamp } from '../../../time/clock.ts';
import { notFound } from '../../../verbs/domain-error.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import { listVerb, type Verb } from '../../../verbs/verb.ts';
import { findCompany } from '../../companies/read.ts';
import { deriveFigures, type PreviousIncome, previousIncomeSql } from './derived-figures.ts';

export type SnapshotRow = RowOf<typeof financialSnapshot, never, 'period_complete' | 'derived'>;

interface ReadRow extends SnapshotRow {
  previous_income: PreviousIncome | null;
}

const columns = `*, ${previousIncomeSql({
  company: 'financial_snapshot.company_id',
  type: 'financial_snapshot.statement_type',
  start: 'financial_snapshot.period_start',
})} AS previous_income`;

export function toSnapshot(row: SnapshotRow, today: string, previous: PreviousIncome | null): FinancialSnapshot {
  const derived = deriveFigures(row, previous);
  return record(financialSnapshot, row, { period_complete: row.period_end < today, derived });
}

export const getSnapshot: Verb<typeof operations.financials.snapshots.get> = async (context, input) => {
  const company = await findCompany(context, input.company_id);
  const [row] = await context.database.query<ReadRow>(
    `SELECT ${columns} FROM financial_snapshot WHERE id = $1 AND company_id = $2`,
    [input.snapshot_id, company.id],
  );
  if (!row) throw notFound('financial snapshot');
  return toSnapshot(row, dateInZone(context.clock.now(), company.timezone), row.previous_income);
};

export const listSnapshots = listVerb<typeof operations.financials.snapshots.list, ReadRow, string>({
  table: 'financial_snapshot',
  select: columns,
  prefix: 'fin',
  sort: [{ sql: 'period_end', cast: 'date', read: (row) => row.period_end }, byId('fin')],
  bytes: 'octet_length(totals::text) + octet_length(line_items::text)',
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    filters.where(company.id, 'company_id = ?');
    filters.whereEqual(input, ['statement_type', 'source']);
    filters.where(input.period_end_from, 'period_end >= ?');
    filters.where(input.period_end_to, 'period_end <= ?');
    filters.where(input.currency === undefined ? undefined : normalizeCurrency(input.currency), 'currency = ?');
    return dateInZone(context.clock.now(), company.timezone);
  },
  map: (row, today) => toSnapshot(row, today, row.previous_income),
});

export function revisionIdOf(snapshotId: string, revision: number): string {
  return `${snapshotId}.${revision}`;
}

// In the order of the response.
const revisions = `(
  SELECT s.id || '.' || s.revision AS id, s.id AS snapshot_id, s.account_id, s.company_id, s.statement_type,
         s.period_start, s.period_end, s.currency, s.totals, s.line_items, s.source, s.revision,
         s.updated_at AS recorded_at, true AS current
  FROM financial_snapshot s
  UNION ALL
  SELECT s.id || '.' || o.revision, s.id, s.account_id, s.company_id, s.statement_type,
         o.period_start, s.period_end, o.currency, o.totals, o.line_items, o.source, o.revision, o.recorded_at, false
  FROM financial_snapshot s JOIN financial_snapshot_revision o ON o.snapshot_id = s.id
) r`;

export const listRevisions = listVerb<typeof operations.financials.snapshots.revisions, RowOf<typeof snapshotRevision>>(
  {
    table: revisions,
    prefix: 'fin',
    sort: [{ sql: 'revision', cast: 'int', read: (row) => String(row.revision) }],
    bytes: 'octet_length(totals::text) + octet_length(line_items::text)',
    async filters(filters, context, input) {
      const { id } = await getSnapshot(context, input);
      filters.where(id, 'snapshot_id = ?');
      filters.where(input.company_id, 'company_id = ?');
    },
    map: ({ id, ...row }) => ({
      id,
      object: 'financial_snapshot_revision',
      ...row,
      recorded_at: toTimestamp(row.recorded_at),
    }),
  },
);
