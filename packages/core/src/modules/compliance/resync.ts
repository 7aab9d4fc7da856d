import type { ComplianceResync, operations } from '@finhook/contracts';
import { emit } from '../../outbox/emit.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../outbox/transaction.ts';
import { dateInZone } from '../../time/calendar.ts';
import type { Context } from '../../verbs/context.ts';
import { DomainError } from '../../verbs/domain-error.ts';
import type { Verb } from '../../verbs/verb.ts';
import { Company } from '../companies/company.entity.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { type Filing, insertFiling, toFiling } from '../filings/filing.ts';
import { describePlan } from './describe-plan.ts';
import {
  filingFieldsOf,
  type MatrixRow,
  readKnownFilings,
  readMatrixRows,
  readResyncedAt,
  rowName,
  storeMatrix,
  toItems,
} from './matrix.ts';
import { planResync, type ResyncPlan, windowEndOf } from './plan-resync.ts';
import { factsOf, factWarnings } from './select-obligations.ts';

type Op = typeof operations.compliance.resync;

export const resyncCompliance: Verb<Op> = (context, { company_id, dry_run: dryRun, expected_count }) =>
  transaction(context, { records: 'audit and event', lock: `compliance|${company_id}`, dryRun }, async (tx) => {
    const { id: companyId } = await lockCompany(tx, context, company_id);
    const company = await tx.em.findOneOrFail(Company, companyId);
    const facts = factsOf(company);
    const now = context.clock.now();
    const today = dateInZone(now, company.timezone);
    const resyncedAt = await readResyncedAt(tx, companyId);
    const coveredTo = resyncedAt && windowEndOf(dateInZone(new Date(resyncedAt), company.timezone));
    const filings = await readKnownFilings(tx, companyId);
    const plan = planResync({ facts, today, coveredTo, stored: await readMatrixRows(tx, companyId), filings });
    rejectOtherCount(plan, expected_count);
    const opened = plan.toOpen.map((row) => openFor(tx, context, companyId, row));
    await tx.em.flush();
    const rows = withFilings(plan.rows, opened);
    await storeMatrix(tx, context, companyId, rows);
    const open = [...filings.filter(({ isOpen }) => isOpen), ...opened].map(({ id }) => id);
    const items = toItems(rows, new Set(open), today);
    const report: ComplianceResync = {
      object: 'compliance_matrix',
      account_id: context.accountId,
      company_id: companyId,
      resynced_at: now.toISOString(),
      trigger: 'manual',
      window_start: today,
      window_end: plan.windowEnd,
      jurisdictions: [...new Set(items.map(({ jurisdiction }) => jurisdiction))].sort(),
      items_total: items.length,
      items_added: plan.added,
      items_changed: plan.changed,
      items_removed: plan.removed,
      filings_opened: opened.length,
      filings_left_open: plan.leftOpen,
      items,
    };
    for (const filing of opened) emit(tx, context, { type: 'filing.due', companyId, data: toFiling(filing, today) });
    recordChange(tx, context, {
      action: 'compliance.resync',
      resourceId: companyId,
      after: report,
      event: { type: 'compliance.resynced', data: report },
    });
    const warnings = factWarnings(facts);
    const planned = dryRun ? await describePlan(tx, companyId, plan, opened) : {};
    return { ...report, ...(warnings.length === 0 ? {} : { warnings }), ...planned };
  });

function rejectOtherCount({ toOpen: { length: count } }: ResyncPlan, expected: number | null | undefined): void {
  if (expected == null || expected === count) return;
  throw new DomainError('count_changed', {
    detail: `${count} ${count === 1 ? 'filing is' : 'filings are'} missing now, not ${expected}. Nothing was changed. Check the list again.`,
    extra: { count },
  });
}

function openFor(tx: UnitOfWork, context: Context, companyId: string, row: MatrixRow): Filing {
  return insertFiling(tx, context, {
    ...filingFieldsOf(row),
    company_id: companyId,
    fee_cents: null,
    currency: null,
    notes: row.texts.note,
  });
}

function withFilings(rows: readonly MatrixRow[], opened: readonly Filing[]): MatrixRow[] {
  const ids = new Map(
    opened.map((filing) => [rowName({ key: filing.obligation_key ?? '', due_date: filing.due_date }), filing.id]),
  );
  return rows.map((row) => ({ ...row, filing_id: row.filing_id ?? ids.get(rowName(row)) ?? null }));
}
