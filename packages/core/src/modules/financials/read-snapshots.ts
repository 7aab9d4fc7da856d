import { normalizeCurrency, type operations } from '@finhook/contracts';
import { dateInZone } from '../../kernel/clock.ts';
import type { Context } from '../../kernel/context.ts';
import { notFound } from '../../kernel/domain-error.ts';
import { byId, Filters, readPage } from '../../kernel/keyset.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { findCompany } from '../companies/get-company.ts';
import { type SnapshotRow, toSnapshot } from './snapshot-record.ts';

type GetOp = typeof operations.financials.snapshots.get;
type ListOp = typeof operations.financials.snapshots.list;

/** Reads one snapshot. */
export async function getSnapshot(context: Context, input: InputOf<GetOp>): Promise<OutputOf<GetOp>> {
  const company = await findCompany(context, input.company_id);
  const [row] = await context.database.query<SnapshotRow>(
    'SELECT * FROM financial_snapshot WHERE id = $1 AND company_id = $2',
    [input.snapshot_id, company.id],
  );
  if (!row) throw notFound('financial snapshot');
  return toSnapshot(row, dateInZone(context.clock.now(), company.timezone));
}

/** Lists a company's snapshots, latest period first. */
export async function listSnapshots(context: Context, input: InputOf<ListOp>): Promise<OutputOf<ListOp>> {
  const company = await findCompany(context, input.company_id);
  const today = dateInZone(context.clock.now(), company.timezone);
  const filters = new Filters();
  filters.where(company.id, 's.company_id = ?');
  filters.where(input.statement_type, 's.statement_type = ?');
  filters.where(input.period_end_from, 's.period_end >= ?');
  filters.where(input.period_end_to, 's.period_end <= ?');
  filters.where(input.source, 's.source = ?');
  filters.where(input.currency === undefined ? undefined : normalizeCurrency(input.currency), 's.currency = ?');
  filters.whereTimes(input, 's.');
  return readPage<SnapshotRow, OutputOf<ListOp>['data'][number]>({
    query: context.database.query,
    select: 's.*',
    from: 'financial_snapshot s',
    filters,
    bytes: 'octet_length(s.totals::text) + octet_length(s.line_items::text)',
    sort: [{ sql: 's.period_end', cast: 'date', read: (row) => row.period_end }, byId('fin', 's.id')],
    page: input,
    toItem: (row) => toSnapshot(row, today),
  });
}
