import { MAX_RATES_AGE_DAYS } from '@finhook/contracts/currency';
import { daysBetween } from '../../lib/zoned-time.ts';

/** The part of a company's page with the exchange rates. */
export const RATES_HASH = 'exchange-rates';

/** The reason why figures of several currencies have no total. */
export function missingRatesText(missing: readonly string[]): string {
  return `No total: a current exchange rate is missing for ${missing.join(', ')}`;
}

interface FirstRates {
  base: string;
  /** The currencies to ask for, in units for one unit of `base`. */
  codes: readonly string[];
}

/** The rate to ask for while none are stored: `1 EUR in USD` of a company with the base currency USD that also has euros. */
export function firstRates(missing: readonly string[], companyBase: string): FirstRates | undefined {
  const [first, ...others] = missing.filter((code) => code !== companyBase);
  if (first === undefined) return undefined;
  // Rates of several currencies need one base. Of one, they are as they are published.
  return others.length === 0 ? { base: first, codes: [companyBase] } : { base: companyBase, codes: [first, ...others] };
}

/** True if the service uses the rates of this day; null without rates. */
export function areCurrent(asOf: string | null, today: string): asOf is string {
  return asOf !== null && daysBetween(asOf, today) <= MAX_RATES_AGE_DAYS;
}

/** The day for the form: today, if the stored rates are too old to be used. */
export function dayOfRates(stored: string | null, today: string): string {
  return areCurrent(stored, today) ? stored : today;
}

interface Stored {
  base: string | null;
  rates: Readonly<Record<string, string>>;
}

/** The stored rates with an empty one for each currency that is missing. */
export function withMissing({ base, rates }: Stored, missing: readonly string[]): Record<string, string> {
  const empty = missing.filter((code) => code !== base && rates[code] === undefined).map((code) => [code, ''] as const);
  return { ...rates, ...Object.fromEntries(empty) };
}
