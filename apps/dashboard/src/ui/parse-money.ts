import { currencyExponent, normalizeCurrency } from '@finhook/contracts/currency';

/** Minor units, or what to do about a text that does not say an amount. */
export type ParsedMoney = { cents: number } | { fault: string };

const DECIMAL = /^([+\-\u2212]?)(\d+)(?:\.(\d+))?$/;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

function withPoint(digits: string, exponent: number): string {
  const padded = digits.padStart(exponent + 1, '0');
  return exponent === 0 ? padded : `${padded.slice(0, -exponent)}.${padded.slice(-exponent)}`;
}

/**
 * Decimal text (`-1234.5`) as minor units of `currency`, digit by digit and never through a fraction. Refuses what it
 * would have to round or guess: more digits than the currency has, separators of thousands, amounts beyond 2^53−1.
 */
export function parseMoney(text: string, currency: string): ParsedMoney {
  const code = normalizeCurrency(currency);
  if (code === undefined) return { fault: 'Choose the currency first: a code of three letters like USD.' };
  const exponent = currencyExponent(code);
  const example = withPoint('123456', exponent);
  const match = DECIMAL.exec(text.trim());
  if (!match) {
    return { fault: `Write digits${exponent === 0 ? '' : ' with a point'}, and no separators: like ${example}.` };
  }
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length > exponent) {
    const has = exponent === 0 ? 'no digits' : `${exponent} digits`;
    return { fault: `${code} has ${has} after the point, and this amount has ${fraction.length}: like ${example}.` };
  }
  const units = BigInt(whole + fraction.padEnd(exponent, '0'));
  if (units > LARGEST) {
    return { fault: `The amount is too large: at most ${withPoint(String(LARGEST), exponent)}.` };
  }
  // `|| 0` because a negative zero is another number to JSON.
  return { cents: Number(sign === '' || sign === '+' ? units : -units) || 0 };
}

/** Minor units as the plain decimal text that `parseMoney` reads: for fields that begin with an amount. */
export function moneyText(cents: number | string, currency: string): string {
  const units = BigInt(cents);
  const text = withPoint(String(units < 0n ? -units : units), currencyExponent(currency));
  return units < 0n ? `-${text}` : text;
}
