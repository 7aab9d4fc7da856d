import { currencyExponent, type FxRates, MAX_RATES_AGE_DAYS } from '@finhook/contracts';
import { type Rational, rational } from '../../input/exact-arithmetic.ts';
import { daysBetween } from '../../time/calendar.ts';

export interface RateSet extends Pick<FxRates, 'rates' | 'source'> {
  base: string;
  as_of: string;
}

export interface Conversion {
  currency: string;
  /** Parts of a minor unit in converted amounts, so that sums are exact and rounded once. */
  parts: bigint;
  knows(currency: string): boolean;
  /** Throws for an unknown currency, unless the amount is zero. */
  convert(amount: bigint, currency: string): bigint;
  rates: Pick<RateSet, 'as_of' | 'source'> | null;
}

/** `missing` has the currencies without a rate, in order. */
export type ConversionResult = { conversion: Conversion; missing: [] } | { conversion: undefined; missing: string[] };

/**
 * An amount in X becomes amount × 10^(e_Y − e_X) × rate_Y ÷ rate_X in Y (`target`), where e is the number of digits of the
 * minor unit. `today` is a local day; rates that are too old count as missing.
 */
export function createConversion(
  set: RateSet | undefined,
  currencies: Iterable<string>,
  target: string,
  today: string,
): ConversionResult {
  const foreign = [...new Set(currencies)].filter((code) => code !== target).sort();
  if (foreign.length === 0) return { conversion: conversionOf(target, new Map(), null), missing: [] };
  const isCurrent = set !== undefined && daysBetween(set.as_of, today) <= MAX_RATES_AGE_DAYS;
  if (!isCurrent) return { conversion: undefined, missing: foreign };
  const rates = new Map([target, ...foreign].map((code) => [code, rateOf(set, code)]));
  const missing = [...rates].flatMap(([code, rate]) => (rate === undefined ? [code] : []));
  const to = rates.get(target);
  if (to === undefined || missing.length > 0) return { conversion: undefined, missing: missing.sort() };
  const factors = new Map<string, Rational>();
  for (const [code, from] of rates) if (from !== undefined) factors.set(code, factorOf(code, from, target, to));
  return { conversion: conversionOf(target, factors, { as_of: set.as_of, source: set.source }), missing: [] };
}

export interface RateView {
  baseCurrency: string;
  today: string;
  rates: RateSet | undefined;
}

/** Converts to the base currency; ignores currencies whose amounts are all zero. */
export function createBaseConversion(
  { rates, baseCurrency, today }: RateView,
  amounts: readonly Money[],
): ConversionResult {
  const currencies = amounts.filter(({ amount }) => amount !== 0n).map(({ currency }) => currency);
  return createConversion(rates, currencies, baseCurrency, today);
}

export interface Money {
  /** In minor units. */
  amount: bigint;
  currency: string;
}

function conversionOf(
  currency: string,
  factors: ReadonlyMap<string, Rational>,
  rates: Conversion['rates'],
): Conversion {
  const parts = [...factors.values()].reduce((common, { d }) => leastCommonMultiple(common, d), 1n);
  const partsOf = new Map([
    [currency, parts],
    ...[...factors].map(([code, { n, d }]) => [code, (n * parts) / d] as const),
  ]);
  return {
    currency,
    parts,
    knows: (from) => partsOf.has(from),
    convert(amount, from) {
      if (amount === 0n) return 0n;
      const factor = partsOf.get(from);
      if (factor === undefined) throw new Error(`There is no rate from ${from} to ${currency}.`);
      return amount * factor;
    },
    rates,
  };
}

function rateOf({ base, rates }: RateSet, code: string): Rational | undefined {
  const text = code === base ? '1' : rates[code];
  if (text === undefined) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  return rational(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
}

/** Minor units of `to` for one minor unit of `from`, in lowest terms. */
function factorOf(from: string, rateFrom: Rational, to: string, rateTo: Rational): Rational {
  const n = rateTo.n * rateFrom.d * 10n ** BigInt(currencyExponent(to));
  const d = rateTo.d * rateFrom.n * 10n ** BigInt(currencyExponent(from));
  const divisor = greatestCommonDivisor(n, d);
  return rational(n / divisor, d / divisor);
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b;
}
