import { parse } from '#csv-parse';
import { BankFileError, quote } from '../../errors.ts';
import { MAX_ROWS, tooManyRows } from '../../limits.ts';
import { askChoice, type Question } from '../../questions.ts';
import { addStatement, endsOfDays, newReading, type RawTransaction } from '../../statement.ts';
import type { Step } from '../../step.ts';
import { type DecimalMark, type Read, readCents, readCurrency, tidy } from '../../values.ts';
import { assertLines } from '../decode.ts';
import type { Reader } from '../reader.ts';
import { type Guess, guessColumns, guessDateFormat, guessDecimal, parseDay, readDirection } from './guess.ts';
import type { CsvAnswers, CsvColumns, CsvMapping, CsvReading } from './mapping.ts';

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
const PREVIEW_ROWS = 20;

/** Reads a CSV file by the mapping of the answers; what it leaves out is guessed, or asked. */
export const readCsv: Reader = (text, { answers: { csv = {}, currency } }, step) => {
  const given = { ...(currency === undefined ? {} : { currency }), ...csv };
  const table = readTable(text, given, step);
  const { mapping, questions } = completeMapping(table, given, step);
  const rows = table.records.slice(0, PREVIEW_ROWS).map(({ cells }) => cells);
  return {
    csv: { headers: table.headers, rows, mapping },
    questions,
    readings: questions.length > 0 ? [] : readingsOf(text, table, mapping, step),
  };
};

/** The rows in both orders, if the order decides about the balance at the end of a day. */
function readingsOf(text: string, table: Table, mapping: CsvMapping, step: Step): CsvReading[] {
  const orders = startsNewest(table, mapping)
    ? (['newest-first', 'oldest-first'] as const)
    : (['oldest-first', 'newest-first'] as const);
  return (mapping.columns.balance === undefined ? orders.slice(0, 1) : orders).map((order) =>
    readRows(text, table, { mapping, order }, step),
  );
}

type Order = 'newest-first' | 'oldest-first';

function readRows(
  text: string,
  { headers, records }: Table,
  { mapping, order }: { mapping: CsvMapping; order: Order },
  step: Step,
): CsvReading {
  const reading = newReading({ order: { value: order, label: order === 'newest-first' ? 'The first' : 'The last' } });
  const read = createReader(headers, mapping);
  const statements = new Map<string, ReturnType<typeof addStatement>>();
  const statementOf = (account: string, currency: string, line: number) => {
    const key = `${account}\0${currency}`;
    const statement = statements.get(key) ?? addStatement(reading, { line, account, currency });
    statements.set(key, statement);
    return statement;
  };
  const last = records.at(-1);
  for (const record of order === 'newest-first' ? records.toReversed() : records) {
    step(sizeOf(record));
    const isCut = record === last && record.cells.length < headers.length && !/[\r\n]$/.test(text);
    const row = isCut ? { error: 'the file ends in the middle of it', column: 1 } : read(record);
    const { line } = record;
    if ('error' in row) {
      const message = `the row is left out: ${row.error}`;
      reading.problems.push({ line, column: row.column, code: 'row', message });
      continue;
    }
    const { account, ...transaction } = row.value;
    statementOf(account, transaction.currency, line).rows.push(transaction);
  }
  for (const statement of statements.values()) statement.ends = endsOfDays(statement.rows);
  return { ...reading, mapping };
}

function readTable(text: string, given: CsvAnswers, step: Step): Table {
  assertLines(text, step);
  const delimiter = given.delimiter ?? guessDelimiter(text);
  const all = readRecords(text, delimiter, step);
  const at = given.header_record === undefined ? findHeader(all, step) : given.header_record - 1;
  const headers = all[at]?.cells.map((cell) => cell.trim()) ?? [];
  if (headers.length < 2) throw new BankFileError('the file has no line of column names');
  return { headers, records: all.slice(at + 1), delimiter, headerRecord: at + 1 };
}

function readRecords(text: string, delimiter: string, step: Step): CsvRecord[] {
  const ends = [0];
  step(text.length);
  try {
    const records = parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
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

function completeMapping(table: Table, given: CsvAnswers, step: Step): { mapping: CsvMapping; questions: Question[] } {
  const { headers, records, delimiter, headerRecord } = table;
  const columns = { date: '', ...guessTypes(table, guessColumns(headers, step)), ...given.columns };
  const questions = (['date', 'amount', 'debit', 'credit', 'balance', 'currency'] as const)
    .filter((field) => columns[field] && !headers.includes(columns[field]))
    .map((field) => askColumn(field, headers, `There is no column ${quote(columns[field] ?? '')}. `));
  const sample = (name: string | undefined): string[] => {
    const at = name === undefined ? -1 : headers.indexOf(name);
    step(headers.length);
    return records.slice(0, SAMPLE).flatMap(({ cells }) => (at !== -1 && cells[at]?.trim() ? [cells[at].trim()] : []));
  };
  if (columns.date === '') questions.push(askColumn('date', headers));
  if (!columns.amount && !columns.debit && !columns.credit) questions.push(askColumn('amount', headers));
  const dates = sample(columns.date).filter((date) => /\d/.test(date));
  const formats = guessDateFormat(dates);
  const decimals = guessDecimal([columns.amount, columns.debit, columns.credit, columns.balance].flatMap(sample));
  if (columns.date && !given.date_format && formats?.alternatives.length !== 0) {
    questions.push(askChoice('date_format', choicesOf(formats, dates[0])));
  }
  if (!given.decimal && decimals && decimals.alternatives.length > 0) {
    questions.push(askChoice('decimal', choicesOf(decimals)));
  }
  const currency = given.currency ?? currencyIn(columns.amount);
  if (!columns.currency && !currency) {
    const message = 'The file names no currency. Which is it?';
    questions.push({ code: 'currency', message, choices: [], flag: '--currency CODE' });
  }
  const date_format = given.date_format ?? formats?.value;
  const guessed = {
    delimiter,
    header_record: headerRecord,
    ...(decimals?.alternatives.length === 0 ? { decimal: decimals.value } : {}),
    ...(date_format ? { date_format } : {}),
    ...(currency ? { currency } : {}),
  };
  return { mapping: { ...guessed, ...given, columns }, questions };
}

function askColumn(field: keyof CsvColumns, headers: readonly string[], reason = ''): Question {
  return {
    code: 'column',
    about: field,
    message: `${reason}Which column has the ${field}?`,
    choices: headers.map((name) => ({ value: name, label: name })),
    flag: `--map ${field}=COLUMN`,
  };
}

function choicesOf<T extends string>(guess: Guess<T> | undefined, example?: string) {
  const values = guess === undefined ? [] : [guess.value, ...guess.alternatives];
  return values.map((value) => ({ value, label: value, ...(example === undefined ? {} : { example }) }));
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

function startsNewest({ headers, records }: Table, { columns, date_format = 'YYYY-MM-DD' }: CsvMapping): boolean {
  const at = headers.indexOf(columns.date);
  const day = (record: CsvRecord | undefined): string => parseDay(record?.cells[at] ?? '', date_format) ?? '';
  return day(records[0]) > day(records.at(-1));
}

function sizeOf({ cells }: CsvRecord): number {
  return cells.reduce((sum, cell) => sum + cell.length + 1, 0);
}

type MappedRow = RawTransaction & { account: string };

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
