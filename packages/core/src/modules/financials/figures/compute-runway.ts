import type { RunwayBasis, RunwayLine, RunwayStatus } from '@finhook/contracts';
import {
  exactCentsOf,
  floorDivide,
  floorToTenth,
  type Rational,
  rational,
  roundHalfEven,
} from '../../../input/exact-arithmetic.ts';
import { addDays } from '../../../time/calendar.ts';
import type { Burn } from './compute-burn.ts';
import { type Doubts, reasonsOf } from './confidence.ts';

/** Mean days per month in the Gregorian calendar, 30.436875. */
export const DAYS_PER_MONTH: Rational = { n: 30_436_875n, d: 1_000_000n };

export const CAP_MONTHS = 120;
const LAST_DAY_MS = Date.UTC(9999, 11, 31);
const DAY = 86_400_000;

export interface FallbackBurn {
  net: Rational;
  basis: Exclude<RunwayBasis, 'transactions'>;
  excluded?: readonly string[] | undefined;
}

export interface RunwayInput {
  currency: string;
  cash: bigint | undefined;
  /** Parts of a minor unit in which `cash` is given; 1 by default. */
  parts?: bigint;
  today: string;
  window: readonly string[];
  basis?: number | undefined;
  hasTransactions: boolean;
  burn: Burn | undefined;
  fallback: FallbackBurn | undefined;
  flags: { stale: boolean; mixed_currency: boolean; unexplained: boolean };
  doubts?: Doubts | undefined;
}

/** Months are rounded down to one decimal; `status` has the reason for `null`. Exact until the output. */
export function computeRunway(input: RunwayInput): RunwayLine {
  const { currency, parts = 1n, window, basis, burn, today } = input;
  const cash = input.cash === undefined ? undefined : rational(input.cash, parts);
  const fromTransactions = window.length > 0;
  const fallback = fromTransactions ? undefined : input.fallback;
  const net = netBurnOf(input);
  const gross = fromTransactions ? (burn?.gross ?? rational(0n)) : undefined;
  const status = statusOf(input, net, gross);
  const burns = status === 'no_outflow' || status === 'no_cash_data' ? undefined : net;
  const months = runwayMonths(cash, burns);
  const reasons = reasonsOf({ window, basis, mean: gross ?? net, ...input.doubts });
  const isLow = reasons.length > 0;
  return {
    currency,
    status,
    text: textOf(status, months, burns, isLow),
    basis: fromTransactions ? 'transactions' : (fallback?.basis ?? null),
    basis_excluded: (fallback?.excluded ?? []).map((id) => id || null),
    runway_months: months,
    runway_gross_months: runwayMonths(cash, gross),
    cash_out_date: months === null ? null : cashOutDate(today, cash ?? rational(0n), burns),
    capped: months !== null && months > CAP_MONTHS,
    ...exactCentsOf('cash', cash && roundHalfEven(cash)),
    ...exactCentsOf('net_burn', net && roundHalfEven(net)),
    ...exactCentsOf('gross_burn', gross && roundHalfEven(gross)),
    window: [...window],
    flags: { ...input.flags, low_confidence: isLow },
    confidence_reasons: reasons,
  };
}

export function netBurnOf({ window, burn, fallback }: RunwayInput): Rational | undefined {
  return window.length > 0 ? (burn?.net ?? rational(0n)) : fallback?.net;
}

function statusOf(input: RunwayInput, net: Rational | undefined, gross: Rational | undefined): RunwayStatus {
  if (input.cash === undefined) return 'no_cash_data';
  if (input.cash <= 0n) return 'out_of_cash';
  if (input.window.length === 0) return input.hasTransactions ? 'insufficient_history' : 'no_transactions';
  if (!gross || gross.n === 0n) return 'no_outflow';
  return !net || net.n <= 0n ? 'cash_flow_positive' : 'ok';
}

export function runwayMonths(cash: Rational | undefined, burn: Rational | undefined): number | null {
  if (cash === undefined) return null;
  if (cash.n <= 0n) return 0;
  return !burn || burn.n <= 0n ? null : floorToTenth(cash, burn);
}

/** Today plus the exact months in days, rounded down; null beyond year 9999. Without cash it is today. */
function cashOutDate(today: string, cash: Rational, burn: Rational | undefined): string | null {
  if (cash.n <= 0n || !burn) return today;
  const days = floorDivide(cash.n * burn.d * DAYS_PER_MONTH.n, cash.d * burn.n * DAYS_PER_MONTH.d);
  const left = BigInt(Math.floor((LAST_DAY_MS - Date.parse(today)) / DAY));
  return days > left ? null : addDays(today, Number(days));
}

function textOf(status: RunwayStatus, months: number | null, net: Rational | undefined, isLow: boolean): string {
  const doubt = isLow ? ' (low confidence)' : '';
  switch (status) {
    case 'no_cash_data':
      return 'No balance yet';
    case 'no_outflow':
      return `No spending recorded${doubt}`;
    case 'cash_flow_positive':
      return isLow ? `Cash-flow positive${doubt}` : '∞ cash-flow positive';
    case 'out_of_cash':
      return 'Out of cash';
    default:
      if (months !== null) return months > CAP_MONTHS ? `10+ years${doubt}` : `${months.toFixed(1)} months`;
      if (net) return 'Cash is not falling';
      return status === 'no_transactions' ? 'No transactions yet' : 'Not a whole month of transactions yet';
  }
}

/** The line with outflow that runs out first, else the base currency's. An empty account without spending is ignored. */
export function headlineOf(lines: readonly RunwayLine[], baseCurrency: string): RunwayLine | null {
  const finite = lines.filter(
    ({ runway_months, basis, gross_burn_cents, net_burn_cents }) =>
      runway_months !== null && basis !== null && (gross_burn_cents ?? net_burn_cents) !== 0,
  );
  const [shortest] = finite.toSorted((a, b) => (a.runway_months ?? 0) - (b.runway_months ?? 0));
  return shortest ?? lines.find(({ currency }) => currency === baseCurrency) ?? lines[0] ?? null;
}
