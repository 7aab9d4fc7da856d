import { formatAgo, formatDay } from '../../lib/format-time.ts';
import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { daysBetween, localOf } from '../../lib/zoned-time.ts';

export type Freshness = Outputs['financials']['freshness'];
export type FreshnessEntry = Freshness['streams'][number]['balance'];

/** When the grades were computed, and the company's time zone. */
export interface GradedAt {
  at: string;
  zone: string;
}

const cadences = {
  balance: 'Expected hourly',
  transactions: 'Expected every 15 minutes during business hours',
} as const;

/** `19 Nov 2026` and `7 days old`: what a balance is graded by besides its arrival. Undefined without one. */
export function balanceDay({ as_of }: FreshnessEntry, { at, zone }: GradedAt) {
  if (as_of === null) return undefined;
  const days = daysBetween(as_of, localOf(at, zone).slice(0, 10));
  return { day: formatDay(as_of), age: days > 0 ? `${plural(days, 'day')} old` : undefined };
}

/** What the grade is based on. */
export function freshnessReason(kind: keyof typeof cadences, entry: FreshnessEntry, graded: GradedAt): string {
  if (entry.last_received_at === null) return 'Never received';
  const balance = balanceDay(entry, graded);
  if (balance === undefined)
    return `${cadences[kind]} · Last received ${formatAgo(entry.last_received_at, Date.parse(graded.at))}`;
  const { day, age } = balance;
  return `${cadences[kind]} · Balance of ${day}${age === undefined ? '' : ` (${age})`}`;
}
