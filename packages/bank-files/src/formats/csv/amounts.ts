import { currencyExponent } from '@finhook/contracts/currency';
import type { Step } from '../../step.ts';
import { type DecimalMark, type Read, readCents, readCurrency } from '../../values.ts';
import { readDirection } from './words.ts';

export interface Amount {
  digits: string;
  isNegative: boolean;
  /** The form of the sign: mark (before, after, parentheses), or word (such as CR). */
  sign: 'none' | 'mark' | 'word';
  /** The mark and the word differ. `isNegative` is that of the mark. */
  isContradicted?: true;
  /** A code or € next to it. */
  currency?: string;
}

const MAX_AMOUNT = 60;
const minus = /[\u2212\u2013\u2014\ufe63\uff0d]/g;
/** Ambiguous currency signs next to amounts. */
const symbols = new Set('kr, rs, zl, zł, kč, kc, ft, руб, р, лв, lei, din, fr, sfr, tl, r, p, l, q'.split(', '));
/** A letter directly before an amount, as in R100 or -K100, is a currency sign, not a direction. */
const letterBefore = /(?<!\p{L})\p{L}(?=[+(-]?$)/u;
/** Spaces and apostrophes group three digits: `10 50` is no amount. */
const grouped = /^\d{1,3}(?:[\s'’`´]\d{3})+(?:[.,]\d*)?$/;

export function isEmpty(text: string): boolean {
  return text === '' || /^[-\u2212\u2013\u2014]{1,3}$/.test(text);
}

/** Undefined if it is no amount, or has two different signs. */
export function parseAmount(text: string): Amount | undefined {
  const amount = parseBalance(text);
  return amount?.isContradicted ? undefined : amount;
}

export function isSigned(text: string): boolean {
  return (parseAmount(text)?.sign ?? 'none') !== 'none';
}

/** Also reads an amount with two different signs, which balances may prove. */
export function parseBalance(text: string): Amount | undefined {
  if (text.length > MAX_AMOUNT) return undefined;
  const compact = text
    .replaceAll(minus, '-')
    .replaceAll(/\p{L}{1,2}\$/gu, '$')
    .replaceAll(/(\p{L})\./gu, '$1');
  const [, before = '', digits = '', after = ''] = /^([^\d.,]*)([\d.,\s'’`´]*\d[.,]?)([^\d.,]*)$/u.exec(compact) ?? [];
  const plain = digits.replaceAll(/[\s'’`´]/g, '');
  if (digits === '' || (plain !== digits && !grouped.test(digits))) return undefined;
  const around = `${before} ${after}`;
  const marks = around.replaceAll(/[\s\p{L}\p{Sc}'’]/gu, '');
  const words = `${before.replace(letterBefore, '')} ${after}`.match(/\p{L}+/gu) ?? [];
  const amount: Amount = { digits: plain, isNegative: false, sign: 'none' };
  if (marks !== '') {
    if (!/^(?:[+-]|--|\(\))$/.test(marks)) return undefined;
    // Two leading minus signs are a reversal.
    if (marks === '--' && !/-\s*\p{Sc}?\s*-/u.test(before)) return undefined;
    amount.sign = 'mark';
    amount.isNegative = marks === '-' || marks === '()';
  }
  if (around.includes('€')) amount.currency = 'EUR';
  for (const word of words) {
    const currency = word.length === 3 ? readCurrency(word) : { error: '' };
    const direction = readDirection(word);
    if ('value' in currency) amount.currency = currency.value;
    else if (direction !== undefined) {
      const isOut = direction === -1;
      if (amount.sign === 'none') amount.isNegative = isOut;
      else if (amount.isNegative !== isOut) amount.isContradicted = true;
      amount.sign = 'word';
    } else if (!symbols.has(word.toLowerCase())) return undefined;
  }
  return amount;
}

export function centsOf(amount: Amount, currency: string, mark: DecimalMark): Read<number> {
  return readCents(amount.digits, currency, mark);
}

/** A mark before exactly three digits, as in 1,234, may also group thousands, unless the currency has no decimals. */
export function decimalMarks(amounts: readonly Amount[], currencies: readonly string[], step: Step): DecimalMark[] {
  const certain = new Set<DecimalMark>();
  const open = new Set<DecimalMark>();
  step(amounts.length);
  for (const { digits } of amounts) {
    const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
    if (at === -1) continue;
    const [last, other]: [DecimalMark, DecimalMark] = digits[at] === '.' ? ['.', ','] : [',', '.'];
    if (digits.indexOf(last) !== at) certain.add(other);
    else if (digits.includes(other) || !/^\d{3}$/.test(digits.slice(at + 1))) certain.add(last);
    else open.add(last);
  }
  if (certain.size > 0) return [...certain];
  const [mark] = open;
  if (mark === undefined) return ['.'];
  const isWhole = currencies.length > 0 && currencies.every((currency) => currencyExponent(currency) === 0);
  if (isWhole && open.size === 1) return [mark === '.' ? ',' : '.'];
  return ['.', ','];
}

export function decimalsOf({ digits }: Amount): number {
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  return at === -1 ? 0 : digits.length - at - 1;
}
