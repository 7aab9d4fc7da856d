import { type FieldError, type LineItem, normalizeCurrency, type operations } from '@finhook/contracts';
import { assertCompanyAccess } from '../../../access/access.ts';
import { connectionOwned, narrowingErrors } from '../../../access/ingest-key.ts';
import { statement } from '../../../db/queryable.ts';
import { audit } from '../../../outbox/audit.ts';
import { emit } from '../../../outbox/emit.ts';
import { transaction } from '../../../outbox/transaction.ts';
import { checkDay, dayLimits, MAX_PLAN_DAYS_AHEAD } from '../../../time/calendar.ts';
import { toTimestamp } from '../../../time/clock.ts';
import type { Context } from '../../../verbs/context.ts';
import { companyDissolved, companyNotFound, rejectFields } from '../../../verbs/domain-error.ts';
import type { InputOf, Verb } from '../../../verbs/verb.ts';
import { type Related, readRelated } from './checks.ts';
import { revisionIdOf, type SnapshotRow, toSnapshot } from './read.ts';
import { runChecks } from './run-checks.ts';
import { snapshotWarnings } from './snapshot-warnings.ts';

type Op = typeof operations.financials.snapshots.upsert;

const unrelated: Related = {
  sameEnd: [],
  previousCashflow: undefined,
  bankCash: undefined,
  previousIncome: null,
};

interface OwnedRow {
  /** `originId` of the ingest key that created the snapshot. */
  ingest_key_id: string | null;
}

interface CurrentState {
  status: string;
  today: string;
  current: (SnapshotRow & OwnedRow) | null;
}

const readState = statement(
  'read_snapshot_state',
  `SELECT c.status, ($3::timestamptz AT TIME ZONE c.timezone)::date AS today, row_to_json(s) AS current
   FROM (SELECT * FROM company WHERE id = $1 AND account_id = $2 FOR KEY SHARE) c
   LEFT JOIN financial_snapshot s ON s.company_id = $1 AND s.statement_type = $4 AND s.period_end = $5::date`,
);

const keepRevision = statement(
  'keep_snapshot_revision',
  `INSERT INTO financial_snapshot_revision
     (snapshot_id, revision, account_id, period_start, currency, totals, line_items, source, recorded_at)
   SELECT id, revision, account_id, period_start, currency, totals, line_items, source, updated_at
   FROM financial_snapshot WHERE id = $1`,
);

const store = statement(
  'store_snapshot',
  `INSERT INTO financial_snapshot (id, account_id, company_id, statement_type, period_start, period_end, currency,
     totals, line_items, source, revision, created_at, updated_at, ingest_key_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
   ON CONFLICT (company_id, statement_type, period_end) DO UPDATE
     SET period_start = excluded.period_start, currency = excluded.currency, totals = excluded.totals,
         line_items = excluded.line_items, source = excluded.source, revision = excluded.revision,
         updated_at = excluded.updated_at`,
);

export const upsertSnapshot: Verb<Op> = async (context, input) => {
  const content = contentOf(input);
  rejectFields([...fieldErrorsOf(input, context.clock.now()), ...narrowingErrors(context, { source: content.source })]);
  assertCompanyAccess(context, input.company_id);
  const lock = `financial_snapshot|${input.company_id}|${input.statement_type}|${input.period_end}`;
  return transaction(context, { records: 'audit and event', lock, dryRun: input.dry_run }, async (tx) => {
    const now = context.clock.now().toISOString();
    const [state] = await tx.query<CurrentState>(readState, [
      input.company_id,
      context.accountId,
      now,
      input.statement_type,
      input.period_end,
    ]);
    if (!state) throw companyNotFound();
    if (state.status === 'dissolved') throw companyDissolved();
    const { current, today } = state;
    if (current) assertOwned(context, current);
    const result = current === null ? 'created' : isSame(current, content) ? 'unchanged' : 'replaced';
    if (current && result === 'replaced') await tx.query(keepRevision, [current.id]);
    const row: SnapshotRow = {
      id: current?.id ?? context.newId('fin'),
      account_id: context.accountId,
      company_id: input.company_id,
      statement_type: input.statement_type,
      period_end: input.period_end,
      ...content,
      revision: (current?.revision ?? 0) + (result === 'unchanged' ? 0 : 1),
      created_at: current ? toTimestamp(current.created_at) : now,
      updated_at: now,
    };
    await tx.query(store, storeValues(row, context));
    const related = await readRelated(tx, context.accountId, row);
    const snapshot = toSnapshot(row, today, related.previousIncome);
    const seen = context.access.ingest ? unrelated : related;
    audit(tx, context, {
      action: 'financials.snapshots.upsert',
      companyId: row.company_id,
      resourceId: row.id,
      after: { statement_type: row.statement_type, period_end: row.period_end, revision: row.revision, result },
    });
    const event_id = emit(tx, context, {
      type: 'financial.snapshot.updated',
      companyId: row.company_id,
      data: { ...snapshot, result, checks: runChecks(row, related, today) },
    });
    const replaced =
      current && result === 'replaced' ? { replaced_revision_id: revisionIdOf(current.id, current.revision) } : {};
    const warnings = snapshotWarnings(snapshot, current ?? undefined);
    const dryRun = input.dry_run ? { dry_run: true } : {};
    const answer = { ...toSnapshot(row, today, seen.previousIncome), checks: runChecks(row, seen, today) };
    return { ...answer, result, ...replaced, event_id, warnings, ...dryRun };
  });
};

