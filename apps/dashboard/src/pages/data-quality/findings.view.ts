import type { Outputs } from '../../lib/trpc.ts';

type DataQuality = Outputs['financials']['dataQuality'];

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
    finding('stale', 'Stale connections', quality.freshness.stale_streams),
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
