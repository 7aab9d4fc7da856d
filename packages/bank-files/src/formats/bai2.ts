import { BankFileError, quote } from '../errors.ts';
import { addStatement, leaveOut, newReading, type RawStatement, type Reading } from '../statement.ts';
import type { Step } from '../step.ts';
import { type Read, readCurrency, readShortDay, readUnits, tidy } from '../values.ts';
import { assertLines } from './decode.ts';
import type { Reader } from './reader.ts';

interface BaiRecord {
  code: string;
  line: number;
  /** Its fields after the code, continued by records 88. Text that follows is in `text`. */
  fields: string[];
  text: string[];
}

interface Group {
  day: string;
  currency: string;
}

/** The summary codes of a closing and an opening ledger balance. */
const [CLOSING, OPENING] = ['015', '010'];

/**
 * Reads BAI2 cash reports: amounts are digits of minor units, and the code says their direction. No parser of BAI2 on
 * npm is maintained.
 */
export const readBai2: Reader = (text, { answers }, step) => {
  assertLines(text, step);
  const reading = newReading();
  const records = recordsOf(text, step);
  const last = records.at(-1);
  if (records[0]?.code !== '01') throw new BankFileError('the file does not begin with a record 01');
  if (last?.code !== '99') {
    throw new BankFileError('the file has no record 99 at its end: it is truncated', {
      line: last?.line ?? 1,
      column: 1,
    });
  }
  let group: Group | undefined;
  let account: OpenAccount | undefined;
  for (const record of records) {
    step(1 + record.fields.length + record.text.length);
    if (record.code === '02') group = readGroup(record, answers.currency ?? 'USD');
    if (record.code === '03') account = readAccount(reading, record, group, step);
    if (record.code === '16' && account) readTransaction(reading, record, account);
    if (record.code === '49' && account) {
      // Intraday reports have no rows, only balances: these prove nothing.
      const { statement, opening } = account;
      if (opening !== undefined && statement.rows.length > 0) {
        const { line, currency } = statement;
        statement.opening = { line, day: account.day, cents: opening, currency };
      }
      account = undefined;
    }
  }
  return { readings: [reading], questions: [] };
};

function recordsOf(text: string, step: Step): BaiRecord[] {
  const records: BaiRecord[] = [];
  text.split(/\r\n|\n|\r/).forEach((raw, i) => {
    step(raw.length + 1);
    const line = raw.trim();
    if (line === '') return;
    const [all, code = ''] = /^(\d\d),/.exec(line) ?? [];
    if (all === undefined)
      throw new BankFileError(`${quote(line)} is not a record of BAI2`, { line: i + 1, column: 1 });
    const rest = line.slice(all.length);
    const current = records.at(-1);
    if (code === '88' && current) append(current, rest);
    else records.push(append({ code, line: i + 1, fields: [], text: [] }, rest));
  });
  return records;
}

/** A transaction's text may have commas and slashes, so it keeps its lines beside the fields. */
function append(record: BaiRecord, rest: string): BaiRecord {
  if (record.code === '16' && record.fields.length > 0) record.text.push(rest);
  else for (const field of rest.replace(/\/$/, '').split(',')) record.fields.push(field);
  return record;
}

function readGroup({ fields, line }: BaiRecord, fallback: string): Group {
  const day = readShortDay(fields[3] ?? '');
  if ('error' in day) throw new BankFileError(`the as-of date: ${day.error}`, { line, column: 1 });
  const currency = fields[5] ? readCurrency(fields[5]) : { value: fallback };
  if ('error' in currency) throw new BankFileError(currency.error, { line, column: 1 });
  return { day: day.value, currency: currency.value };
}

interface OpenAccount {
  statement: RawStatement;
  day: string;
  opening?: number;
}

function readAccount(reading: Reading, { fields, line }: BaiRecord, group: Group | undefined, step: Step): OpenAccount {
  if (!group) throw new BankFileError('an account (03) stands before its group (02)', { line, column: 1 });
  const [account = '', code = '', ...summaries] = fields;
  const currency = code ? readCurrency(code) : { value: group.currency };
  if ('error' in currency) throw new BankFileError(currency.error, { line, column: 1 });
  const statement = addStatement(reading, {
    line,
    account: account.trim(),
    currency: currency.value,
    isOwnCurrency: true,
    period: group.day,
  });
  const open: OpenAccount = { statement, day: group.day };
  for (let i = 0; i < summaries.length; ) {
    step(1);
    const [type = '', amount = ''] = summaries.slice(i, i + 2);
    const cents = amount === '' ? undefined : readUnits(amount);
    if (cents && 'error' in cents)
      reading.problems.push({ line, column: 1, code: 'row', message: `${type}: ${cents.error}` });
    else if (cents && type === CLOSING)
      statement.closing = { line, day: group.day, cents: cents.value, currency: currency.value };
    else if (cents && type === OPENING) open.opening = cents.value;
    // Type, amount, count, kind of funds.
    i += 3 + fundsLength(summaries, i + 3, line);
  }
  if (statement.closing !== undefined) statement.ends.push(statement.closing);
  return open;
}

/** Number of fields of the kind of funds at an index: V has a date and a time, S three amounts, D pairs after a count. */
function fundsLength(fields: readonly string[], at: number, line: number): number {
  const kind = fields[at];
  if (kind === 'V') return 3;
  if (kind === 'S') return 4;
  if (kind !== 'D') return 1;
  const count = fields[at + 1] ?? '';
  if (!/^\d{1,3}$/.test(count)) {
    const message = `the funds of kind D have ${quote(count)} amounts, which is not a count from 0 to 999`;
    throw new BankFileError(message, { line, column: 1 });
  }
  return 2 + 2 * Number(count);
}

function readTransaction(reading: Reading, { fields, text, line }: BaiRecord, { statement, day }: OpenAccount): void {
  const [type = '', amount = ''] = fields;
  const cents = signed(type, amount);
  if ('error' in cents) {
    leaveOut(reading, statement, { line, column: 1, message: `the transaction is left out: ${cents.error}` });
    return;
  }
  const [bank = '', customer = '', ...own] = fields.slice(2 + fundsLength(fields, 2, line));
  const words = [own.join(','), ...text].map((part) => part.trim()).filter((part) => part !== '');
  statement.rows.push({
    line,
    day,
    cents: cents.value,
    currency: statement.currency,
    description: tidy([...words, customer, bank].filter((part) => part !== '').join(' '), 2000),
  });
}

/** Codes 100 to 399 are credits, 400 to 699 debits. */
function signed(type: string, amount: string): Read<number> {
  const code = Number(type);
  if (!/^\d{3}$/.test(type) || code < 100 || code > 699) {
    return { error: `its code ${quote(type)} is neither a credit (100 to 399) nor a debit (400 to 699)` };
  }
  const cents = readUnits(amount);
  return 'value' in cents && code >= 400 ? { value: 0 - cents.value } : cents;
}
