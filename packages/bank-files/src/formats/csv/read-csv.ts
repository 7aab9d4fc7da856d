import { parse } from '#csv-parse';
import {
  type CsvColumns,
  type DateFormat,
  type Guess,
  guessColumns,
  guessDateFormat,
  guessDecimal,
  parseDay,
  readDirection,
} from './guess.ts';
import { assertLines, decodeFile } from '../decode.ts';
import { BankFileError, quote } from '../../errors.ts';
import { MAX_ROWS, tooManyRows } from '../../external-ids.ts';
import { accountOf, emptyFile, type RawFile, type RawTransaction } from '../../statement.ts';
import { type Step, uncounted } from '../../step.ts';
import { type DecimalMark, type Read, readCents, readCurrency, tidy } from '../../values.ts';

/** How to read the CSV files of one bank: plain JSON, to be saved and used again. */
export interface CsvMapping {
  columns: CsvColumns;
  delimiter?: string;
  /** Number of the record with the headers, from 1: some banks write others before them. Empty lines do not count. */
  header_record?: number;
  date_format?: DateFormat;
  decimal?: DecimalMark;
  /** Set if the bank writes money out as positive. */
  inverted?: boolean;
  /** For files without a column for it. */
  currency?: string;
}

/** A file before it is mapped: the first rows, a guessed mapping, and the questions that the guess leaves open. */
export interface CsvPreview {
  headers: string[];
  rows: string[][];
  mapping: CsvMapping;
  /** What a person has to decide before the file can be read. */
  open: string[];
}

interface CsvRecord {
  line: number;
  cells: string[];
}

interface Table {
  headers: string[];
  records: CsvRecord[];
  delimiter: string;
  headerRecord: number;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SAMPLE = 500;
const MAX_HEADER_RECORD = 40;
const PREVIEW_LENGTH = 4_000_000;

export function previewCsv(bytes: Uint8Array, given: Partial<CsvMapping> = {}, step: Step = uncounted): CsvPreview {
  const table = readTable(decodeFile(bytes), given, step, SAMPLE + MAX_HEADER_RECORD);
  const { mapping, open } = completeMapping(table, given, step);
  return { headers: table.headers, rows: table.records.slice(0, 20).map(({ cells }) => cells), mapping, open };
}

/** Reads a CSV file by a mapping; what the mapping leaves out is guessed. */
export function parseCsv(text: string, step: Step, given: Partial<CsvMapping>): RawFile {
  const table = readTable(text, given, step);
  const { mapping, open } = completeMapping(table, given, step);
  if (open.length > 0) throw new BankFileError(`the mapping is not complete: ${open.join('; ')}`);
  const read = createReader(table.headers, mapping);
  const file = emptyFile();
  const days = new Map<string, { day: string; cents: number; currency: string; account: string }>();
  const isNewestFirst = startsNewest(table, mapping);
  for (const record of table.records) {
    step(sizeOf(record));
    const isCut =
      record === table.records.at(-1) && record.cells.length < table.headers.length && !/[\r\n]$/.test(text);
    const row = isCut ? { error: 'the file ends in the middle of it', column: 1 } : read(record);
    if ('error' in row) {
      file.problems.push({
        line: record.line,
        column: row.column,
        code: 'row',
        message: `the row is left out: ${row.error}`,
      });
      continue;
    }
    const { account, balance, ...transaction } = row.value;
    accountOf(file, account, transaction.currency).transactions.push(transaction);
    const key = `${account}\0${transaction.currency}\0${transaction.day}`;
    if (balance !== undefined && !(isNewestFirst && days.has(key))) {
      days.set(key, { day: transaction.day, cents: balance, currency: transaction.currency, account });
    }
  }
  for (const { account, currency, day, cents } of days.values()) {
    accountOf(file, account, currency).balances.push({ day, cents, currency });
  }
  return file;
}

function readTable(text: string, given: Partial<CsvMapping>, step: Step, limit?: number): Table {
  assertLines(text, step);
  const delimiter = given.delimiter ?? guessDelimiter(text);
  const all = readRecords(text, delimiter, step, limit);
  const at = given.header_record === undefined ? findHeader(all, step) : given.header_record - 1;
  const headers = all[at]?.cells.map((cell) => cell.trim()) ?? [];
  if (headers.length < 2) throw new BankFileError('the file has no line of column names');
  return { headers, records: all.slice(at + 1), delimiter, headerRecord: at + 1 };
}

/** Reads all records, or the first `limit`, for which only the beginning of a large file is read. */
function readRecords(text: string, delimiter: string, step: Step, limit?: number): CsvRecord[] {
  const ends = [0];
  const part = limit === undefined ? text : text.slice(0, PREVIEW_LENGTH);
  step(part.length);
  try {
    const records = parse(part, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      ...(limit !== undefined && { to: limit }),
      max_record_size: 1024 * 1024,
      on_record: (cells, { lines, records: count }) => {
        if (count > MAX_ROWS + MAX_HEADER_RECORD) throw tooManyRows(lines);
        ends.push(lines);
        return cells;
      },
    });
    return records.map((cells, i) => ({ line: (ends[i] ?? 0) + 1, cells }));
  } catch (error) {
    if (error instanceof BankFileError) throw error;
    // The part may end inside a quotation.
    if (part.length < text.length) return readRecords(text, delimiter, step);
    const { lines, column } = positionOf(error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new BankFileError(`not a CSV file: ${reason.slice(0, 200)}`, { line: lines, column });
  }
}

function positionOf(error: unknown): { lines: number; column: number } {
  const found = (name: string): number => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
    return typeof value === 'number' ? value : 1;
  };
  return { lines: found('lines'), column: found('column') };
}

