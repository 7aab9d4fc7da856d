import { BankFileError } from '../../errors.ts';
import type { Step } from '../../step.ts';
import { assertLines } from '../decode.ts';
import { parseAmount } from './amounts.ts';
import { looksLikeDate } from './dates.ts';
import type { CsvAnswers } from './mapping.ts';
import { fieldsOf } from './names.ts';
import { type CsvRecord, guessDelimiter, MAX_HEADER_RECORD, splitRecords } from './split.ts';

export interface Table {
  /** As written; column numbers if there are none. */
  headers: string[];
  records: CsvRecord[];
  preamble: CsvRecord[];
  delimiter: string;
  headerRecord: number;
  /** True if the last record ends with a newline. */
  isComplete: boolean;
}

/** Finds the delimiter and the headers, unless given. @throws {BankFileError} for a text without columns */
export function readTable(text: string, given: CsvAnswers, step: Step): Table {
  assertLines(text, step);
  const delimiter = given.delimiter || guessDelimiter(text, step);
  const all = splitRecords(text, delimiter, step);
  const headerRecord = given.header_record ?? findHeader(all, step);
  const records = all.slice(headerRecord);
  const width = records.slice(0, MAX_HEADER_RECORD).reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const headers =
    headerRecord === 0
      ? Array.from({ length: width }, (_, i) => String(i + 1))
      : (all[headerRecord - 1]?.cells.map((cell) => cell.trim()) ?? []);
  if (headers.length < 2) throw new BankFileError('the file has no line of column names');
  return {
    headers,
    records,
    preamble: all.slice(0, Math.max(0, headerRecord - 1)),
    delimiter,
    headerRecord,
    isComplete: /[\r\n]$/.test(text),
  };
}

/** The first record that names a date and an amount, else the one before the first with both, else 0. */
function findHeader(records: readonly CsvRecord[], step: Step): number {
  const first = records.slice(0, MAX_HEADER_RECORD);
  const named = first.findIndex(({ cells }) => {
    const fields = new Set(cells.flatMap((cell) => fieldsIn(cell, step)));
    return fields.has('date') && (fields.has('amount') || fields.has('debit') || fields.has('credit'));
  });
  if (named !== -1) return named + 1;
  const row = first.findIndex((record) => isRow(record, step));
  const before = first[row - 1];
  if (row !== -1) return before !== undefined && before.cells.length === first[row]?.cells.length ? row : 0;
  const longest = Math.max(...first.map(({ cells }) => cells.length));
  return (
    Math.max(
      0,
      first.findIndex(({ cells }) => cells.length === longest),
    ) + 1
  );
}

function fieldsIn(cell: string, step: Step): string[] {
  step(cell.length + 1);
  return fieldsOf(cell).map(({ field }) => field);
}

function isRow({ cells }: CsvRecord, step: Step): boolean {
  const texts = cells.map((cell) => cell.trim());
  step(cells.reduce((sum, cell) => sum + 2 * cell.length + 1, 0));
  const date = texts.findIndex(looksLikeDate);
  return date !== -1 && texts.some((text, i) => i !== date && /\d/.test(text) && parseAmount(text) !== undefined);
}

export function isBlank({ cells }: CsvRecord): boolean {
  return cells.every((cell) => cell.trim() === '');
}

export function sizeOf({ cells }: CsvRecord): number {
  return cells.reduce((sum, cell) => sum + cell.length + 1, 0);
}
