import type { Answers, CsvAnswers, CsvColumns, FileFormat } from '@finhook/bank-files';
import { normalizeCurrency } from '@finhook/contracts/currency';
import { plain } from '../clean-text.ts';
import { usageFailure } from './failure.ts';

export interface FileFlags {
  format?: FileFormat;
  encoding?: string;
  connection?: string[];
  source?: string;
  currency?: string;
  sign?: 'in' | 'out';
  acceptTotals?: boolean;
  keepSimilar?: boolean;
  map?: string[];
  dateFormat?: string;
  decimal?: '.' | ',';
  order?: 'newest-first' | 'oldest-first';
  word?: string[];
  delimiter?: string;
  /** False: no line with column names. */
  header?: boolean;
  headerLine?: number;
  inverted?: boolean;
  /** False: no saved mapping is used or offered. */
  mapping?: string | false;
  readTimeout?: number;
}

export function answersOf(flags: FileFlags): Answers {
  const { format, encoding, connection, source, sign, acceptTotals, keepSimilar } = flags;
  const currency = flags.currency === undefined ? undefined : normalizeCurrency(flags.currency);
  if (flags.currency !== undefined && currency === undefined)
    throw usageFailure(`--currency ${flags.currency} is not a currency.`);
  return {
    ...(format && { format }),
    ...(encoding && { encoding }),
    ...(source && { source }),
    ...(currency && { currency }),
    ...(sign && { sign }),
    ...(connection && { connection: connectionsOf(connection) }),
    ...(acceptTotals !== undefined && { accept_totals: acceptTotals }),
    ...(keepSimilar !== undefined && { keep_similar: keepSimilar }),
  };
}

/** The only `--connection`, if it may also mean one of several accounts. */
export function labelOf({ connection = [] }: FileFlags): string | undefined {
  const [first, ...others] = connection;
  return others.length === 0 && first?.includes('=') ? first : undefined;
}

function connectionsOf(given: readonly string[]): string | Record<string, string> {
  const [first = ''] = given;
  if (given.length === 1 && !first.includes('=')) return first;
  return Object.fromEntries(
    given.map((each): [string, string] => {
      const at = each.lastIndexOf('=');
      if (at === -1 || at === each.length - 1)
        throw usageFailure(`--connection ${each} is not ACCOUNT=ID or ACCOUNT/CUR=ID, which several have to be.`);
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
}

export function mappingOf(flags: FileFlags, known: readonly string[]): CsvAnswers {
  const { dateFormat, decimal, order, word, delimiter, header, headerLine, inverted } = flags;
  const date_format = known.find((each) => each.toUpperCase() === dateFormat?.toUpperCase());
  if (dateFormat !== undefined && date_format === undefined)
    throw usageFailure(`--date-format ${dateFormat} is none of ${known.join(', ')}.`);
  if (headerLine !== undefined && !(Number.isInteger(headerLine) && headerLine > 0))
    throw usageFailure('--header-line is not the number of a row. --no-header reads a file without names of columns.');
  return asMapping({
    ...(date_format && { date_format }),
    ...(decimal && { decimal }),
    ...(order && { order }),
    ...(word && { words: wordsOf(word) }),
    ...(delimiter && { delimiter: delimiter === '\\t' ? '\t' : delimiter }),
    ...(headerLine && { header_record: headerLine }),
    ...(header === false && { header_record: 0 }),
    ...(inverted !== undefined && { inverted }),
  });
}

const meanings = ['in', 'out', 'booked', 'unbooked'] as const;

function wordsOf(given: readonly string[]): NonNullable<CsvAnswers['words']> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.lastIndexOf('=');
      const meaning = meanings.find((one) => one === each.slice(at + 1));
      if (at < 1 || meaning === undefined) throw usageFailure(`--word ${each} is not WORD=${meanings.join('|')}.`);
      return [each.slice(0, at), meaning];
    }),
  );
}

function asMapping(part: object): CsvAnswers {
  return part;
}

/** Columns of `--map`. A repeated field has both columns; `field=` has none. */
export function columnsOf(
  given: readonly string[],
  { headers, fields }: { headers: readonly string[]; fields: readonly string[] },
): Partial<CsvColumns> {
  const chosen = new Map<string, string[]>();
  for (const text of given) {
    const at = text.indexOf('=');
    const field = fields.find((each) => each === text.slice(0, at).trim());
    if (field === undefined) throw usageFailure(`--map ${text} is not field=column. The fields: ${fields.join(', ')}.`);
    const column = text.slice(at + 1).trim();
    const isNumber = /^\d+$/.test(column) && Number(column) >= 1 && Number(column) <= headers.length;
    if (column !== '' && !headers.includes(column) && !isNumber)
      throw usageFailure(`--map ${text}: there is no such column. The file has: ${plain(headers.join(', '))}.`);
    chosen.set(field, [...(chosen.get(field) ?? []), ...(column === '' ? [] : [column])]);
  }
  const isOne = (chosen.get('amount') ?? []).length > 0;
  const isTwo = chosen.has('debit') || chosen.has('credit');
  for (const field of isOne ? ['debit', 'credit'] : isTwo ? ['amount', 'direction'] : []) {
    if (!chosen.has(field)) chosen.set(field, []);
  }
  return asColumns([...chosen]);
}

export function mergeColumns(saved: CsvColumns, given: Partial<CsvColumns>, fields: readonly string[]): CsvColumns {
  const taken = new Set(Object.values(given).flat());
  const [before, instead] = [new Map(Object.entries(saved)), new Map(Object.entries(given))];
  const merged = asColumns(
    fields.map((field) => [
      field,
      [instead.get(field) ?? namesOf(before.get(field)).filter((name) => !taken.has(name))].flat(),
    ]),
  );
  return { date: '', ...merged };
}

function namesOf(names: unknown): string[] {
  return [names].flat().filter((name) => typeof name === 'string');
}

// Keys are fields; the reader requires a date.
function asColumns(columns: ReadonlyArray<readonly [field: string, names: readonly string[]]>): Partial<CsvColumns> {
  return Object.fromEntries(columns.map(([field, names]) => [field, names.length > 1 ? names : (names[0] ?? '')]));
}
