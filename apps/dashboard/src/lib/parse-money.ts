import { currencyExponent, normalizeCurrency } from '@finhook/contracts/currency';
import { currencySign } from './format-number.ts';

export type ParsedMoney = { cents: number } | { fault: string };

const NUMBER = /^(\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?$/;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

function withPoint(digits: string, exponent: number): string {
  const padded = digits.padStart(exponent + 1, '0');
  return exponent === 0 ? padded : `${padded.slice(0, -exponent)}.${padded.slice(-exponent)}`;
}

/** The accepted symbols around a number: the code, and the unambiguous sign (`$` is USD, `CA$` is CAD). */
function signsOf(code: string): readonly string[] {
  return [code, currencySign(code) ?? code];
}

/** Splits `-$5`, `$-5` and `5 USD` into minus and number; undefined if the symbol belongs to another currency. */
function splitAmount(text: string, code: string): { isNegative: boolean; number: string } | undefined {
  const match = /^([+\-\u2212]?)\s*([^\d\s+\-\u2212.,]*)\s*([+\-\u2212]?)([\d.,]+)\s*([^\d\s.,]*)$/u.exec(text.trim());
  if (!match) return undefined;
  const [, outer = '', before = '', inner = '', number = '', after = ''] = match;
  const sign = before || after;
  const isKnown = sign === '' || signsOf(code).includes(sign.toUpperCase());
  if (!isKnown || (before !== '' && after !== '') || (outer !== '' && inner !== '')) return undefined;
  return { isNegative: /[-\u2212]/.test(outer + inner), number };
}

/** `1,234` is a thousand with two decimals; with three or more it may also be 1.234 with a decimal comma. */
function isAmbiguous(number: string, exponent: number): boolean {
  return exponent >= 3 && /^\d+,\d{3}$/.test(number);
}

/**
 * Parses an amount (`-1234.5`, `$1,234.50`, `1,234.50 USD`) into minor units without floats. Rejects too many decimals,
 * the sign of another currency, misplaced commas, and amounts beyond 2^53−1.
 */
export function parseMoney(text: string, currency: string): ParsedMoney {
  const code = normalizeCurrency(currency);
  if (code === undefined) return { fault: 'Enter the currency first, as a three-letter code like USD.' };
  const exponent = currencyExponent(code);
  const example = withPoint('123456', exponent);
  const amount = splitAmount(text, code);
  if (!amount) return { fault: `Enter an amount in ${code}, like ${example}.` };
  const match = isAmbiguous(amount.number, exponent) ? null : NUMBER.exec(amount.number);
  if (!match) {
    const point = exponent === 0 ? '' : ' and a point for decimals';
    return { fault: `Use commas only between thousands${point}, like ${example}.` };
  }
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > exponent) {
    const digits = exponent === 0 ? 'no digits' : `${exponent} digits`;
    return { fault: `${code} has ${digits} after the point. Enter an amount like ${example}.` };
  }
  const units = BigInt(whole.replaceAll(',', '') + fraction.padEnd(exponent, '0'));
  if (units > LARGEST) {
    return { fault: `Enter at most ${withPoint(String(LARGEST), exponent)}.` };
  }
  return { cents: Number(amount.isNegative ? -units : units) };
}

export function moneyText(cents: number | string, currency: string): string {
  const units = BigInt(cents);
  const text = withPoint(String(units < 0n ? -units : units), currencyExponent(currency));
  return units < 0n ? `-${text}` : text;
}

interface AmountSearch {
  min?: string | undefined;
  max?: string | undefined;
  currency?: string | undefined;
}

export interface AmountBounds {
  cents: { min: number | undefined; max: number | undefined };
  faults: Readonly<{ min?: string; max?: string }>;
  currency: string;
  /** The filter by currency. An amount filter selects rows of one currency. */
  only: string | undefined;
}

export function amountBounds(search: AmountSearch, base: string): AmountBounds {
  const currency = search.currency?.toUpperCase() ?? base;
  const cents: AmountBounds['cents'] = { min: undefined, max: undefined };
  const faults: { min?: string; max?: string } = {};
  for (const name of ['min', 'max'] as const) {
    const text = search[name];
    if (text === undefined) continue;
    const parsed = parseMoney(text, currency);
    if ('fault' in parsed) faults[name] = parsed.fault;
    else cents[name] = parsed.cents;
  }
  const hasAmount = search.min !== undefined || search.max !== undefined;
  return { cents, faults, currency, only: search.currency ?? (hasAmount ? base : undefined) };
}
