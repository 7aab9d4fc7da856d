import { currencyExponent } from '@finhook/contracts/currency';
import type { Step } from '../../step.ts';
import { type DecimalMark, type Read, readCents, readCurrency } from '../../values.ts';
import { readDirection } from './words.ts';

/** An amount as it is written, before its decimal mark and currency are known. */
export interface Amount {
  /** Digits and marks. */
  digits: string;
  isNegative: boolean;
  /** The bank wrote a sign: before or after it, as parentheses, or as a word such as CR. */
  sign: 'none' | 'mark' | 'word';
  /** The mark and the word of the sign differ. `isNegative` is that of the mark. */
  isContradicted?: true;
  /** A code beside it, or the sign of the euro. */
  currency?: string;
}

const MAX_AMOUNT = 60;
const minus = /[\u2212\u2013\u2014\ufe63\uff0d]/g;
/** Beside an amount, these are signs of a currency that don't say which it is. */
const symbols = new Set('kr, rs, zl, zł, kč, kc, ft, руб, р, лв, lei, din, fr, sfr, tl, r, p, l, q'.split(', '));
/** A letter that touches the amount on its left, as in R100 or -K100: the sign of a currency, and no direction. */
const letterBefore = /(?<!\p{L})\p{L}(?=[+(-]?$)/u;
/** Spaces and apostrophes stand before groups of three digits only: `10 50` is no amount. */
const grouped = /^\d{1,3}(?:[\s'’`´]\d{3})+(?:[.,]\d*)?$/;

/** True if a cell says nothing: it is empty, or a dash. */
export function isEmpty(text: string): boolean {
  return text === '' || /^[-\u2212\u2013\u2014]{1,3}$/.test(text);
}

/** Reads an amount; undefined if the text is none, or has two signs that differ. */
export function parseAmount(text: string): Amount | undefined {
  const amount = parseBalance(text);
  return amount?.isContradicted ? undefined : amount;
}

/** True for an amount with a sign: a mark or a word. */
export function isSigned(text: string): boolean {
  return (parseAmount(text)?.sign ?? 'none') !== 'none';
}

/** Reads an amount that others may prove, although it has two signs that differ. */
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
    // Two minus signs in front are a reversal.
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

/** The minor units of an amount, without its sign. */
export function centsOf(amount: Amount, currency: string, mark: DecimalMark): Read<number> {
  return readCents(amount.digits, currency, mark);
}

/**
 * The decimal marks that the amounts may have. A mark before exactly three digits, as in 1,234, may also be one of
 * groups, unless the currency has no decimals.
 */
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

/** The number of digits after the last mark. */
export function decimalsOf({ digits }: Amount): number {
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  return at === -1 ? 0 : digits.length - at - 1;
}
