import { addDays } from '../../../time/calendar.ts';

/** One calendar month of a time zone: [local 1st 00:00, next local 1st 00:00). */
export interface MonthWindow {
  month: string;
  from: string;
  to: string;
  partial: boolean;
}

export const BURN_MONTHS = 3;

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month);
  return months;
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function endOfMonth(month: string): string {
  return addDays(`${addMonths(month, 1)}-01`, -1);
}

export function monthsEarlier(day: string, count: number): string {
  const month = addMonths(monthOf(day), -count);
  const last = endOfMonth(month);
  const same = `${month}${day.slice(7)}`;
  return same < last ? same : last;
}

/** The number of calendar months of a period, both days inclusive; undefined if it does not consist of whole months. */
export function wholeMonths(start: string, end: string): number | undefined {
  const next = addDays(end, 1);
  const numberOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return start.endsWith('-01') && next.endsWith('-01') ? numberOf(next) - numberOf(start) : undefined;
}

export interface HistoryKnown {
  firstDay: string | undefined;
  /** The latest `history_from` of all series with transactions, if each of them has one. */
  historyFrom: string | undefined;
}

/** The first complete month after the first transaction, or within the history of all connections. */
export function coverageStart({ firstDay, historyFrom }: HistoryKnown): string | undefined {
  if (firstDay === undefined) return undefined;
  if (historyFrom === undefined) return addMonths(monthOf(firstDay), 1);
  return monthOf(addDays(historyFrom, -1)) === monthOf(historyFrom)
    ? addMonths(monthOf(historyFrom), 1)
    : monthOf(historyFrom);
}

/** The last complete months with coverage, oldest first, at most `count`. `today` is a local day or month. */
export function burnWindow(today: string, coverageFrom: string | undefined, count = BURN_MONTHS): string[] {
  if (coverageFrom === undefined) return [];
  const current = monthOf(today);
  return Array.from({ length: count }, (_, i) => addMonths(current, i - count)).filter(
    (month) => month >= coverageFrom,
  );
}
