import { floorDivide, floorToTenth, type Rational, rational, roundHalfEven } from '../../../input/exact-arithmetic.ts';
import { addDays, daysBetween } from '../../../time/calendar.ts';
import { CAP_MONTHS, DAYS_PER_MONTH } from './compute-runway.ts';
import { addMonths, monthOf, monthsEarlier } from './months.ts';

export interface ForecastChange {
  amount: bigint;
  every: 'month' | 'once';
  from: string;
  until: string | undefined;
}

export interface ForecastInput {
  today: string;
  cash: bigint;
  /** Parts of a minor unit in which `cash` is given; 1 by default. */
  parts?: bigint | undefined;
  net: Rational;
  changes: readonly ForecastChange[];
  months: number;
  leadMonths: number;
}

interface ForecastMonth {
  month: string;
  change: bigint;
  closing: bigint;
}

export interface Forecast {
  months: ForecastMonth[];
  cashOutDate: string | null;
  runwayMonths: number | null;
  raiseByDate: string | null;
}

const LAST_DAY = Number(floorDivide(BigInt(CAP_MONTHS) * DAYS_PER_MONTH.n, DAYS_PER_MONTH.d));

/** Cash falls by net burn ÷ 30.436875 each day, and monthly changes are spread likewise. Exact until the output. */
export function computeForecast({ today, cash, parts = 1n, net, ...input }: ForecastInput): Forecast {
  const { changes, months, leadMonths } = input;
  // All sums are integers: multiples of 1/`unit` of a minor unit.
  const unit = net.d * parts * DAYS_PER_MONTH.n;
  const daily = DAYS_PER_MONTH.d * net.d * parts;
  const current = monthOf(today);
  const rows: ForecastMonth[] = [];
  let balance = cash * net.d * DAYS_PER_MONTH.n;
  // The first day with negative cash, and how long the cash lasts in days.
  let end = cash <= 0n ? { day: 0, lasts: rational(0n) } : undefined;
  for (let month = current, day = 0; day <= LAST_DAY + 1 || rows.length < months; month = addMonths(month, 1)) {
    const next = daysBetween(today, `${addMonths(month, 1)}-01`);
    const atOnce = unit * sumOf(changes.filter(({ every, from }) => every === 'once' && from === month));
    const spread = daily * sumOf(changes.filter((change) => change.every === 'month' && isIn(month, change)));
    // Cash already contains today's share of the month.
    const days = next - Math.max(day, 1);
    balance += atOnce;
    for (; day < next; day++) {
      const before = balance;
      const fall = day > 0 ? net.n * parts * DAYS_PER_MONTH.d - spread : 0n;
      balance -= fall;
      if (balance < 0n) end ??= { day, lasts: lastsUntil(day, before, fall) };
    }
    const change = atOnce + spread * BigInt(days);
    if (rows.length < months) rows.push({ month, change: rounded(change, unit), closing: rounded(balance, unit) });
  }
  if (end === undefined || end.day > LAST_DAY + 1)
    return { months: rows, cashOutDate: null, runwayMonths: null, raiseByDate: null };
  const cashOutDate = addDays(today, Math.max(end.day - 1, 0));
  return {
    months: rows,
    cashOutDate,
    runwayMonths: floorToTenth(end.lasts, DAYS_PER_MONTH),
    raiseByDate: monthsEarlier(cashOutDate, leadMonths),
  };
}

/** The days until the cash is zero, on the first day on which it is negative. `before` is the cash before it falls on that day. */
function lastsUntil(day: number, before: bigint, fall: bigint): Rational {
  const whole = BigInt(Math.max(day - 1, 0));
  return before <= 0n ? rational(whole) : rational(whole * fall + before, fall);
}

function isIn(month: string, { from, until = month }: ForecastChange): boolean {
  return from <= month && month <= until;
}

function sumOf(changes: readonly ForecastChange[]): bigint {
  return changes.reduce((sum, { amount }) => sum + amount, 0n);
}

function rounded(sum: bigint, unit: bigint): bigint {
  return roundHalfEven(rational(sum, unit));
}
