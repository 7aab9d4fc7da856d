import { currencyExponent } from './currency.ts';

/**
 * Minor units as text for people: the currency's own number of digits (JPY has none, KWD three), exact for amounts of
 * any size. `locale` decides on separators and on the place of the sign.
 */
export function formatMoney(amount: number | bigint | string, currency: string, locale = 'en-US'): string {
  const digits = currencyExponent(currency);
  const units = BigInt(amount);
  const [sign, absolute] = units < 0n ? ['-', -units] : ['', units];
  const text = absolute.toString().padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(exactDecimal(`${sign}${decimal}`));
}

// Intl formats decimal text exactly (ECMA-402, Intl mathematical values); its type says so only for literals.
function exactDecimal(text: string): `${number}` {
  return text as `${number}`;
}
