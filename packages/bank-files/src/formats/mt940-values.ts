import { currencyExponent } from '@finhook/contracts/currency';
import { quote } from '../errors.ts';
import type { RawTransaction } from '../statement.ts';
import { dayOf, type Read, readCents, readCurrency, readShortDay, toSingleLine } from '../values.ts';

export interface Mt940Balance {
  /** Undefined for `000000`. */
  day: string | undefined;
  cents: number;
  currency: Read<string>;
}

export function readBalance(text: string): Read<Mt940Balance> {
  const [, sign, date = '', code = '', amount = ''] = /^([CD])(\d{6})([A-Z]{3})([\d,.]{1,20})\s*$/.exec(text) ?? [];
  if (sign === undefined) return { error: `${quote(text)} is not a balance` };
  const day = readShortDay(date);
  const currency = readCurrency(code);
  const cents = readAmount(amount, 'error' in currency ? '' : currency.value);
  if ('error' in cents) return 'error' in currency ? { value: { day: undefined, cents: 0, currency } } : cents;
  return {
    value: {
      day: 'value' in day ? day.value : undefined,
      cents: sign === 'D' ? 0 - cents.value : cents.value,
      currency,
    },
  };
}

/** SWIFT's decimal mark is a comma; some banks write a point. */
function readAmount(text: string, currency: string): Read<number> {
  const mark = text.includes(',') ? ',' : '.';
  // A point before three digits may group thousands: ambiguous.
  if (mark === '.' && /\.\d{3}$/.test(text) && currencyExponent(currency) < 3) {
    return { error: `${quote(text)} is not an amount` };
  }
  return readCents(text, currency, mark);
}

// Value date, entry date (MMDD; some banks write spaces), mark, third letter of the currency, amount, type.
const statementLine = /^(\d{6})(\d{4}| {4})?(R?[CD])([A-Z])?(\d[\d,.]{0,19})([A-Z][A-Z\d]{3})?(.*)$/;

export function readLine(
  [first = '', ...more]: readonly string[],
  currency: string,
  line: number,
): Read<RawTransaction> {
  const found = statementLine.exec(first);
  if (!found) return { error: `${quote(first)} is not a statement line` };
  const [, valueDate = '', entry = '', mark = '', , amount = '', , rest = ''] = found;
  const day = entryDay(valueDate, entry.trim());
  if ('error' in day) return day;
  const cents = readAmount(amount, currency);
  if ('error' in cents) return cents;
  // A reversed debit is money in.
  const isOut = mark === 'D' || mark === 'RC';
  const [own = '', ...banks] = rest.split('//').map((part) => part.trim());
  const references = [...(isNoReference(own) ? [] : [own]), ...banks].filter((part) => part !== '');
  return {
    value: {
      line,
      day: day.value,
      cents: isOut ? 0 - cents.value : cents.value,
      currency,
      // Used if there is no field 86.
      description: toSingleLine([...references, ...more].join(' '), 2000),
      reference: references.at(-1),
    },
  };
}

function isNoReference(text: string): boolean {
  return /^(?:NONREF|KREF\+|)$/.test(text);
}

/** The entry date has no year: take the one nearest to the value date, which is also the default. */
function entryDay(valueDate: string, entry: string): Read<string> {
  if (entry === '') return readShortDay(valueDate);
  const about = valueTime(valueDate);
  if (about === undefined) return readShortDay(valueDate);
  const year = new Date(about).getUTCFullYear();
  const [month, day] = [Number(entry.slice(0, 2)), Number(entry.slice(2))];
  const days = [year - 1, year, year + 1].map((one) => dayOf(one, month, day)).filter((one) => one !== undefined);
  const away = (one: string): number => Math.abs(Date.parse(one) - about);
  const [nearest] = days.toSorted((a, b) => away(a) - away(b));
  return nearest === undefined ? { error: `${quote(entry)} is not an entry date MMDD` } : { value: nearest };
}

/** German banks pay interest for 30 days each month, so 30 February is valid. */
function valueTime(valueDate: string): number | undefined {
  const found = readShortDay(valueDate);
  if ('value' in found) return Date.parse(found.value);
  const first = readShortDay(`${valueDate.slice(0, 4)}01`);
  const day = Number(valueDate.slice(4));
  return 'value' in first && day <= 31 && day > 0 ? Date.parse(first.value) + (day - 1) * 86_400_000 : undefined;
}
