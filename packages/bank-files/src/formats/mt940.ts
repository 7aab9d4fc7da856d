import { BankFileError, quote } from '../errors.ts';
import {
  addStatement,
  leaveOut,
  newReading,
  type RawBalance,
  type RawStatement,
  type RawTransaction,
  type Reading,
} from '../statement.ts';
import type { Step } from '../step.ts';
import { dayOf, type Read, readCents, readCurrency, readShortDay, tidy } from '../values.ts';
import { assertLines } from './decode.ts';
import type { Reader } from './reader.ts';

interface Field {
  tag: string;
  line: number;
  /** Its lines, the first without the tag. */
  lines: string[];
}

interface OpenStatement {
  line: number;
  account: string;
  /** Begins with the opening balance, which names the currency. */
  into?: RawStatement;
  /** The row that a field 86 describes. */
  current?: RawTransaction | undefined;
}

/**
 * Reads SWIFT MT940. The parsers on npm are years old and return amounts as floats. The bank's reference in field 61 is
 * not used as an id: with many banks it is not unique.
 */
export const readMt940: Reader = (text, _input, step) => {
  assertLines(text, step);
  const reading = newReading();
  let open: OpenStatement | undefined;
  for (const field of fieldsOf(text, step)) {
    step(field.lines.reduce((sum, line) => sum + line.length, 1));
    if (field.tag === '20') {
      if (open) throw notClosed(open);
      open = { line: field.line, account: '' };
    } else if (open && !readField(reading, open, field)) open = undefined;
  }
  if (open) throw notClosed(open);
  if (reading.statements.length === 0) {
    throw new BankFileError('the file has no statement: a field :20: and its balances');
  }
  return { readings: [reading], questions: [] };
};

function notClosed({ line }: OpenStatement): BankFileError {
  return new BankFileError('the statement has no closing balance (:62F:): the file is truncated', { line, column: 1 });
}

