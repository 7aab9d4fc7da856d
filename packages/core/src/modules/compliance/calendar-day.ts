/** Dates are `YYYY-MM-DD` and computed in UTC, independent of the server's time zone. Months count from 1. */

/** A day that the month does not have (31, or 29 in February) becomes its last day. */
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
