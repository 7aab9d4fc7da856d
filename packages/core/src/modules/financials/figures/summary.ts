import type { CheckedSnapshot, FinancialSummary, Freshness, operations, Reconciliation } from '@finhook/contracts';
import type { Verb } from '../../../verbs/verb.ts';
import { worstGrade } from '../../freshness/grade-freshness.ts';
import { checkNewest } from '../statements/checks.ts';
import { readDuplicates, toCountedTwice } from './counted-twice.ts';
import { toMonthlyFlow } from './month-lines.ts';
import { monthOf } from './months.ts';
import { type Arrivals, countGraded } from './read-arrivals.ts';
import { readBurn, readRunway, toBurnRecord } from './read-runway.ts';
import type { RepeatedSeries } from './repeated-series.ts';

/** All figures of the dashboard's tiles. The cost depends on the number of series and categories, not of transactions. */
export const getSummary: Verb<typeof operations.financials.summary> = async (context, input) => {
  const view = await readBurn(context, input.company_id, { seeksRepeated: true });
  const duplicates = await readDuplicates(context, view);
  const { cash: source, flows } = view;
  const { cash, runway, arrivals, reconciliations } = await readRunway(context, view);
  const snapshots = await checkNewest(context, source.companyId, source.today);
  const month = monthOf(source.today);
  return {
    object: 'financial_summary',
    company_id: source.companyId,
    as_of: source.today,
    timezone: source.zone.name,
    base_currency: source.baseCurrency,
    cash,
    counted_twice: toCountedTwice(duplicates),
    burn: toBurnRecord(view),
    runway,
    this_month: { month, flows: flows.filter((flow) => flow.month === month).map((flow) => toMonthlyFlow(flow)) },
    freshness: gradesOf(arrivals.freshness),
    checks: countChecks(snapshots),
    data_quality: countIssues(snapshots, arrivals, reconciliations, view.repeated),
  };
};

function gradesOf({ grade, streams, statements }: Freshness): FinancialSummary['freshness'] {
  return {
    grade,
    balance: worstGrade(streams.map((one) => one.balance.grade)),
    transactions: worstGrade(streams.map((one) => one.transactions.grade)),
    statements: worstGrade(statements.map((entry) => entry.grade)),
  };
}

function countChecks(snapshots: readonly CheckedSnapshot[]): FinancialSummary['checks'] {
  const all = snapshots.flatMap((snapshot) =>
    snapshot.checks.map(({ id, status }) => ({
      status,
      check: { snapshot_id: snapshot.snapshot_id, statement_type: snapshot.statement_type, id },
    })),
  );
  const count = (status: string): number => all.filter((item) => item.status === status).length;
  return {
    passed: count('pass'),
    failed: count('warn'),
    skipped: count('skip'),
    failing: all.filter(({ status }) => status === 'warn').map(({ check }) => check),
  };
}

export function countIssues(
  snapshots: readonly CheckedSnapshot[],
  { freshness, changedDuplicates }: Arrivals,
  reconciliations: readonly Reconciliation[],
  repeated: readonly RepeatedSeries[],
): FinancialSummary['data_quality'] {
  const counts = {
    failed_checks: snapshots.flatMap(({ checks }) => checks).filter(({ status }) => status === 'warn').length,
    stale_streams: countGraded(freshness, 'stale'),
    unexplained_streams: reconciliations.filter(({ status }) => status === 'warn').length,
    changed_duplicates: changedDuplicates,
    duplicate_connections: repeated.length,
  };
  return { issues: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts };
}
