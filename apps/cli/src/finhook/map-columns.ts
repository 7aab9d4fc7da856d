import type { BankFile, CsvMapping, CsvPreview, Question } from '@finhook/bank-files';
import { plain } from '../clean-text.ts';
import { readMappings, type SavedMapping, saveMapping } from './csv-mappings.ts';
import { Failure, usageFailure } from './failure.ts';
import type { FileFlags } from './ingest.ts';
import { linesOf, type Output } from './output.ts';
import type { Session } from './session.ts';

type Columns = CsvMapping['columns'];
type Field = keyof Columns;

const fields: readonly Field[] = [
  'date',
  'amount',
  'debit',
  'credit',
  'direction',
  'description',
  'counterparty',
  'category',
  'external_id',
  'currency',
  'balance',
  'account',
];
const dateFormats = ['YYYY-MM-DD', 'YYYYMMDD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD/MM/YY', 'MM/DD/YY'] as const;

/** The mapping of a CSV file: from the flags, then from a saved one, then guessed. Shows it, and what is left open. */
export async function mapColumns(
  read: (mapping: Partial<CsvMapping>) => Promise<BankFile>,
  flags: FileFlags,
  session: Session,
): Promise<CsvMapping> {
  const { env, output } = session;
  const previewOf = async (mapping: Partial<CsvMapping>) => previewIn(await read(mapping));
  const own = readFlags(flags);
  const saved = readMappings(env);
  const named = flags.mapping === undefined ? undefined : saved.get(flags.mapping);
  const guess = await previewOf({ ...withoutColumns(named), ...own });
  const { headers } = guess;
  const [name, used] = named ? [flags.mapping, named] : (withHeaders(saved, headers) ?? []);
  if (used) output.say(`Columns as in the saved mapping ${name}.`);
  const columns = changeColumns(used?.mapping.columns ?? guess.mapping.columns, flags.map ?? [], headers);
  const preview = await previewOf({ ...used?.mapping, ...own, columns });
  show(preview, output);
  assertComplete(preview);
  const { header_record: _guess, ...mapping } = preview.mapping;
  const header_record = flags.headerLine ?? used?.mapping.header_record;
  const kept = { ...mapping, ...(header_record === undefined ? {} : { header_record }) };
  if (flags.mapping !== undefined) {
    saveMapping(env, flags.mapping, { headers, mapping: kept });
    output.say(`Saved as the mapping ${flags.mapping}. Files with the same columns use it by themselves.`);
  }
  return preview.mapping;
}

function withoutColumns(saved: SavedMapping | undefined): Partial<CsvMapping> {
  const { columns: _columns, ...rest } = saved?.mapping ?? { columns: undefined };
  return rest;
}

function withHeaders(saved: ReadonlyMap<string, SavedMapping>, headers: readonly string[]) {
  const text = JSON.stringify(headers);
  return [...saved].find(([, each]) => JSON.stringify(each.headers) === text);
}

function readFlags({ currency, dateFormat, decimal, delimiter, headerLine, inverted }: FileFlags): Partial<CsvMapping> {
  const date_format = dateFormats.find((each) => each === dateFormat?.toUpperCase());
  if (dateFormat !== undefined && date_format === undefined)
    throw usageFailure(`--date-format ${dateFormat} is none of ${dateFormats.join(', ')}.`);
  if (headerLine !== undefined && !(Number.isInteger(headerLine) && headerLine > 0))
    throw usageFailure('--header-line is not the number of a row.');
  return {
    ...(currency ? { currency } : {}),
    ...(date_format ? { date_format } : {}),
    ...(decimal ? { decimal } : {}),
    ...(delimiter ? { delimiter: delimiter === '\\t' ? '\t' : delimiter } : {}),
    ...(headerLine ? { header_record: headerLine } : {}),
    ...(inverted ? { inverted } : {}),
  };
}

