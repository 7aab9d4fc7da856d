import type { FieldError, Warning } from '@finhook/contracts';
import { addDays } from './clock.ts';

/** Days ahead of today that a date may lie: a typo guard that leaves room for scheduled rows. */
const MAX_DAYS_AHEAD = 366;
const EARLIEST = '1970-01-01';

/** The fault of a calendar day that lies outside what the service keeps, if it has one. `now` in UTC. */
export function checkDay(pointer: string, day: string, now: Date): FieldError | undefined {
  const latest = addDays(now.toISOString().slice(0, 10), MAX_DAYS_AHEAD);
  if (day >= EARLIEST && day <= latest) return undefined;
  return { pointer, code: 'date_out_of_range', message: `must lie between ${EARLIEST} and ${latest}; got ${day}` };
}

/** A warning when `day` is later than tomorrow (UTC): it is stored and left out of today's figures until it is due. */
export function futureWarning(pointer: string, day: string, now: Date): Warning | undefined {
  if (day <= addDays(now.toISOString().slice(0, 10), 1)) return undefined;
  return {
    code: 'future_date',
    pointer,
    message: `${day} lies in the future: stored, and left out of today's figures until then.`,
  };
}
