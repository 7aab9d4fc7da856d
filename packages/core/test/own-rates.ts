/** An amount in minor units as a fraction with a positive denominator. */
export type Fraction = readonly [n: bigint, d: bigint];

export function addAll(amounts: readonly Fraction[]): Fraction {
  const byPart = new Map<bigint, bigint>();
  for (const [n, d] of amounts) byPart.set(d, (byPart.get(d) ?? 0n) + n);
  return [...byPart].reduce<Fraction>(([a, b], [d, c]) => [a * d + c * b, b * d], [0n, 1n]);
}

/** A set of rates, as in its record. */
export interface ExportedRates {
  base: string | null;
  as_of: string | null;
  rates: Readonly<Record<string, string>>;
}

/** Either the currencies without a rate, or the conversion to the base currency. */
export type OwnConversion =
  | { missing: string[] }
  | { missing: []; convert: (cents: bigint, currency: string) => Fraction };

/** Digits of the minor unit. */
const digits = (currency: string): number => (currency === 'JPY' ? 0 : 2);
const DAY = 86_400_000;

function parse(rate: string): Fraction {
  const [whole = '', part = ''] = rate.split('.');
  return [BigInt(whole + part), 10n ** BigInt(part.length)];
}

/** `used` are the currencies with cash or flows that are not zero. */
export function openOwnRates(
  set: ExportedRates | undefined,
  used: readonly string[],
  target: string,
  today: string,
): OwnConversion {
  const foreign = [...new Set(used)].filter((code) => code !== target).sort();
  if (foreign.length === 0) return { missing: [], convert: (cents) => [cents, 1n] };
  const isOld = !set?.as_of || (Date.parse(today) - Date.parse(set.as_of)) / DAY > 7;
  if (isOld) return { missing: foreign };
  const rateOf = (code: string): Fraction | undefined => {
    const rate = set.rates[code];
    if (code === set.base) return [1n, 1n];
    return rate === undefined ? undefined : parse(rate);
  };
  const missing = [target, ...foreign].filter((code) => rateOf(code) === undefined).sort();
  if (missing.length > 0) return { missing };
  return {
    missing: [],
    convert(cents, currency) {
      const [from = [1n, 1n], to = [1n, 1n]] = [rateOf(currency), rateOf(target)];
      if (currency === target) return [cents, 1n];
      const shift = digits(target) - digits(currency);
      const [up, down] = [10n ** BigInt(Math.max(shift, 0)), 10n ** BigInt(Math.max(-shift, 0))];
      return [cents * to[0] * from[1] * up, to[1] * from[0] * down];
    },
  };
}
