import { BankFileError, quote } from '../errors.ts';
import type { Step } from '../step.ts';

export interface BaiRecord {
  code: string;
  line: number;
  /** Fields after the code, including those of continuations (88). Text is in `text`. */
  fields: string[];
  text: string[];
  count: number;
}

/** @throws {BankFileError} for an invalid line, or a truncated file */
export function recordsOf(text: string, step: Step): BaiRecord[] {
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
    else records.push(append({ code, line: i + 1, fields: [], text: [], count: 0 }, rest));
  });
  const last = records.at(-1);
  if (records[0]?.code !== '01') throw new BankFileError('the file does not begin with a record 01');
  if (last?.code !== '99') {
    throw new BankFileError('the file has no record 99 at its end: it is truncated', {
      line: last?.line ?? 1,
      column: 1,
    });
  }
  return records;
}

/** Text may contain commas and slashes, so its lines are kept. */
function append(record: BaiRecord, rest: string): BaiRecord {
  record.count += 1;
  if (record.code === '16' && record.fields.length > 0) record.text.push(rest);
  else for (const field of rest.replace(/\/$/, '').split(',')) record.fields.push(field);
  return record;
}

/** Number of fields of the funds type at an index: V has a date and a time, S three amounts, D pairs after a count. */
export function fundsLength(fields: readonly string[], at: number, line: number): number {
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

export interface Summary {
  type: string;
  /** In minor units; empty if absent. */
  amount: string;
}

export function summariesOf({ fields, line }: BaiRecord, step: Step): Summary[] {
  const summaries: Summary[] = [];
  for (let i = 2; i < fields.length; ) {
    step(1);
    const [type = '', amount = ''] = fields.slice(i, i + 2);
    // Some banks end a record with a comma before a continuation.
    if (type.trim() === '') i += 1;
    else {
      summaries.push({ type, amount });
      i += 3 + fundsLength(fields, i + 3, line);
    }
  }
  return summaries;
}
