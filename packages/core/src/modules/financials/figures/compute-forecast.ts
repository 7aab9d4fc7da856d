import { floorDivide, type Rational, rational, roundHalfEven } from '../../../input/exact-arithmetic.ts';
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
  let negativeFrom = cash <= 0n ? 0 : undefined;
  for (let month = current, day = 0; day <= LAST_DAY + 1 || rows.length < months; month = addMonths(month, 1)) {
    const end = daysBetween(today, `${addMonths(month, 1)}-01`);
    const atOnce = unit * sumOf(changes.filter(({ every, from }) => every === 'once' && from === month));
    const spread = daily * sumOf(changes.filter((change) => change.every === 'month' && isIn(month, change)));
    // Cash already contains today's share of the month.
    const days = end - Math.max(day, 1);
    balance += atOnce;
    for (; day < end; day++) {
      if (day > 0) balance += spread - net.n * parts * DAYS_PER_MONTH.d;
      if (balance < 0n) negativeFrom ??= day;
    }
    const change = atOnce + spread * BigInt(days);
    if (rows.length < months) rows.push({ month, change: rounded(change, unit), closing: rounded(balance, unit) });
  }
  const cashOutDate =
    negativeFrom === undefined || negativeFrom > LAST_DAY + 1 ? null : addDays(today, Math.max(negativeFrom - 1, 0));
  return { months: rows, cashOutDate, raiseByDate: cashOutDate && monthsEarlier(cashOutDate, leadMonths) };
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
