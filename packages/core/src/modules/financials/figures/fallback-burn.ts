import { addDays, daysBetween } from '../../../kernel/calendar.ts';
import { type Rational, rational } from '../../../kernel/exact-arithmetic.ts';
import { DAYS_PER_MONTH, type FallbackBurn } from './compute-runway.ts';

/** Days of the change in cash, and the minimum that counts. */
export const DELTA_DAYS = 90;
export const MIN_DELTA_DAYS = 30;

/** The cash of one currency on `day` and now, of the series with a balance on both days. */
export interface BalanceChange {
  day: string;
  before: bigint;
  now: bigint;
  /** Connections without both; an empty text is the series without a connection. */
  excluded?: readonly string[];
}

/**
 * Burn as the monthly fall of cash since a day: −(now − before) / (days / 30.436875). Undefined for less than 30 days
 * of balances.
 */
export function balanceDelta({ day, before, now, excluded }: BalanceChange, today: string): FallbackBurn | undefined {
  const days = daysBetween(day, today);
  if (days < MIN_DELTA_DAYS) return undefined;
  const net = rational((before - now) * DAYS_PER_MONTH.n, BigInt(days) * DAYS_PER_MONTH.d);
  return { net, basis: 'balance_delta', excluded };
}

/** Burn from a cash flow statement: −net change in cash, per month of its period (both days included). */
export function statementBurn(netChange: bigint, start: string, end: string): FallbackBurn {
  const months = monthsIn(start, end);
  return { net: rational(-netChange * months.d, months.n), basis: 'cash_flow_statement' };
}

function monthsIn(start: string, end: string): Rational {
  const next = addDays(end, 1);
  if (start.endsWith('-01') && next.endsWith('-01')) return rational(monthNumber(next) - monthNumber(start));
  return rational(BigInt(daysBetween(start, next)) * DAYS_PER_MONTH.d, DAYS_PER_MONTH.n);
}

function monthNumber(day: string): bigint {
  return BigInt(day.slice(0, 4)) * 12n + BigInt(day.slice(5, 7));
}
