import { currencyExponent } from '@finhook/contracts/currency';
import type { Outputs } from '../../lib/trpc.ts';

type Rates = Outputs['fxRates']['get'];

export interface Money {
  amount: bigint;
  currency: string;
}

/** A decimal number as a fraction. */
function fractionOf(text: string): readonly [n: bigint, d: bigint] {
  const [whole = '', digits = ''] = text.split('.');
  return [BigInt(whole + digits), 10n ** BigInt(digits.length)];
}

/** The quotient, rounded once, half to even. */
function divide(n: bigint, d: bigint): bigint {
  const [size, sign] = n < 0n ? [-n, -1n] : [n, 1n];
  const [whole, rest] = [size / d, 2n * (size % d)];
  const up = rest > d || (rest === d && whole % 2n === 1n);
  return sign * (up ? whole + 1n : whole);
}

/**
 * The sum of amounts in another currency, as the service makes its totals: an amount in X becomes amount × 10^(e_Y − e_X) ×
 * rate_Y ÷ rate_X in Y. Undefined if a rate is missing. The age of the rates is the service's matter. `share` divides the sum
 * before it is rounded.
 */
export function sumIn(
  target: string,
  amounts: readonly Money[],
  { base, rates }: Pick<Rates, 'base' | 'rates'>,
  share = 1,
): bigint | undefined {
  const rateOf = (code: string): string | undefined => (code === base ? '1' : rates[code]);
  let [n, d] = [0n, 1n];
  for (const { amount, currency } of amounts) {
    const [from, to] = currency === target ? ['1', '1'] : [rateOf(currency), rateOf(target)];
    if (from === undefined || to === undefined) return undefined;
    const [[fromN, fromD], [toN, toD]] = [fractionOf(from), fractionOf(to)];
    const itsN = amount * toN * fromD * 10n ** BigInt(currencyExponent(target));
    const itsD = toD * fromN * 10n ** BigInt(currencyExponent(currency));
    [n, d] = [n * itsD + itsN * d, d * itsD];
  }
  return divide(n, d * BigInt(share));
}
