import { currencyExponent, normalizeCurrency } from '@finhook/contracts/currency';

/** A value, or a description of the error. */
export type Read<T> = { value: T } | { error: string };

export type DecimalMark = '.' | ',';

/**
 * Supports signs before or after, parentheses and groups. Without `mark`, the last of `.` and `,` is the decimal mark.
 */
export function readCents(text: string, currency: string, mark?: DecimalMark): Read<number> {
  const error = { error: `${JSON.stringify(text.slice(0, 40))} is not an amount` };
  const compact = text.slice(0, 60).replaceAll(/[\s\p{Sc}'’]/gu, '');
  // `10 50` and `10€50` are no amounts: spaces and apostrophes group three digits.
  if (/\d\s*\p{Sc}\s*\d|\d[\s'’]+(?!\d{3}(?!\d))\d/u.test(text.slice(0, 60))) return error;
  const parts = /^(\(?)([+-]?)([\d.,]+)([+-]?)(\)?)$/.exec(compact);
  if (text.length > 60 || parts === null) return error;
  const [, open = '', before = '', digits = '', after = '', close = ''] = parts;
  if ((before && after) || (open === '') !== (close === '') || (open && (before || after))) return error;
  const decimal = mark ?? (digits.lastIndexOf(',') > digits.lastIndexOf('.') ? ',' : '.');
  const [whole = '', fraction = '', ...more] = digits.split(decimal);
  const groups = whole.split(decimal === '.' ? ',' : '.');
  // Indian groups have two digits and the last one three: `12,50` is no amount if the point is the decimal mark.
  const grouped = groups.length === 1 || /^\d{1,3}(,\d{2,3})*,\d{3}$/.test(groups.join(','));
  if (more.length > 0 || !grouped || !/^\d*$/.test(groups.join('') + fraction) || groups.join('') + fraction === '') {
    return error;
  }
  const exponent = currencyExponent(currency);
  const kept = fraction.replace(/0+$/, '');
  if (kept.length > exponent) {
    return { error: `${JSON.stringify(text)} has ${kept.length} decimals, and ${currency} has ${exponent}` };
  }
  const units = BigInt(groups.join('') + kept.padEnd(exponent, '0'));
  const negative = before === '-' || after === '-' || open === '(';
  return toSafe(negative ? -units : units, text);
}

/** Digits in minor units. */
export function readUnits(text: string): Read<number> {
  const digits = text.trim();
  if (!/^[+-]?\d{1,30}$/.test(digits)) return { error: `${JSON.stringify(text.slice(0, 40))} is not an amount` };
  return toSafe(BigInt(digits), text);
}

function toSafe(units: bigint, text: string): Read<number> {
  const cents = Number(units);
  return Number.isSafeInteger(cents) ? { value: cents } : { error: `${JSON.stringify(text)} is too large` };
}

/** `YYYY-MM-DD`; undefined if the day doesn't exist, or is before 1900 or after 2999. */
export function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const same = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return same && year >= 1900 && year <= 2999 ? date.toISOString().slice(0, 10) : undefined;
}

/** YYMMDD of SWIFT and BAI: 80 and later are of the last century. */
export function readShortDay(text: string): Read<string> {
  const [, yy, mm, dd] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  const year = Number(yy) + (Number(yy) >= 80 ? 1900 : 2000);
  const value = dayOf(year, Number(mm), Number(dd));
  return value === undefined ? { error: `${JSON.stringify(text.slice(0, 40))} is not a day YYMMDD` } : { value };
}

export function readCurrency(text: string): Read<string> {
  const value = normalizeCurrency(text.trim());
  return value === undefined ? { error: `${JSON.stringify(text.slice(0, 40))} is not a currency` } : { value };
}

/** `YYYY-MM-DD`. */
export function dayIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);
}

/** Noon of the day in the time zone, as UTC: it exists on every day, and is the same day for the company. */
export function createNoon(timeZone: string): (day: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const known = new Map<string, string>();
  return (day) => {
    const noon = Date.parse(`${day}T12:00:00Z`);
    const found =
      known.get(day) ?? new Date(2 * noon - Date.parse(`${format.format(noon).replace(' ', 'T')}Z`)).toISOString();
    known.set(day, found);
    return found;
  };
}

/** Non-empty values that occur more than once. */
export function repeatedIn(values: Iterable<string | undefined>): Set<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const value of values) {
    if (!value) continue;
    if (seen.has(value)) repeated.add(value);
    seen.add(value);
  }
  return repeated;
}

/** One line, without runs of spaces, at most `max` UTF-16 units. */
export function toSingleLine(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > max ? line.slice(0, max).toWellFormed() : line;
}

/** SHA-256, hexadecimal. */
export async function sha256(data: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const digest = await crypto.subtle.digest(
    'SHA-256',
    typeof data === 'string' ? new TextEncoder().encode(data) : data,
  );
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