function assertOwned({ access: { ingest } }: Context, { ingest_key_id: owner }: OwnedRow): void {
  if (!ingest || ingest.originId === owner) return;
  const remedy = 'A key with scope human can replace it.';
  throw connectionOwned('The statement snapshot', owner === null ? 'human' : 'ingest', remedy);
}

function fieldErrorsOf(input: InputOf<Op>, now: Date): (FieldError | undefined)[] {
  const limits = dayLimits(now, MAX_PLAN_DAYS_AHEAD);
  const start = input.period_start ?? undefined;
  const errors = [checkDay('/period_end', input.period_end, limits)];
  if (start === undefined && input.statement_type !== 'balance') {
    errors.push({ pointer: '/period_start', code: 'required', message: 'is required, except for a balance sheet' });
  }
  if (start !== undefined) errors.push(checkDay('/period_start', start, limits));
  if (start !== undefined && start > input.period_end) {
    errors.push({ pointer: '/period_start', code: 'date_out_of_range', message: 'must not be later than period_end' });
  }
  if (Object.keys(input.totals ?? {}).length === 0 && (input.line_items ?? []).length === 0) {
    errors.push(nothingStated(input));
  }
  return errors;
}

function nothingStated({ totals, line_items }: InputOf<Op>): FieldError {
  const code = 'required';
  if (totals != null) return { pointer: '/totals', code, message: 'must not be empty unless line_items has an entry' };
  if (line_items != null)
    return { pointer: '/line_items', code, message: 'must not be empty unless totals has an entry' };
  return { pointer: '/totals', code, message: 'is required unless line_items is given' };
}

type Content = Pick<SnapshotRow, 'period_start' | 'currency' | 'totals' | 'line_items' | 'source'>;

function contentOf(input: InputOf<Op>): Content {
  return {
    period_start: input.period_start ?? input.period_end,
    currency: normalizeCurrency(input.currency) ?? input.currency,
    totals: Object.fromEntries(Object.entries(input.totals ?? {}).map(([key, value]) => [key, value + 0])),
    line_items: (input.line_items ?? []).map(
      (item): LineItem => ({
        key: item.key,
        label: item.label,
        amount_cents: item.amount_cents + 0,
        is_total: item.is_total ?? false,
        indent: item.indent ?? 0,
      }),
    ),
    source: input.source ?? 'api',
  };
}

function isSame(current: SnapshotRow, posted: Content): boolean {
  const content = ({ period_start, currency, totals, line_items, source }: Content): string =>
    JSON.stringify([
      period_start,
      currency,
      Object.entries(totals).sort(([a], [b]) => (a < b ? -1 : 1)),
      line_items,
      source,
    ]);
  return content(current) === content(posted);
}

function storeValues(row: SnapshotRow, { access }: Context): unknown[] {
  return [
    row.id,
    row.account_id,
    row.company_id,
    row.statement_type,
    row.period_start,
    row.period_end,
    row.currency,
    JSON.stringify(row.totals),
    JSON.stringify(row.line_items),
    row.source,
    row.revision,
    row.created_at,
    row.updated_at,
    access.ingest?.originId ?? null,
  ];
}
