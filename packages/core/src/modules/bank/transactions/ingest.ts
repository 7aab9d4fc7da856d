import type { BankTransactionInput, operations, SkippedTransaction } from '@finhook/contracts';
import { audit } from '../../../kernel/audit.ts';
import { isRegistered } from '../../../kernel/connection-id.ts';
import type { Context } from '../../../kernel/context.ts';
import { MAX_FIELD_ERRORS, rejectFields } from '../../../kernel/domain-error.ts';
import { emit } from '../../../kernel/emit.ts';
import { exactCentsOf } from '../../../kernel/exact-arithmetic.ts';
import { claimSeries, narrowingErrors } from '../../../kernel/ingest-key.ts';
import { transaction, type UnitOfWork } from '../../../kernel/transaction.ts';
import type { OutputOf, Verb } from '../../../kernel/verb.ts';
import { type LockedCompany, lockCompany } from '../../companies/lock-company.ts';
import { flowTotalsOf } from './flow-totals.ts';
import { inferCurrencies } from './insert-transactions.ts';
import { lockConnections, noteArrivals, rejectUnknownConnections } from './lock-connections.ts';
import { futureWarnings, type IngestPlan, type PlannedRow, planIngest } from './plan-ingest.ts';
import { differenceWarnings, keepChangedDuplicates, storeRows } from './store-rows.ts';
import { duplicateWarnings, findTwins, signWarnings } from './trial-warnings.ts';

type Op = typeof operations.bank.transactions.ingest;

export const ingestTransactions: Verb<Op> = async (context, input) => {
  const isBatch = 'transactions' in input;
  const transactions: readonly BankTransactionInput[] = 'transactions' in input ? input.transactions : [input];
  const plan = planIngest({
    transactions,
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
  return transaction(context, { dryRun }, (tx) => store(tx, context, input.company_id, plan, { isAtomic, dryRun }));
};

function rejectAll({ rejected }: IngestPlan): void {
  rejectFields(rejected.map(({ pointer, code, message }) => ({ pointer, code, message })));
}

async function store(
  tx: UnitOfWork,
  context: Context,
  companyId: string,
  planned: IngestPlan,
  { isAtomic, dryRun }: { isAtomic: boolean; dryRun: boolean },
): Promise<OutputOf<Op>> {
  const now = context.clock.now();
  const company = await lockCompany(tx, context, companyId);
  const connections = await lockConnections(tx, company.id, planned, now);
  const plan = rejectUnknownConnections(planned, connections);
  if (isAtomic) rejectAll(plan);
  await claimSeries(
    tx,
    context,
    company.id,
    plan.rows.map(({ row }) => row.connection_id ?? ''),
  );
  await noteArrivals(tx, connections, now);
  await inferCurrencies(tx, company, plan.rows, now, connections);
  const twins = dryRun ? await findTwins(tx, context, company, plan.rows) : undefined;
  const { inserted, skipped } = await storeRows(tx, company, plan, now);
  await keepChangedDuplicates(tx, company, skipped, now);
  const output = report(tx, context, company, plan, inserted, skipped);
  if (twins === undefined) return output;
  const named = new Set(skipped.map(({ existing_id }) => existing_id));
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
      ...duplicateWarnings(twins, plan.rows, inserted, named, plan.rowPointer),
    ],
    dry_run: true,
  };
}

function report(
  tx: UnitOfWork,
  context: Context,
  { id: companyId, timezone }: LockedCompany,
  plan: IngestPlan,
  inserted: readonly PlannedRow[],
  skipped: SkippedTransaction[],
): OutputOf<Op> {
  const id = context.newId('ing');
  const rows = inserted.map(({ row }) => row);
  const rejectedRows = new Set(plan.rejected.map(({ index }) => index)).size;
  const counts = { received: rows.length + skipped.length + rejectedRows, skipped: skipped.length };
  audit(tx, context, {
    action: 'bank.transactions.ingest',
    companyId,
    resourceId: id,
    after: { ...counts, inserted: rows.length, failed: rejectedRows },
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
  return {
    object: 'transaction_ingest',
    id,
    company_id: companyId,
    received: counts.received,
    inserted: rows.length,
    skipped: skipped.length,
    failed: rejectedRows,
    count: rows.length,
    transactions: rows,
    skipped_transactions: skipped,
    errors: plan.rejected,
    warnings: [...futureWarnings(plan, timezone), ...differenceWarnings(skipped, plan.rowPointer)],
    event_id: eventId,
  };
}
