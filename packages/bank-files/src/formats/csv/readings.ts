import { quote } from '../../errors.ts';
import {
  addStatement,
  type Choices,
  endsOfDays,
  newReading,
  type RawStatement,
  report,
  reportUnreadable,
} from '../../statement.ts';
import type { Step } from '../../step.ts';
import type { DecimalMark } from '../../values.ts';
import { parseDay } from './dates.ts';
import type { CsvMapping, CsvReading, DateFormat } from './mapping.ts';
import type { CsvRow } from './rows.ts';
import { endBalances, type Keyed, type Variant } from './variants.ts';

export interface ReadingPlan {
  keyed: Keyed;
  formats: readonly [DateFormat, ...DateFormat[]];
  decimals: readonly [DecimalMark, ...DecimalMark[]];
  mapping: CsvMapping;
  examples: Examples;
}

interface Chosen {
  variant: Variant;
  format: DateFormat;
  all: readonly Variant[];
}

export function readingOf(plan: ReadingPlan, chosen: Chosen, step: Step): CsvReading {
  const { keyed, mapping } = plan;
  const { variant, format } = chosen;
  const { rows } = keyed.rows;
  const reading = newReading(choicesOf(plan, chosen));
  reading.problems.push(...keyed.rows.problems);
  if (variant.rule.needsProof) reading.needsProof = true;
  const statements = new Map<string, RawStatement>();
  step(rows.length);
  for (const n of rows.keys()) {
    const i = variant.order === 'newest-first' ? rows.length - 1 - n : n;
    const row = rows[i];
    if (row === undefined) continue;
    const key = keyed.keys[i] ?? '';
    const start = { line: row.line, account: row.account, currency: keyed.currencies[i] ?? '' };
    const statement = statements.get(key) ?? addStatement(reading, start);
    statements.set(key, statement);
    addRow(
      reading,
      { statement, row, day: parseDay(row.date, format), amount: variant.amounts[i] ?? { error: '' } },
      format,
    );
  }
  for (const statement of statements.values()) {
    statement.ends = endsOfDays(statement.rows);
    // The row may belong to any of the accounts.
    statement.unread ??= keyed.rows.unread;
  }
  addEnds(plan, variant, [...statements.values()]);
  return { ...reading, mapping: readMapping(mapping, { variant, format }) };
}

interface ReadRow {
  statement: RawStatement;
  row: CsvRow;
  day: string | undefined;
  amount: Variant['amounts'][number];
}

function addRow(reading: CsvReading, { statement, row, day, amount }: ReadRow, format: DateFormat): void {
  const { line, description, counterparty, category, reference } = row;
  if (day === undefined || 'error' in amount) {
    const reason =
      'error' in amount
        ? amount.error
        : row.date === ''
          ? 'it has no date'
          : `${quote(row.date)} is not a date ${format}`;
    reportUnreadable(reading, statement, { line }, `the row is left out: ${reason}`);
    return;
  }
  const { cents, balance, balanceError } = amount;
  if (balanceError !== undefined) report(reading, { line }, 'balance', `the balance is left out: ${balanceError}`);
  const { currency } = statement;
  statement.rows.push({ line, day, cents, currency, description, counterparty, category, reference, balance });
}

function addEnds({ keyed }: ReadingPlan, { decimal, order }: Variant, [statement, ...others]: RawStatement[]): void {
  if (statement === undefined || others.length > 0) return;
  const { opening, closing } = endBalances(keyed, decimal, order);
  const { currency, rows } = statement;
  const [first, last] = [rows[0], rows.at(-1)];
  if (opening && first) statement.opening = { line: opening.line, day: first.day, cents: opening.cents, currency };
  if (closing && last) statement.closing = { line: closing.line, day: last.day, cents: closing.cents, currency };
}

function readMapping(mapping: CsvMapping, { variant, format }: Pick<Chosen, 'variant' | 'format'>): CsvMapping {
  const { fee, ...columns } = mapping.columns;
  return {
    ...mapping,
    date_format: format,
    ...(variant.rule.isInverted ? { inverted: true } : {}),
    columns: variant.takesFee && fee !== undefined ? { ...columns, fee } : columns,
  };
}

/** Values of the file that illustrate the choices. */
export interface Examples {
  date: string;
  amount?: string;
  unsigned?: string;
  /** Signs differ from debit and credit words or columns. */
  isContradicted: boolean;
}

export function examplesOf(
  { rows: { rows }, isUnsigned }: Keyed,
  formats: readonly DateFormat[],
  step: Step,
): Examples {
  step(rows.length * formats.length);
  const date = rows.find((row) => new Set(formats.map((format) => parseDay(row.date, format))).size > 1)?.date ?? '';
  const amount = rows.flatMap(({ parts }) => parts[0]?.amount.digits ?? []).find((digits) => /[.,]/.test(digits));
  const row = rows.find(({ parts }) => parts.some((part) => isUnsigned(part) && !part.amount.isNegative));
  return {
    date,
    isContradicted: rows.some(({ parts }) => parts.some((part) => part.side !== 0 && isUnsigned(part))),
    ...(amount === undefined ? {} : { amount }),
    ...(row ? { unsigned: `${row.parts[0]?.amount.digits ?? ''} ${row.description}`.trim().slice(0, 60) } : {}),
  };
}

const unsignedLabels = { in: 'Money in', out: 'Money out' };
const contradictedLabels = {
  in: 'The sign decides',
  out: 'The word or column for debit and credit decides, and a minus reverses it',
};

function choicesOf({ formats, decimals, examples }: ReadingPlan, { variant, format, all }: Chosen): Choices {
  const choices: Choices = {};
  if (formats.length > 1) {
    const { date } = examples;
    choices.date_format = { value: format, label: format, example: `${date} is ${parseDay(date, format)}` };
  }
  if (decimals.length > 1) {
    const label = variant.decimal === '.' ? 'The point' : 'The comma';
    choices.decimal = { value: variant.decimal, label, ...(examples.amount ? { example: examples.amount } : {}) };
  }
  if (new Set(all.map(({ sign }) => sign)).size > 1) {
    const labels = examples.isContradicted ? contradictedLabels : unsignedLabels;
    const label = labels[variant.sign];
    choices.sign = { value: variant.sign, label, ...(examples.unsigned ? { example: examples.unsigned } : {}) };
  }
  if (new Set(all.map(({ order }) => order)).size > 1) {
    const { order } = variant;
    choices.order = { value: order, label: order === 'newest-first' ? 'The first' : 'The last' };
  }
  return choices;
}
