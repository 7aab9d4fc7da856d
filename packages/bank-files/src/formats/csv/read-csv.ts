import { type Answers, askFileCurrency, type Question, type ReadingContext } from '../../questions.ts';
import { newReading } from '../../statement.ts';
import type { Step } from '../../step.ts';
import type { Reader } from '../reader.ts';
import { type Amount, decimalMarks } from './amounts.ts';
import { type ColumnChoice, chooseColumns } from './columns.ts';
import { formatsOf, parseDay } from './dates.ts';
import {
  type CsvAnswers,
  type CsvMapping,
  type CsvReading,
  type DateFormat,
  dateFormats,
  type RowOrder,
} from './mapping.ts';
import { currencyIn, isNet } from './names.ts';
import { examplesOf, type ReadingPlan, readingOf } from './readings.ts';
import { type CsvRows, readRows } from './rows.ts';
import { unsignedIn } from './signs.ts';
import { readTable, type Table } from './table.ts';
import { findVariants, type Keyed, type Variant } from './variants.ts';

const PREVIEW_ROWS = 20;
const MAX_FORMATS = 4;

export const readCsv: Reader = (text, { answers: { csv = {}, currency, sign, connection }, context }, step) => {
  const given = { ...(currency === undefined ? {} : { currency }), ...csv };
  const table = readTable(text, given, step);
  const choice = withConnection(chooseColumns(table, given, step), connection);
  const mapping = mappingOf(table, choice, given);
  const csvPreview = {
    headers: table.headers,
    rows: table.records.slice(0, PREVIEW_ROWS).map(({ cells }) => cells),
    mapping,
  };
  const { date, amount, debit, credit } = choice.at;
  if (!date || !(amount ?? debit ?? credit)) return { csv: csvPreview, questions: choice.questions, readings: [] };
  const rows = readRows(table, choice, given, step);
  if (rows.rows.length === 0) {
    const empty: CsvReading = { ...newReading(), problems: rows.problems, mapping };
    return { csv: csvPreview, questions: choice.questions, readings: [empty] };
  }
  const isOpen = choice.questions.some(({ about }) => about === 'amount');
  const planned = planReadings(rows, { given, sign, context, mapping, isOpen }, step);
  return {
    csv: { ...csvPreview, mapping: planned.readings[0]?.mapping ?? mapping },
    questions: [...choice.questions, ...planned.questions],
    readings: planned.readings,
  };
};

/** One connection for the file: a column of accounts that is still a question doesn't split it. */
function withConnection(choice: ColumnChoice, connection: Answers['connection']): ColumnChoice {
  const isOpen = choice.questions.some(({ about }) => about === 'account');
  const { account: _, ...at } = choice.at;
  const isOne = typeof connection === 'string' || (connection !== undefined && Object.hasOwn(connection, ''));
  return isOpen && isOne ? { ...choice, at } : choice;
}

function mappingOf({ delimiter, headerRecord }: Table, { columns }: ColumnChoice, given: CsvAnswers): CsvMapping {
  const headers = [columns.amount, columns.debit, columns.credit, columns.balance];
  const currency = given.currency ?? headers.map(currencyIn).find((code) => code !== undefined);
  return { delimiter, header_record: headerRecord, ...given, ...(currency === undefined ? {} : { currency }), columns };
}

interface Input {
  given: CsvAnswers;
  sign: 'in' | 'out' | undefined;
  context: ReadingContext;
  mapping: CsvMapping;
  isOpen: boolean;
}

function planReadings(rows: CsvRows, input: Input, step: Step): { readings: CsvReading[]; questions: Question[] } {
  const { given, context, mapping } = input;
  const questions = askWords(rows);
  const currency = mapping.currency ?? onlyCurrency(rows, mapping);
  if (currency === undefined && rows.rows.some((row) => row.currency === undefined)) {
    questions.push(askFileCurrency(context));
  }
  const currencies = rows.rows.map((row) => row.currency ?? currency ?? context.baseCurrency ?? 'USD');
  const keyed: Keyed = {
    rows,
    currencies,
    keys: rows.rows.map(({ account }, i) => `${account}\0${currencies[i]}`),
    isUnsigned: unsignedIn(rows.rows),
  };
  const { formats, question } = dateFormatsOf(rows, input, step);
  if (question) questions.push(question);
  const decimals = given.decimal ? [given.decimal] : decimalMarks(amountsOf(rows), [...new Set(currencies)], step);
  const [decimal, ...otherDecimals] = decimals;
  const plan: ReadingPlan = {
    keyed,
    formats,
    decimals: decimal === undefined ? ['.'] : [decimal, ...otherDecimals],
    examples: examplesOf(keyed, formats, step),
    mapping: decimal !== undefined && otherDecimals.length === 0 ? { ...mapping, decimal } : mapping,
  };
  const variants = findVariants(keyed, { ...openOf(rows, plan, input), inverted: given.inverted }, step);
  const fees = new Set(variants.map(({ takesFee }) => takesFee));
  if (fees.size > 1) questions.push(askFee(mapping));
  const kept = fees.size > 1 ? variants.filter(({ takesFee }) => !takesFee) : variants;
  const readings = kept.flatMap((variant) =>
    formats.map((format) => readingOf(plan, { variant, format, all: kept }, step)),
  );
  return { readings, questions };
}

