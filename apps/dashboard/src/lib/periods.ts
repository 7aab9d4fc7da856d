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

/** Days (`YYYY-MM-DD`), both included. */
interface Days {
  from: string;
  to: string;
}

/** The first day of the month so many months after that of a day. */
function monthStart(day: string, months = 0): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

export function daysOf(period: Period, today: string): Days {
  const inQuarter = (Number(today.slice(5, 7)) - 1) % 3;
  switch (period) {
    case 'this_month':
      return { from: monthStart(today), to: dayAfter(monthStart(today, 1), -1) };
    case 'last_month':
      return { from: monthStart(today, -1), to: dayAfter(monthStart(today), -1) };
    case 'last_quarter':
      return { from: monthStart(today, -inQuarter - 3), to: dayAfter(monthStart(today, -inQuarter), -1) };
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