/** Applies `--map`. A field that is given twice, such as `description`, has both columns. */
function changeColumns(columns: Columns, given: readonly string[], headers: readonly string[]): Columns {
  const chosen = new Map<Field, string[]>();
  for (const text of given) {
    const at = text.indexOf('=');
    const field = fields.find((each) => each === text.slice(0, at).trim());
    if (field === undefined) throw usageFailure(`--map ${text} is not field=column. The fields: ${fields.join(', ')}.`);
    const column = text.slice(at + 1).trim();
    if (column !== '' && !headers.includes(column))
      throw usageFailure(`--map ${text}: there is no such column. The file has: ${plain(headers.join(', '))}.`);
    chosen.set(field, [...(chosen.get(field) ?? []), ...(column === '' ? [] : [column])]);
  }
  const taken = new Set([...chosen.values()].flat());
  // The amount is in one column or in two, whatever the guess was.
  const replaced: readonly Field[] = chosen.get('amount')?.length
    ? ['debit', 'credit']
    : chosen.has('debit') || chosen.has('credit')
      ? ['amount', 'direction']
      : [];
  const kept = fields.flatMap((field): [Field, string[]][] => {
    const names = [columns[field] ?? []].flat();
    return replaced.includes(field) || chosen.has(field) || names.some((name) => taken.has(name))
      ? []
      : [[field, names]];
  });
  const mapped = [...kept, ...chosen].filter(([, names]) => names.length > 0);
  return asColumns(Object.fromEntries(mapped.map(([field, names]) => [field, names.length > 1 ? names : names[0]])));
}

// Their keys are fields; the preview checks that there is a date.
function asColumns(columns: Record<string, unknown>): Columns {
  return { date: '', ...columns };
}

function show({ headers, mapping }: CsvPreview, { say }: Output): void {
  const { columns, delimiter = ',', header_record = 1, date_format = 'unknown', decimal = '.', inverted } = mapping;
  const money = `decimal mark ${decimal}${inverted ? ', money out is positive' : ''}`;
  const notes = { date: date_format, amount: money, debit: money, credit: money };
  const used = Object.entries(columns).flatMap(([field, column]) => {
    const names = [column].flat().filter((name) => name !== '');
    const note: unknown = Reflect.get(notes, field);
    return names.length === 0 ? [] : [{ field, column: names.join(' + '), read_as: note ?? '' }];
  });
  say(`CSV with ${JSON.stringify(delimiter)} between ${headers.length} columns; row ${header_record} has their names:`);
  for (const line of linesOf({ data: used }, 100)) say(`  ${line}`);
  const all = new Set(Object.values(columns).flat());
  const unused = headers.filter((header) => !all.has(header) && header !== '');
  if (unused.length > 0) say(`  Not used: ${plain(unused.join(', '))}`);
}

type OpenPreview = CsvPreview & { questions: readonly Question[] };

const columnQuestions = new Set(['column', 'date_format', 'decimal', 'currency']);

function previewIn({ csv, questions }: BankFile): OpenPreview {
  if (csv === null) throw new Failure('The file is no CSV file.');
  return { ...csv, questions: questions.filter(({ code }) => columnQuestions.has(code)) };
}

function assertComplete({ headers, rows, questions: open }: OpenPreview): void {
  if (open.length === 0) return;
  const questions = open.map(({ message, choices, flag }) => {
    const values = choices.length > 0 && flag.startsWith('--map') ? '' : choices.map(({ value }) => value).join(' or ');
    return `${plain(message)} ${plain(values)} (${flag})`;
  });
  const sample = rows.slice(0, 2).map((cells) => `  ${plain(cells.join(' | '))}`);
  const lines = [`  ${plain(headers.join(' | '))}`, ...sample];
  throw usageFailure(
    `The file leaves open how it is to be read:\n  ${questions.join('\n  ')}\nIts first lines:\n${lines.join('\n')}`,
  );
}
