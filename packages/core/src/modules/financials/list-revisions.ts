import type { LineItem, operations, SnapshotRevision } from '@finhook/contracts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { revisionIdOf } from './snapshot-record.ts';

type Op = typeof operations.financials.snapshots.revisions;

interface RevisionRow {
  snapshot_id: string;
  account_id: string;
  company_id: string;
  statement_type: SnapshotRevision['statement_type'];
  period_start: string;
  period_end: string;
  currency: string;
  totals: Record<string, number>;
  line_items: LineItem[];
  source: string;
  revision: number;
  is_current: boolean;
  recorded_at: string;
}

const revisions = `(
  SELECT s.id AS snapshot_id, s.account_id, s.company_id, s.statement_type, s.period_start, s.period_end, s.currency,
         s.totals, s.line_items, s.source, s.revision, true AS is_current, s.updated_at AS recorded_at
  FROM financial_snapshot s
  UNION ALL
  SELECT s.id, s.account_id, s.company_id, s.statement_type, o.period_start, s.period_end, o.currency,
         o.totals, o.line_items, o.source, o.revision, false, o.recorded_at
  FROM financial_snapshot s JOIN financial_snapshot_revision o ON o.snapshot_id = s.id
) r`;

/** Lists what a snapshot said over time, the current revision first. */
export async function listRevisions(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const company = await findCompany(context, input.company_id);
  const [known] = await context.database.query<{ id: string }>(
    'SELECT id FROM financial_snapshot WHERE id = $1 AND company_id = $2',
    [input.snapshot_id, company.id],
  );
  if (!known) throw notFound('financial snapshot');
  const filters = new Filters();
  filters.where(known.id, 'r.snapshot_id = ?');
  filters.where(company.id, 'r.company_id = ?');
  return readPage<RevisionRow, SnapshotRevision>({
    query: context.database.query,
    select: 'r.*',
    from: revisions,
    filters,
    bytes: 'octet_length(r.totals::text) + octet_length(r.line_items::text)',
    sort: [{ sql: 'r.revision', cast: 'int', read: (row) => String(row.revision) }],
    page: input,
    toItem: ({ is_current, ...row }) => ({
      id: revisionIdOf(row.snapshot_id, row.revision),
      object: 'financial_snapshot_revision',
      ...row,
      current: is_current,
      recorded_at: toTimestamp(row.recorded_at),
    }),
  });
}
