import type { Zone } from '../src/kernel/calendar.ts';
import { addMonths, type MonthWindow, monthOf } from '../src/modules/financials/figures/months.ts';

/**
 * The current month and the `complete` ones before it, oldest first. Each ends where the next begins, so that a row
 * falls into exactly one of them, whatever summer time does.
 */
export function monthWindows(now: number, zone: Zone, complete: number): MonthWindow[] {
  const current = monthOf(zone.dayOf(now));
  const starts = Array.from({ length: complete + 2 }, (_, i) => addMonths(current, i - complete));
  const instants = starts.map((month) => new Date(zone.instantOf(Date.parse(`${month}-01T00:00:00Z`))).toISOString());
  return starts.slice(0, -1).map((month, i) => ({
    month,
    from: instants[i] ?? '',
    to: instants[i + 1] ?? '',
    partial: month === current,
  }));
}
