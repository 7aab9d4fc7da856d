import type { ContentTransactionInput, operations, Warning } from '@finhook/contracts';
import { claimSeries, narrowingErrors, storedSourceError } from '../../../access/ingest-key.ts';
import { isRegistered } from '../../../ids/connection-id.ts';
import { exactCentsOf } from '../../../input/exact-arithmetic.ts';
import { audit } from '../../../outbox/audit.ts';
import { emit } from '../../../outbox/emit.ts';
import { transaction, type UnitOfWork } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import { MAX_FIELD_ERRORS, rejectFields } from '../../../verbs/domain-error.ts';
import type { OutputOf, Verb } from '../../../verbs/verb.ts';
import { currencyChanged, readSeriesCurrencies, type SeriesCurrency } from '../../cash/series-currency.ts';
import { type LockedCompany, lockCompany } from '../../companies/lock-company.ts';
import { keepChangedDuplicates } from './changed-duplicates.ts';
import { updateOf } from './correct-rows.ts';
import { duplicateWarnings, findTwins, flowTotalsOf, signWarnings } from './dry-run-warnings.ts';
import { inferCurrencies } from './insert-transactions.ts';
import { lockConnections, noteArrivals, rejectUnknownConnections } from './lock-connections.ts';
import { futureWarnings, type IngestPlan, planIngest, withRejected } from './plan-ingest.ts';
import { storeByContent } from './store-by-content.ts';
import { differenceWarnings, type StoredRows, storeRows } from './store-rows.ts';
import { toUpdatedTransaction } from './update-known.ts';

type Op = typeof operations.bank.transactions.ingest;

export const ingestTransactions: Verb<Op> = async (context, input) => {
  const isBatch = 'transactions' in input;
  const transactions: readonly ContentTransactionInput[] = 'transactions' in input ? input.transactions : [input];
  const byContent = input.match === 'content';
  const plan = planIngest({
    transactions,
    repeatsKeys: byContent,
    indexes: context.rows?.indexes ?? transactions.map((_, i) => i),
    rowPointer: (index) => (isBatch ? `/transactions/${index}` : ''),
    now: context.clock.now(),
    newId: context.newId,
    limit: (row, pointer) => narrowingErrors(context, row, pointer),
  });
  plan.rejected.unshift(...(context.rows?.rejected ?? []));
  plan.rejected.sort((a, b) => a.index - b.index);
  const dryRun = input.dry_run ?? false;
  // A dry run reports the invalid rows beside the others.
  const isAtomic = input.on_error !== 'skip' && !dryRun;
  // Unknown registered connections are found below; then all errors are reported together.
  if (isAtomic && !plan.rows.some(({ row }) => isRegistered(row.connection_id))) rejectAll(plan);
  const updates = input.on_duplicate === 'update';
  const lock = byContent ? contentLocks(input.company_id, plan) : [];
  return transaction(context, { records: 'audit and event', lock, dryRun }, (tx) =>
    store(tx, context, input.company_id, plan, { isAtomic, dryRun, byContent, updates }),
  );
};

/** Requests that match by content compare the rows of a connection one after the other. */
function contentLocks(companyId: string, { rows }: IngestPlan): string[] {
  return [...new Set(rows.map(({ row }) => `transactions|${companyId}|${row.connection_id ?? ''}`))].sort();
}

function rejectAll({ rejected }: IngestPlan): void {
  rejectFields(rejected.map(({ pointer, code, message }) => ({ pointer, code, message })));
}

interface StoreOptions {
  isAtomic: boolean;
  dryRun: boolean;
  byContent: boolean;
  updates: boolean;
}