function openOf(
  { rows }: CsvRows,
  { keyed, formats, decimals }: ReadingPlan,
  { given, sign, mapping: { columns }, isOpen }: Input,
) {
  const [format] = formats;
  const isUnsigned = rows.some(({ parts }) => parts.some(keyed.isUnsigned));
  const hasBalance = rows.some(({ balance }) => balance !== undefined);
  const hasFee = rows.some(({ fee }) => fee !== undefined && /[1-9]/.test(fee.digits));
  const day = (i: number): string => parseDay(rows.at(i)?.date ?? '', format) ?? '';
  const [likely, other]: RowOrder[] =
    day(0) > day(-1) ? ['newest-first', 'oldest-first'] : ['oldest-first', 'newest-first'];
  const orders: RowOrder[] = given.order ? [given.order] : [likely, other].flatMap((order) => order ?? []);
  const signs: Array<Variant['sign']> = sign
    ? [sign]
    : given.inverted === true
      ? ['out']
      : isUnsigned
        ? ['in', 'out']
        : ['in'];
  return {
    decimals,
    datedOrder: orders.slice(0, 1),
    orders: hasBalance ? orders : orders.slice(0, 1),
    signs,
    fees: hasFee && !isNet(columns.amount ?? '') && !isOpen ? (given.columns?.fee ? [true] : [false, true]) : [false],
  };
}

function amountsOf({ rows, balances }: CsvRows): Amount[] {
  const ofRows = rows.flatMap(({ parts, fee, balance }) => [
    ...parts.map(({ amount }) => amount),
    ...[fee, balance].flatMap((amount) => amount ?? []),
  ]);
  return [...ofRows, ...balances.map(({ balance }) => balance)];
}

/** The currency code of the amounts, if there is only one. */
function onlyCurrency({ rows }: CsvRows, { columns }: CsvMapping): string | undefined {
  const [code, other] = new Set(rows.flatMap(({ currency }) => currency ?? []));
  return other === undefined && columns.currency === undefined ? code : undefined;
}

function dateFormatsOf(
  { rows }: CsvRows,
  { given, context }: Input,
  step: Step,
): { formats: readonly [DateFormat, ...DateFormat[]]; question?: Question } {
  if (given.date_format) return { formats: [given.date_format] };
  const dates = rows.flatMap(({ line, date }) => (/\d/.test(date) ? [{ line, text: date }] : []));
  const { possible, readable, doubtful } = formatsOf(dates, context.today, step);
  const [first, ...others] = possible;
  if (first !== undefined && dates.length > 0) return { formats: [first, ...others.slice(0, MAX_FORMATS - 1)] };
  const choices = (readable.length > 0 ? readable : dateFormats).map((value) => {
    const example = dates.find(({ text }) => parseDay(text, value) !== undefined)?.text;
    return {
      value,
      label: value,
      ...(example === undefined ? {} : { example: `${example} is ${parseDay(example, value)}` }),
    };
  });
  const reason = doubtful ?? dates[0];
  const message =
    reason === undefined
      ? ''
      : `Line ${reason.line} has the date ${JSON.stringify(reason.text.slice(0, 40))}, which no format explains. `;
  const question: Question = {
    code: 'date_format',
    message: `${message}Which format do the dates have?`,
    choices,
    flag: '--date-format FORMAT',
  };
  return { formats: [readable[0] ?? 'YYYY-MM-DD'], question };
}

function askFee({ columns: { fee = '' } }: CsvMapping): Question {
  return {
    code: 'column',
    about: 'fee',
    message: `Does the bank take the fee of the column ${JSON.stringify(fee)} from the account beside the amount?`,
    choices: [
      { value: fee, label: 'Yes, beside the amount' },
      { value: '', label: 'No, the amount contains it' },
    ],
    flag: '--map fee=COLUMN',
  };
}

const MAX_WORDS = 20;

function askWords({ unknown }: CsvRows): Question[] {
  return [...unknown].slice(0, MAX_WORDS).map(([word, kind]) => {
    const quoted = JSON.stringify(word.slice(0, 40));
    const { message, choices } = wordQuestions(quoted)[kind];
    const code = kind === 'direction' ? 'direction' : 'status';
    return { code, about: word, message, choices, flag: `--word WORD=${choices.map(({ value }) => value).join('|')}` };
  });
}

function wordQuestions(word: string) {
  return {
    direction: {
      message: `Is ${word} money in or money out?`,
      choices: [
        { value: 'in', label: 'Money in' },
        { value: 'out', label: 'Money out' },
      ],
    },
    status: {
      message: `Are rows with the status ${word} booked?`,
      choices: [
        { value: 'booked', label: 'Booked' },
        { value: 'unbooked', label: 'Not booked: leave the rows out' },
      ],
    },
    balance: {
      message: `Is ${word} a transaction?`,
      choices: [
        { value: 'booked', label: 'A transaction' },
        { value: 'unbooked', label: 'A balance, which is no transaction' },
      ],
    },
  };
}
