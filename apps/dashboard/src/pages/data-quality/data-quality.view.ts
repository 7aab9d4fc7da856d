import { plural, someOf } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { dayAfter } from '../../lib/zoned-time.ts';

export type DataQuality = Outputs['financials']['dataQuality'];
export type Freshness = Outputs['financials']['freshness'];
export type Reconciliation = DataQuality['reconciliation'][number];
type Snapshot = DataQuality['snapshots'][number];

export interface FailedCheck {
  snapshot: Snapshot;
  check: Snapshot['checks'][number];
}

export function failedChecks(snapshots: readonly Snapshot[]): FailedCheck[] {
  return snapshots.flatMap((snapshot) =>
    snapshot.checks.filter(({ status }) => status === 'warn').map((check) => ({ snapshot, check })),
  );
}

export function tabToShow(wanted: string | undefined, findings: ReadonlyArray<{ id: string; count: number }>): string {
  const known = findings.find(({ id }) => id === wanted) ?? findings.find(({ count }) => count > 0);
  return (known ?? findings[0])?.id ?? '';
}

export function staleSeries({ streams }: Freshness): Freshness['streams'] {
  return streams.filter(({ balance, transactions }) => [balance.grade, transactions.grade].includes('stale'));
}

export function unexplainedFirst(rows: readonly Reconciliation[]): Reconciliation[] {
  return rows.toSorted((a, b) => Number(b.status === 'warn') - Number(a.status === 'warn'));
}

/** Filters for the rows that a reconciliation compares. Transactions count from the day after the earlier balance. */
export function comparedRows({ connection_id, currency, from, to }: Reconciliation) {
  const series = { connection_id: connection_id ?? 'none', currency };
  return {
    balances: { ...series, as_of_from: from, as_of_to: to },
    transactions: { ...series, posted_from: dayAfter(from, 1), posted_to: to },
  };
}

type Settings = Pick<
  Outputs['financials']['settings']['get'],
  'excluded_categories' | 'excluded_connections' | 'exclude_suspected_transfers'
>;

/** The figures may exclude a pair that the settings count, by its category or account, so the sentence names the rule. */
export function transferTreatment(settings: Settings): string {
  if (settings.exclude_suspected_transfers) return 'Excluded from burn and runway.';
  const rules = [
    settings.excluded_categories.length > 0 &&
      `category (${someOf(settings.excluded_categories).replaceAll('_', ' ')})`,
    settings.excluded_connections.length > 0 && 'account',
  ].filter((rule) => rule !== false);
  const counted = 'Counted as money out and money in';
  return rules.length === 0
    ? `${counted}.`
    : `${counted}, except transactions whose ${rules.join(' or ')} is excluded.`;
}

export interface HealthFinding {
  id: 'checks' | 'stale' | 'unexplained' | 'duplicates' | 'transfers' | 'warnings';
  title: string;
  count: number;
  atLeast: boolean;
}

export function findingsOf(quality: DataQuality): HealthFinding[] {
  const checks = quality.snapshots.flatMap((snapshot) => snapshot.checks).filter(({ status }) => status === 'warn');
  const unexplained = quality.reconciliation.filter(({ status }) => status === 'warn');
  const finding = (id: HealthFinding['id'], title: string, count: number, atLeast = false): HealthFinding => ({
    id,
    title,
    count,
    atLeast,
  });
  return [
    finding('checks', 'Failed checks', checks.length),
    finding('stale', 'Stale accounts', quality.freshness.stale_streams),
    finding('unexplained', 'Unexplained balances', unexplained.length),
    finding('duplicates', 'Changed duplicates', quality.changed_duplicates.count),
    finding(
      'transfers',
      'Suspected transfers',
      quality.suspected_transfers.count,
      quality.suspected_transfers.truncated,
    ),
    finding('warnings', 'Warnings', quality.warnings.length),
  ];
}

const nouns: Partial<Record<HealthFinding['id'], string>> = {
  checks: 'failed check',
  stale: 'stale account',
  unexplained: 'unexplained balance',
  duplicates: 'changed duplicate',
  warnings: 'warning',
};

/** `3 issues: 2 failed checks, 1 stale account`. A suspected transfer is none: most are transfers, and left out of the figures. */
export function issuesText(findings: readonly HealthFinding[]): string {
  const counted = findings.flatMap(({ id, count }) => {
    const noun = nouns[id];
    return noun === undefined || count === 0 ? [] : [{ count, text: plural(count, noun) }];
  });
  const sum = counted.reduce((total, { count }) => total + count, 0);
  if (sum === 0) return 'No issues in the data you posted.';
  return `${plural(sum, 'issue')} in the data you posted: ${counted.map(({ text }) => text).join(', ')}. Nothing was rejected.`;
}