async function store(
  tx: UnitOfWork,
  context: Context,
  companyId: string,
  planned: IngestPlan,
  { isAtomic, dryRun, byContent, updates }: StoreOptions,
): Promise<OutputOf<Op>> {
  const now = context.clock.now();
  const company = await lockCompany(tx, context, companyId);
  const connections = await lockConnections(tx, company.id, planned, now);
  const known = rejectUnknownConnections(planned, connections);
  if (isAtomic) rejectAll(known);
  const named = known.rows.map(({ row }) => row.connection_id ?? '');
  await claimSeries(tx, context, company.id, named);
  await noteArrivals(tx, connections, now);
  const series = await readSeriesCurrencies(tx, company, named, now);
  inferCurrencies(company, known.rows, connections, series);
  const twins = dryRun ? await findTwins(tx, context, company, known.rows) : undefined;
  const stored = await (byContent
    ? storeByContent(tx, company, known, now)
    : storeRows(tx, company, known, { clock: context.clock, sources: context.access.ingest?.sources, updates }));
  const plan = withRejected(
    known,
    stored.rejected.map(({ index }) => storedSourceError(index, known.rowPointer(index))),
  );
  if (isAtomic) rejectAll(plan);
  const { inserted, updated, skipped } = stored;
  const updatedIds = new Set(updated.map(({ row }) => row.id));
  await keepChangedDuplicates(
    tx,
    company,
    known,
    skipped.filter(({ existing_id }) => existing_id === null || !updatedIds.has(existing_id)),
    now,
  );
  const output = report(tx, context, company, plan, stored);
  output.warnings.push(...currencyWarnings(plan, stored, series));
  if (twins === undefined) return output;
  const matched = new Set([...updatedIds, ...skipped.map(({ existing_id }) => existing_id)]);
  return {
    ...output,
    errors: output.errors.slice(0, MAX_FIELD_ERRORS),
    totals: flowTotalsOf(output.transactions).map((line) => ({
      currency: line.currency,
      ...exactCentsOf('in', line.in),
      ...exactCentsOf('out', line.out),
    })),
    warnings: [
      ...output.warnings,
      ...(await signWarnings(tx, company, plan.rows)),
      ...duplicateWarnings(twins, plan.rows, inserted, matched, plan.rowPointer),
    ],
    dry_run: true,
  };
}

function report(
  tx: UnitOfWork,
  context: Context,
  { id: companyId, timezone }: LockedCompany,
  plan: IngestPlan,
  { inserted, updated, skipped }: StoredRows,
): OutputOf<Op> {
  const id = context.newId('ing');
  const rows = inserted.map(({ row }) => row);
  const rejectedRows = new Set(plan.rejected.map(({ index }) => index)).size;
  const received = rows.length + updated.length + skipped.length + rejectedRows;
  const counts = { received, skipped: skipped.length };
  audit(tx, context, {
    action: 'bank.transactions.ingest',
    companyId,
    resourceId: id,
    after: { ...counts, inserted: rows.length, updated: updated.length, failed: rejectedRows, ...replacedIn(updated) },
  });
  const eventId = emit(tx, context, {
    type: 'bank.transaction.posted',
    companyId,
    data: {
      object: 'transaction_batch',
      ingest_id: id,
      company_id: companyId,
      count: rows.length,
      transactions: rows,
      ...counts,
    },
  });
  if (updated.length > 0) {
    const changed = updated.map(({ row }) => row);
    emit(tx, context, { type: 'bank.transaction.updated', companyId, data: updateOf(companyId, 'resent', changed) });
  }
  return {
    object: 'transaction_ingest',
    id,
    company_id: companyId,
    received,
    inserted: rows.length,
    updated: updated.length,
    skipped: skipped.length,
    failed: rejectedRows,
    count: rows.length,
    transactions: rows,
    updated_transactions: updated.map(toUpdatedTransaction),
    skipped_transactions: skipped,
    errors: plan.rejected,
    warnings: [...futureWarnings(plan, timezone), ...differenceWarnings(skipped, plan.rowPointer)],
    event_id: eventId,
  };
}

/** Replaced values, which the audit log keeps longer than the event. */
function replacedIn(updated: StoredRows['updated']): { updated_transactions?: object[] } {
  if (updated.length === 0) return {};
  return { updated_transactions: updated.map(({ row: { id, changed, previous } }) => ({ id, changed, previous })) };
}

/** One per connection and currency. Rows with a stored ID have a warning about their differences instead. */
function currencyWarnings(
  { rows, rowPointer }: IngestPlan,
  { updated, skipped }: StoredRows,
  series: ReadonlyMap<string, SeriesCurrency>,
): Warning[] {
  const repeated = new Set([
    ...updated.map(({ planned }) => planned.index),
    ...skipped.filter(({ reason }) => reason !== 'known').map(({ index }) => index),
  ]);
  const warnings = new Map<string, Warning>();
  for (const { index, row } of rows) {
    const stored = series.get(row.connection_id ?? '')?.currency ?? row.currency;
    const key = `${row.currency}|${row.connection_id ?? ''}`;
    if (stored === row.currency || repeated.has(index) || warnings.has(key)) continue;
    warnings.set(key, currencyChanged(`${rowPointer(index)}/currency`, row.currency, stored));
  }
  return [...warnings.values()];
}
