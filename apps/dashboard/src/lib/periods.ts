import { dayAfter } from './zoned-time.ts';

export const periods = ['this_month', 'last_month', 'last_quarter', 'year_to_date'] as const;
export type Period = (typeof periods)[number];

export const periodNames: Readonly<Record<Period, string>> = {
  this_month: 'This month',
  last_month: 'Last month',
  last_quarter: 'Last quarter',
  year_to_date: 'Year to date',
};

/** A calendar month. The browser's field of a month may give less while it is typed. */
export const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

const QUARTER = 3;

/** Days (`YYYY-MM-DD`), both included. */
interface Days {
  from: string;
  to: string;
}

/** The month so many months after another one (`YYYY-MM`). */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The first month of the last complete quarter. */
function lastQuarterStart(month: string): string {
  return monthAfter(month, -((Number(month.slice(5)) - 1) % QUARTER) - QUARTER);
}

/** The days of so many months. */
function daysFrom(month: string, months: number): Days {
  return daysOfMonths(month, monthAfter(month, months - 1));
}

/** From the first day of a month to the last one of another. */
export function daysOfMonths(first: string, last: string): Days {
  return { from: `${first}-01`, to: dayAfter(`${monthAfter(last, 1)}-01`, -1) };
}

/** The number of months from one to another, both included. */
export function monthCount(first: string, last: string): number {
  const [from, to] = [first, last].map((month) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)));
  return (to ?? 0) - (from ?? 0) + 1;
}

export function daysOf(period: Period, today: string): Days {
  const month = today.slice(0, 7);
  switch (period) {
    case 'this_month':
      return daysFrom(month, 1);
    case 'last_month':
      return daysFrom(monthAfter(month, -1), 1);
    case 'last_quarter':
      return daysFrom(lastQuarterStart(month), QUARTER);
    default:
      return { from: `${today.slice(0, 4)}-01-01`, to: today };
  }
}

/** The period of two days, `custom` if they are no period, undefined without days. */
export function periodOf(
  from: string | undefined,
  to: string | undefined,
  today: string,
): Period | 'custom' | undefined {
  if (from === undefined && to === undefined) return undefined;
  const isOf = (period: Period): boolean => {
    const days = daysOf(period, today);
    return days.from === from && days.to === to;
  };
  return periods.find(isOf) ?? 'custom';
}
