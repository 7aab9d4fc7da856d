import { addDays } from '../../time/calendar.ts';

/** Dates are `YYYY-MM-DD` and computed in UTC, independent of the server's time zone. Months count from 1. */

/** A day past the month's end becomes its last day. */
export function calendarDay(year: number, month: number, day: number): string {
  // Months above 12 or below 1 overflow into other years.
  const first = new Date(Date.UTC(year, month - 1, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, last));
  return first.toISOString().slice(0, 10);
}

export function lastDay(year: number, month: number): string {
  return calendarDay(year, month, 31);
}

export function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

export function monthOf(date: string): number {
  return Number(date.slice(5, 7));
}

export function dayOf(date: string): number {
  return Number(date.slice(8, 10));
}

/** 29 February becomes the 28th in a common year. */
export function addYears(date: string, years: number): string {
  return calendarDay(yearOf(date) + years, monthOf(date), dayOf(date));
}

/** Sunday is 0, Saturday 6. */
export function weekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

const [SUNDAY, MONDAY, THURSDAY, SATURDAY] = [0, 1, 4, 6];

function nthWeekday(year: number, month: number, day: number, n: number): string {
  const first = calendarDay(year, month, 1);
  return addDays(first, ((day - weekday(first) + 7) % 7) + (n - 1) * 7);
}

/** A holiday on a Saturday is observed on the Friday before, one on a Sunday on the Monday after (5 U.S.C. 6103). */
function observed(date: string): string {
  const day = weekday(date);
  if (day === SATURDAY) return addDays(date, -1);
  return day === SUNDAY ? addDays(date, 1) : date;
}

// The federal holidays (5 U.S.C. 6103) and Emancipation Day of the District of Columbia (IRC §7503). Without
// Inauguration Day, because nothing is due then.
export function taxHolidays(year: number): string[] {
  return [
    observed(calendarDay(year, 1, 1)),
    nthWeekday(year, 1, MONDAY, 3),
    nthWeekday(year, 2, MONDAY, 3),
    observed(calendarDay(year, 4, 16)),
    addDays(lastDay(year, 5), -((weekday(lastDay(year, 5)) - MONDAY + 7) % 7)),
    observed(calendarDay(year, 6, 19)),
    observed(calendarDay(year, 7, 4)),
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 10, MONDAY, 2),
    observed(calendarDay(year, 11, 11)),
    nthWeekday(year, 11, THURSDAY, 4),
    observed(calendarDay(year, 12, 25)),
    // A New Year's Day on a Saturday is observed on the last day of the year before.
    observed(calendarDay(year + 1, 1, 1)),
  ];
}

export function isDayOff(date: string): boolean {
  const day = weekday(date);
  return day === SATURDAY || day === SUNDAY || taxHolidays(yearOf(date)).includes(date);
}

export function nextBusinessDay(date: string): string {
  let day = date;
  while (isDayOff(day)) day = addDays(day, 1);
  return day;
}
