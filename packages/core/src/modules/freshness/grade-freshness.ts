import type { FreshnessEntry, FreshnessGrade } from '@finhook/contracts';
import { daysBetween, type Zone } from '../../time/calendar.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const [OPENS, CLOSES] = [8 * HOUR, 18 * HOUR];

/** Milliseconds between two instants within business hours (Monday to Friday, 08:00 to 18:00 local). */
export function businessTime(zone: Zone, from: number, to: number): number {
  const dayOf = (instant: number): number => Math.floor(zone.wallClock(instant) / DAY);
  const [first, last] = [dayOf(from), dayOf(to)];
  const within = (day: number): number => {
    if (!isWorkday(day)) return 0;
    const opens = Math.max(zone.instantOf(day * DAY + OPENS), from);
    const closes = Math.min(zone.instantOf(day * DAY + CLOSES), to);
    return Math.max(0, closes - opens);
  };
  if (last <= first) return within(first);
  // Clocks change at night or on Sundays, so the business hours of a whole workday have a constant length.
  return within(first) + workdaysBetween(first + 1, last) * (CLOSES - OPENS) + within(last);
}

/** Day 0 is 1 January 1970, a Thursday. */
function isWorkday(day: number): boolean {
  return (((day + 3) % 7) + 7) % 7 < 5;
}

/** Workdays in [start, end). */
function workdaysBetween(start: number, end: number): number {
  const weeks = Math.floor((end - start) / 7);
  let workdays = weeks * 5;
  for (let day = start + weeks * 7; day < end; day++) if (isWorkday(day)) workdays++;
  return workdays;
}

/** Limits in intervals of the expected cadence. */
const FRESH_INTERVALS = 2;
const LATE_INTERVALS = 6;

type DataKind = 'balance' | 'transactions' | 'statements';

export interface Received {
  kind: DataKind;
  last: number | undefined;
  asOf?: string | undefined;
}

/**
 * Grades age in intervals of the expected cadence: an hour for balances, 15 minutes of business hours or 12 other hours for
 * transactions, a day for statements. A balance is also graded by its day: one posted now for nine days ago is stale.
 */
export function gradeFreshness(received: Received, now: number, zone: Zone): FreshnessEntry {
  const { kind, last, asOf } = received;
  if (last === undefined) {
    return { grade: 'never', last_received_at: null, missed_intervals: null, as_of: null, reason: `No ${kind} yet.` };
  }
  const missed = missedIntervals(kind, Math.min(last, now), now, zone);
  const byArrival = gradeOf(missed);
  const behind = asOf === undefined ? 0 : daysBetween(asOf, zone.dayOf(now));
  const byDay = gradeOf(behind);
  return {
    grade: worstGrade([byArrival, byDay]),
    last_received_at: new Date(last).toISOString(),
    missed_intervals: Math.floor(missed * 10) / 10,
    as_of: asOf ?? null,
    reason: explain(kind, byArrival, byDay, behind),
  };
}

function missedIntervals(kind: DataKind, last: number, now: number, zone: Zone): number {
  if (kind === 'balance') return (now - last) / HOUR;
  if (kind === 'statements') return (now - last) / DAY;
  const busy = businessTime(zone, last, now);
  return busy / (15 * MINUTE) + (now - last - busy) / (12 * HOUR);
}

function gradeOf(intervals: number): FreshnessGrade {
  if (intervals <= FRESH_INTERVALS) return 'fresh';
  return intervals <= LATE_INTERVALS ? 'late' : 'stale';
}

function explain(kind: DataKind, byArrival: FreshnessGrade, byDay: FreshnessGrade, behind: number): string {
  if (byArrival === 'fresh' && byDay === 'fresh') return 'As recent as expected.';
  if (severity(byDay) > severity(byArrival)) return `The newest balance is of ${behind} days ago.`;
  const cadence = { balance: 'hourly', transactions: 'every 15 minutes of business hours', statements: 'daily' }[kind];
  return `${kind === 'balance' ? 'A balance is' : `${capital(kind)} are`} expected ${cadence}; none came for longer.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function severity(grade: FreshnessGrade): number {
  return ['never', 'fresh', 'late', 'stale'].indexOf(grade);
}

/** The worst of several grades; `never` only if there is no other. */
export function worstGrade(grades: readonly FreshnessGrade[]): FreshnessGrade {
  return grades.reduce<FreshnessGrade>((worst, grade) => (severity(grade) > severity(worst) ? grade : worst), 'never');
}
