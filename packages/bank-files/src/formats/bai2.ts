import { BankFileError, quote } from '../errors.ts';
import {
  addStatement,
  newReading,
  type RawBalance,
  type RawStatement,
  type Reading,
  report,
  reportUnreadable,
} from '../statement.ts';
import { type Read, readCurrency, readShortDay, readUnits, toSingleLine } from '../values.ts';
import { type BaiRecord, fundsLength, recordsOf, type Summary, summariesOf } from './bai2-records.ts';
import { ControlTotals } from './bai2-totals.ts';
import { assertLines } from './decode.ts';
import type { Reader } from './reader.ts';

interface Group {
  day: string;
  currency: string;
  /** False for a test, a deletion and an interim report. */
  isStored: boolean;
}

/** Summary codes of the closing and opening ledger balance. */
const [CLOSING, OPENING] = ['015', '010'];

/** Reads BAI2: amounts are in minor units, type codes have the direction. No parser on npm is maintained. */
export const readBai2: Reader = (text, { answers }, step) => {
  assertLines(text, step);
  const reading = newReading();
  const totals = new ControlTotals(reading);
  let group: Group | undefined;
  let account: OpenAccount | undefined;
  for (const record of recordsOf(text, step)) {
    const { code, fields, line } = record;
    step(1 + fields.length + record.text.length);
    if (/^(?:02|03|49|98|99)$/.test(code)) {
      if (account) close(account);
      account = undefined;
    }
    if (code === '02') group = readGroup(reading, record, answers.currency ?? 'USD');
    if (code === '03' && !group) {
      throw new BankFileError('an account (03) stands before its group (02)', { line, column: 1 });
    }
    const summaries = code === '03' ? summariesOf(record, step) : [];
    totals.add(record, code === '16' ? [fields[1] ?? ''] : summaries.map(({ amount }) => amount));
    if (code === '03' && group?.isStored === true) account = readAccount(reading, record, summaries, group);
    if (code === '16' && account) readTransaction(reading, record, account);
  }
  return { readings: [reading], questions: [] };
};

const statuses: Readonly<Record<string, string>> = {
  '2': 'its status is 2, deletion: what was stored from the report that it deletes stays',
  '4': 'its status is 4, a test',
};
const modifiers: Readonly<Record<string, string>> = {
  '1': 'it is an interim report of the previous day (1): the final one has the rows',
  '3': 'it is an interim report of the day (3): the final one has the rows',
};

function readGroup(reading: Reading, { fields, line }: BaiRecord, fallback: string): Group {
  const [, , status = '', date = '', , code, modifier = ''] = fields.map((field) => field.trim());
  const day = readShortDay(date);
  if ('error' in day) throw new BankFileError(`the as-of date: ${day.error}`, { line, column: 1 });
  const currency = code ? readCurrency(code) : { value: fallback };
  if ('error' in currency) throw new BankFileError(currency.error, { line, column: 1 });
  if (status === '3') {
    const message =
      'the group is a correction (status 3): it replaces an earlier report, but stored rows are not replaced. ' +
      'Compare the day with the bank, and post the missing rows manually';
    throw new BankFileError(message, { line, column: 1 });
  }
  const reason = statuses[status] ?? modifiers[modifier];
  if (reason !== undefined) report(reading, { line }, 'unbooked', `the group is left out: ${reason}`);
  return { day: day.value, currency: currency.value, isStored: reason === undefined };
}

interface OpenAccount {
  statement: RawStatement;
  day: string;
  opening?: RawBalance;
}

function readAccount(
  reading: Reading,
  { fields, line }: BaiRecord,
  summaries: readonly Summary[],
  { day, currency: fallback }: Group,
): OpenAccount {
  const [account = '', code = ''] = fields;
  const currency = code.trim() ? readCurrency(code) : { value: fallback };
  if ('error' in currency) throw new BankFileError(currency.error, { line, column: 1 });
  const statement = addStatement(reading, {
    line,
    account: account.trim(),
    currency: currency.value,
    isOwnCurrency: true,
    period: day,
  });
  const open: OpenAccount = { statement, day };
  for (const { type, amount } of summaries) {
    if (amount === '' || (type !== CLOSING && type !== OPENING)) continue;
    const cents = readUnits(amount);
    if ('error' in cents) {
      const what = type === CLOSING ? 'closing' : 'opening';
      report(reading, { line }, 'balance', `the ${what} balance (${type}) is left out: ${cents.error}`);
      continue;
    }
    const balance: RawBalance = { line, day, cents: cents.value, currency: currency.value };
    if (type === OPENING) open.opening = balance;
    else statement.closing = balance;
  }
  if (statement.closing !== undefined) statement.ends.push(statement.closing);
  return open;
}

/** A summary report has balances but no rows, so the balances prove nothing. */
function close({ statement, opening }: OpenAccount): void {
  if (statement.rows.length > 0 || statement.unread !== undefined) statement.opening = opening;
}

function readTransaction(reading: Reading, { fields, text, line }: BaiRecord, { statement, day }: OpenAccount): void {
  const [type = '', amount = ''] = fields;
  const direction = directionOf(type);
  if (direction === 'none') {
    const message = `the record is left out: its code ${quote(type)} is information, not a transaction`;
    report(reading, { line }, 'unbooked', message);
    return;
  }
  const cents = signed(type, direction, amount);
  if ('error' in cents) {
    reportUnreadable(reading, statement, { line }, `the transaction is left out: ${cents.error}`);
    return;
  }
  const [bank = '', customer = '', ...own] = fields.slice(2 + fundsLength(fields, 2, line));
  const words = [own.join(','), ...text].map((part) => part.trim()).filter((part) => part !== '');
  statement.rows.push({
    line,
    day,
    cents: cents.value,
    currency: statement.currency,
    description: toSingleLine([...words, customer, bank].filter((part) => part !== '').join(' '), 2000),
  });
}

type Direction = 'credit' | 'debit' | 'none';

/** By the type code; loans have 7xx and banks' own codes 9xx. Undefined for an unknown code. */
function directionOf(type: string): Direction | undefined {
  const code = Number(type);
  if (!/^\d{3}$/.test(type) || code === 0) return undefined;
  if ((code >= 100 && code < 400) || (code >= 720 && code < 760) || (code >= 920 && code < 960)) return 'credit';
  if ((code >= 400 && code < 700) || (code >= 760 && code < 800) || code >= 960) return 'debit';
  // Balances and their parts, and 890, which has no amount.
  return code < 720 || code >= 890 ? 'none' : undefined;
}

function signed(type: string, direction: 'credit' | 'debit' | undefined, amount: string): Read<number> {
  if (direction === undefined) return { error: `its code ${quote(type)} is neither a credit nor a debit` };
  const cents = readUnits(amount);
  return 'value' in cents && direction === 'debit' ? { value: 0 - cents.value } : cents;
}