function guessDelimiter(text: string): string {
  const sample = text.slice(0, 20_000).split('\n', 50).slice(0, 20);
  const count = (mark: string): number =>
    sample.reduce((sum, line) => sum + Math.min(line.split(mark).length - 1, 20), 0);
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

/** The first record that names a date and an amount; else the first of the longest. */
function findHeader(records: readonly CsvRecord[], step: Step): number {
  const first = records.slice(0, MAX_HEADER_RECORD);
  const named = first.findIndex(({ cells }) => {
    const { date, amount, debit, credit } = guessColumns(cells, step);
    return date !== undefined && (amount !== undefined || debit !== undefined || credit !== undefined);
  });
  const longest = Math.max(...first.map(({ cells }) => cells.length));
  return named === -1
    ? Math.max(
        0,
        first.findIndex(({ cells }) => cells.length === longest),
      )
    : named;
}

function completeMapping(
  table: Table,
  given: Partial<CsvMapping>,
  step: Step,
): { mapping: CsvMapping; open: string[] } {
  const { headers, records, delimiter, headerRecord } = table;
  const columns = { date: '', ...(given.columns ?? guessTypes(table, guessColumns(headers, step))) };
  const open = [columns.date, columns.amount, columns.debit, columns.credit, columns.balance, columns.currency]
    .filter((name) => name !== undefined && name !== '' && !headers.includes(name))
    .map((name) => `there is no column ${quote(name ?? '')}`);
  const sample = (name: string | undefined): string[] => {
    const at = name === undefined ? -1 : headers.indexOf(name);
    step(headers.length);
    return records.slice(0, SAMPLE).flatMap(({ cells }) => (at !== -1 && cells[at]?.trim() ? [cells[at].trim()] : []));
  };
  if (columns.date === '') open.push('which column has the date?');
  if (!columns.amount && !columns.debit && !columns.credit) open.push('which column has the amount?');
  const dates = guessDateFormat(sample(columns.date).filter((date) => /\d/.test(date)));
  const decimals = guessDecimal([columns.amount, columns.debit, columns.credit, columns.balance].flatMap(sample));
  if (columns.date && !given.date_format) open.push(...question('date_format', dates));
  if (!given.decimal && decimals) open.push(...question('decimal', decimals));
  const currency = given.currency ?? currencyIn(columns.amount);
  if (!columns.currency && !currency) open.push('which currency is it? The file does not say');
  const date_format = given.date_format ?? dates?.value;
  const guessed = {
    delimiter,
    header_record: headerRecord,
    ...(decimals?.alternatives.length === 0 ? { decimal: decimals.value } : {}),
    ...(date_format ? { date_format } : {}),
    ...(currency ? { currency } : {}),
  };
  return { mapping: { ...guessed, ...given, columns }, open };
}

/** A guessed column of debits and credits is one only if it says nothing else: some banks call other things a type. */
function guessTypes({ headers, records }: Table, columns: Partial<CsvColumns>): Partial<CsvColumns> {
  const { direction, ...others } = columns;
  const at = direction === undefined ? -1 : headers.indexOf(direction);
  const isOne =
    at !== -1 && records.slice(0, SAMPLE).every(({ cells }) => readDirection(cells[at] ?? '') !== undefined);
  return isOne ? columns : others;
}

/** The currency of a column like `Amount (EUR)`. */
function currencyIn(name: string | undefined): string | undefined {
  const code = /(?:^|[^A-Z])([A-Z]{3})(?:[^A-Z]|$)/.exec(name ?? '')?.[1];
  return code !== undefined && 'value' in readCurrency(code) ? code : undefined;
}

function question<T extends string>(name: string, guess: Guess<T> | undefined): string[] {
  if (guess === undefined) return [`${name}: the dates have no format that is known`];
  const { value, alternatives } = guess;
  return alternatives.length === 0 ? [] : [`${name} may be ${[value, ...alternatives].join(' or ')}`];
}

function startsNewest({ headers, records }: Table, { columns, date_format = 'YYYY-MM-DD' }: CsvMapping): boolean {
  const at = headers.indexOf(columns.date);
  const day = (record: CsvRecord | undefined): string => parseDay(record?.cells[at] ?? '', date_format) ?? '';
  return day(records[0]) > day(records.at(-1));
}

function sizeOf({ cells }: CsvRecord): number {
  return cells.reduce((sum, cell) => sum + cell.length + 1, 0);
}

type MappedRow = RawTransaction & { account: string; balance?: number | undefined };

function createReader(headers: readonly string[], mapping: CsvMapping) {
  const { columns, date_format = 'YYYY-MM-DD', decimal = '.', inverted = false } = mapping;
  const indexOf = (name: string | undefined): number => (name === undefined ? -1 : headers.indexOf(name));
  const at = Object.fromEntries(
    Object.entries(columns).map(([field, name]) => [field, [name].flat().map((one) => indexOf(String(one)))]),
  );
  return ({ line, cells }: CsvRecord): Read<MappedRow> & { column: number } => {
    const text = (field: keyof CsvColumns): string =>
      (at[field] ?? [])
        .map((i) => cells[i]?.trim() ?? '')
        .filter((cell) => cell !== '')
        .join(' ');
    const fail = (field: keyof CsvColumns, error: string) => ({ error, column: (at[field]?.[0] ?? 0) + 1 });
    const day = parseDay(text('date'), date_format);
    if (day === undefined) return fail('date', `${quote(text('date'))} is not a date ${date_format}`);
    const currency = readCurrency(text('currency') || (mapping.currency ?? ''));
    if ('error' in currency) return fail('currency', currency.error);
    const cents = readAmount(text, currency.value, decimal);
    if ('error' in cents) return fail(cents.field, cents.error);
    const balance = text('balance') === '' ? undefined : readCents(text('balance'), currency.value, decimal);
    if (balance && 'error' in balance) return fail('balance', balance.error);
    return {
      column: 1,
      value: {
        line,
        day,
        cents: inverted ? 0 - cents.value : cents.value,
        currency: currency.value,
        description: tidy(text('description'), 2000),
        counterparty: text('counterparty') || undefined,
        category: text('category') || undefined,
        reference: text('external_id') || undefined,
        account: text('account'),
        balance: balance?.value,
      },
    };
  };
}

/** The amount of its column, or credit minus debit, whichever sign the debit has. */
function readAmount(
  text: (field: keyof CsvColumns) => string,
  currency: string,
  decimal: DecimalMark,
): { value: number } | { error: string; field: keyof CsvColumns } {
  const single = text('amount');
  if (single !== '') {
    const cents = readCents(single, currency, decimal);
    if ('error' in cents || text('direction') === '') return { field: 'amount', ...cents };
    const direction = readDirection(text('direction'));
    if (direction === undefined) return { field: 'direction', error: `${quote(text('direction'))} is no direction` };
    return { value: direction * Math.abs(cents.value) };
  }
  const sides = (['credit', 'debit'] as const).map((field) => ({ field, text: text(field) }));
  let sum = 0;
  for (const side of sides) {
    if (side.text === '') continue;
    const cents = readCents(side.text, currency, decimal);
    if ('error' in cents) return { field: side.field, ...cents };
    sum += side.field === 'debit' ? 0 - Math.abs(cents.value) : cents.value;
  }
  return sides.every((side) => side.text === '') ? { field: 'amount', error: 'it has no amount' } : { value: sum };
}
