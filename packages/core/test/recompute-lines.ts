import type { RunwayLine } from '@finhook/contracts';
import { shiftDay } from './own-dates.ts';
import { addAll, type Fraction } from './own-rates.ts';

export type RunwayFigures = Omit<RunwayLine, 'flags' | 'confidence_reasons' | 'text'>;

export interface LineInput {
  currency: string;
  /** Undefined if no balance counts. */
  cash: Fraction | undefined;
  /** The counted rows of the window in the line's currency. */
  amounts: readonly Fraction[];
  window: readonly string[];
  today: string;
  hasTransactions: boolean;
}

const floor = (n: bigint, d: bigint): bigint => (n % d < 0n ? n / d - 1n : n / d);

function rounded([n, d]: Fraction): bigint {
  const whole = floor(n, d);
  const rest = 2n * (n - whole * d);
  return rest > d || (rest === d && whole % 2n !== 0n) ? whole + 1n : whole;
}

function cents(name: string, value: Fraction | undefined) {
  const whole = value === undefined ? undefined : rounded(value);
  const fits = whole !== undefined && Number.isSafeInteger(Number(whole));
  return {
    [`${name}_cents`]: fits ? Number(whole) : null,
    ...(whole === undefined || fits ? {} : { [`${name}_string`]: String(whole) }),
  };
}

/** One line of runway without doubts: cash divided by monthly burn, rounded down to a tenth. */
export function recomputeLine({ currency, cash, amounts, window, today, hasTransactions }: LineInput): RunwayFigures {
  const months = BigInt(window.length);
  const meanOf = (some: readonly Fraction[]): Fraction | undefined => {
    if (months === 0n) return undefined;
    const [n, d] = addAll(some);
    return [-n, d * months];
  };
  const net = meanOf(amounts);
  const gross = meanOf(amounts.filter(([n]) => n < 0n));
  const lasts = (burn: Fraction | undefined): Fraction | undefined =>
    cash === undefined || cash[0] <= 0n || burn === undefined || burn[0] <= 0n
      ? undefined
      : [cash[0] * burn[1], cash[1] * burn[0]];
  const monthsOf = (burn: Fraction | undefined): number | null => {
    if (cash === undefined) return null;
    if (cash[0] <= 0n) return 0;
    const ratio = lasts(burn);
    return ratio === undefined ? null : Number(floor(10n * ratio[0], ratio[1])) / 10;
  };
  const status = ((): RunwayFigures['status'] => {
    if (cash === undefined) return 'no_cash_data';
    if (cash[0] <= 0n) return 'out_of_cash';
    if (net === undefined || gross === undefined) return hasTransactions ? 'insufficient_history' : 'no_transactions';
    if (gross[0] === 0n) return 'no_outflow';
    return net[0] <= 0n ? 'cash_flow_positive' : 'ok';
  })();
  const runway = status === 'no_outflow' || status === 'no_cash_data' ? undefined : net;
  const runwayMonths = monthsOf(runway);
  const figures = {
    currency,
    status,
    basis: net === undefined ? null : 'transactions',
    basis_excluded: [],
    runway_months: runwayMonths,
    runway_gross_months: monthsOf(gross),
    cash_out_date: runwayMonths === null ? null : outOn(today, lasts(runway)),
    capped: runwayMonths !== null && runwayMonths > 120,
    ...cents('cash', cash),
    ...cents('net_burn', net),
    ...cents('gross_burn', gross),
    window: [...window],
  };
  // `cents` builds keys from names.
  return figures as unknown as RunwayFigures;
}

/** A month has 30.436875 days. Null beyond the year 9999. */
function outOn(today: string, lasts: Fraction | undefined): string | null {
  if (lasts === undefined) return today;
  const days = floor(lasts[0] * 30_436_875n, lasts[1] * 1_000_000n);
  const left = BigInt(Math.floor((Date.UTC(9999, 11, 31) - Date.parse(today)) / 86_400_000));
  return days > left ? null : shiftDay(today, Number(days));
}
