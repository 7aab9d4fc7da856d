import type { FieldError, Warning } from '@finhook/contracts';
import { addDays } from './clock.ts';
import type { Zone } from './zone.ts';

/** Days ahead of today that a date may lie: a typo guard that leaves room for scheduled rows. */
const MAX_DAYS_AHEAD = 366;
const EARLIEST = '1970-01-01';

/** The days that bound what is kept, as `YYYY-MM-DD` in UTC; made once for all rows of a request. */
export interface DayLimits {
  /** The last day that is accepted. */
  latest: string;
}

/** The limits at `now`; `daysAhead` where a field may lie further ahead than usual. */
export function dayLimits(now: Date, daysAhead = MAX_DAYS_AHEAD): DayLimits {
  return { latest: addDays(now.toISOString().slice(0, 10), daysAhead) };
}

/** The fault of a calendar day that lies outside what the service keeps, if it has one. */
export function checkDay(pointer: string, day: string, { latest }: DayLimits): FieldError | undefined {
  if (day >= EARLIEST && day <= latest) return undefined;
  return { pointer, code: 'date_out_of_range', message: `must lie between ${EARLIEST} and ${latest}; got ${day}` };
}

/** The same for a moment, by its day in UTC. */
export function checkMoment(pointer: string, at: Date, limits: DayLimits): FieldError | undefined {
  // Years outside 0000 to 9999 are written with a sign: such text sorts outside of the limits, and is refused with them.
  return checkDay(pointer, at.toISOString().slice(0, 10), limits);
}

/** The moment until which rows are due where it is `today`: the end of tomorrow, so that who is ahead may post early (D36). */
export function dueUntil(zone: Zone, today: string): number {
  return zone.instantOf(Date.parse(addDays(today, 2)));
}

/** The warning about a row of a `day` that is later than the company's tomorrow. */
export function futureWarning(pointer: string, day: string): Warning {
  return {
    code: 'future_date',
    pointer,
    message: `${day} lies in the future: stored, and left out of today's figures until then.`,
  };
}