function fieldsOf(text: string, step: Step): Field[] {
  const fields: Field[] = [];
  let current: Field | undefined;
  text.split(/\r\n|\n|\r/).forEach((line, i) => {
    step(line.length + 1);
    const [all, tag] = /^(?:\{.{0,200}\{4:)?:(\d\d[A-Z]?):/.exec(line) ?? [];
    if (all !== undefined && tag !== undefined) {
      current = { tag, line: i + 1, lines: [line.slice(all.length)] };
      fields.push(current);
    } else if (/^-\}?/.test(line) && line.length < 3) current = undefined;
    else if (line !== '') current?.lines.push(line);
  });
  return fields;
}

/** Reads a field of the open statement. Returns false if it ends it. */
function readField(reading: Reading, open: OpenStatement, { tag, line, lines }: Field): boolean {
  const [first = ''] = lines;
  const fail = (error: string) => new BankFileError(`:${tag}: ${error}`, { line, column: 1 });
  const readBalanceHere = (): RawBalance => {
    const balance = readBalance(first);
    if ('error' in balance) throw fail(balance.error);
    return { line, ...balance.value };
  };
  const statementHere = (): RawStatement => {
    if (!open.into) throw fail('stands before the opening balance (:60F:)');
    return open.into;
  };
  switch (tag) {
    case '25':
      open.account = first.trim();
      break;
    case '60F':
    case '60M': {
      const opening = readBalanceHere();
      const { account, line: start } = open;
      const { currency } = opening;
      open.into = addStatement(reading, { line: start, account, currency, isOwnCurrency: true, opening });
      break;
    }
    case '61': {
      const statement = statementHere();
      const row = readLine(lines, statement.currency, line);
      open.current = 'value' in row ? row.value : undefined;
      if ('value' in row) statement.rows.push(row.value);
      else leaveOut(reading, statement, { line, column: 1, message: `the line is left out: ${row.error}` });
      break;
    }
    case '86':
      if (open.current) Object.assign(open.current, describe(lines, open.current.description));
      open.current = undefined;
      break;
    case '62F':
    case '62M': {
      const closing = readBalanceHere();
      const statement = statementHere();
      statement.closing = closing;
      if (tag === '62F') statement.ends.push(closing);
      return false;
    }
    default:
  }
  return true;
}

function readBalance(text: string): Read<Omit<RawBalance, 'line'>> {
  const [, sign, date = '', code = '', amount = ''] = /^([CD])(\d{6})([A-Z]{3})([\d,]{1,20})\s*$/.exec(text) ?? [];
  if (sign === undefined) return { error: `${quote(text)} is not a balance` };
  const day = readShortDay(date);
  if ('error' in day) return day;
  const currency = readCurrency(code);
  if ('error' in currency) return currency;
  const cents = readCents(amount, currency.value, ',');
  if ('error' in cents) return cents;
  return { value: { day: day.value, cents: sign === 'D' ? 0 - cents.value : cents.value, currency: currency.value } };
}

// Value date, entry date (month and day; some banks write spaces), mark, third letter of the currency, amount, type.
const statementLine = /^(\d{6})(\d{4}| {4})?(R?[CD])([A-Z])?(\d[\d,]{0,19})([A-Z][A-Z\d]{3})?(.*)$/;

function readLine([first = '', ...more]: readonly string[], currency: string, line: number): Read<RawTransaction> {
  const found = statementLine.exec(first);
  if (!found) return { error: `${quote(first)} is not a statement line` };
  const [, valueDate = '', entry = '', mark = '', , amount = '', , rest = ''] = found;
  const value = readShortDay(valueDate);
  if ('error' in value) return value;
  const day = entryDay(value.value, entry.trim());
  if ('error' in day) return day;
  const cents = readCents(amount, currency, ',');
  if ('error' in cents) return cents;
  // A reversed debit is money in.
  const isOut = mark === 'D' || mark === 'RC';
  const text = tidy([rest.replace('//', ' '), ...more].join(' '), 2000);
  return {
    value: {
      line,
      day: day.value,
      cents: isOut ? 0 - cents.value : cents.value,
      currency,
      description: /^NONREF$/.test(text) ? '' : text,
    },
  };
}

/** The entry date has no year: it is the one nearest to the value date. */
function entryDay(valueDay: string, entry: string): Read<string> {
  if (entry === '') return { value: valueDay };
  const year = Number(valueDay.slice(0, 4));
  const [month, day] = [Number(entry.slice(0, 2)), Number(entry.slice(2))];
  const days = [year - 1, year, year + 1].map((one) => dayOf(one, month, day)).filter((one) => one !== undefined);
  const away = (one: string): number => Math.abs(Date.parse(one) - Date.parse(valueDay));
  const [nearest] = days.toSorted((a, b) => away(a) - away(b));
  return nearest === undefined ? { error: `${quote(entry)} is not an entry date MMDD` } : { value: nearest };
}

/** The purpose and the other party of a field 86, in the German, the Dutch or no structure. */
function describe(lines: readonly string[], fallback: string): Pick<RawTransaction, 'description' | 'counterparty'> {
  const text = lines.join('');
  const mark = /^\d{3}([?>+|])\d\d/.exec(text)?.[1];
  if (mark !== undefined) {
    const parts = text
      .split(mark)
      .slice(1)
      .map((part) => [Number(part.slice(0, 2)), part.slice(2)] as const);
    const join = (from: number, to: number): string =>
      parts
        .filter(([code]) => code >= from && code <= to)
        .map(([, value]) => value)
        .join('');
    const purpose = tidy(join(20, 29) + join(60, 63), 2000) || tidy(join(0, 0), 2000);
    return { description: purpose || fallback, counterparty: tidy(join(32, 33), 255) || undefined };
  }
  const name = /\/NAME\/([^/]{1,255})/.exec(text)?.[1];
  const purpose = /\/REMI\/(?:USTD\/\/)?([^/]{1,2000})/.exec(text)?.[1];
  const plain = tidy(lines.join(' '), 2000);
  return { description: tidy(purpose ?? '', 2000) || plain || fallback, counterparty: name && tidy(name, 255) };
}
