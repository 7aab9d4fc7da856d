import { currencyExponent } from '@finhook/contracts/currency';

export type Cents = number | null;

/** What a sum is: its digits where it is beyond 2^53−1, else its cents; null when it has no value. */
export function exactOf(cents: Cents, digits: string | undefined): number | string | null {
  return digits ?? cents;
}

/** The same for adding and comparing: no value counts as nothing. */
export function bigOf(cents: Cents, digits?: string): bigint {
  return BigInt(digits ?? cents ?? 0);
}

/** `$1.24M`: an amount in minor units to three digits, where the exact figure stands beside it. */
export function roundMoney(cents: number, currency: string): string {
  return compactMoney(cents, currency, currencyExponent(currency), { maximumSignificantDigits: 3 });
}

/**
 * `1.05M` with the currency's sign, for the scale beside a plot. Its steps are round (three digits at most), so three
 * places after the point tell each of them exactly.
 */
export function scaleMoney(cents: number, currency: string, digits: number): string {
  return compactMoney(cents, currency, digits, { maximumFractionDigits: 3 });
}

function compactMoney(cents: number, currency: string, digits: number, precision: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    ...precision,
  }).format(cents / 10 ** digits);
}
