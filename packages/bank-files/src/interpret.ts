import { withCurrencyCodes } from './answer-question.ts';
import { type Connection, keyOf, nameConnections, noConnection } from './connections.ts';
import { BankFileError } from './errors.ts';
import type { CsvPreview } from './formats/csv/mapping.ts';
import { decodeFile } from './formats/decode.ts';
import type { ReaderInput } from './formats/reader.ts';
import { detectFormat, readers } from './formats/readers.ts';
import { type FilePart, unpackFile } from './formats/unpack.ts';
import { joinOverlaps } from './join-overlaps.ts';
import { endsOf, type PlacedBalance, uniqueStatements } from './join-statements.ts';
import { MAX_ROWS, tooManyRows } from './limits.ts';
import { type Decision, decide, totalsProblem } from './proof.ts';
import { type Answers, askChoice, askTotals, type Question, type ReadingContext } from './questions.ts';
import type {
  AccountKind,
  ChoiceCode,
  FileFormat,
  FileProblem,
  RawStatement,
  RawTransaction,
  Reading,
} from './statement.ts';
import { type Step, uncounted } from './step.ts';
import { createNoon, sha256, toSingleLine } from './values.ts';

export interface FileTransaction {
  line: number;
  file?: string;
  /** The bank's own id, unchanged. Without one, the service makes one. */
  external_id?: string;
  posted_at: string;
  amount_cents: number;
  currency: string;
  description: string;
  counterparty?: string;
  category?: string;
  connection_id: string | null;
  source: string;
}

export interface FileBalance {
  line: number;
  file?: string;
  as_of: string;
  balance_cents: number;
  currency: string;
  source: string;
  connection_id: string | null;
  /** For a card or loan, whose balance is owed. Default: a bank account; files don't distinguish escrow accounts. */
  account_type?: Exclude<AccountKind, 'depository'>;
}

export interface FileAccount {
  /** The bank's number; empty if the file has none. */
  account: string;
  currency: string;
  kind: AccountKind | null;
  connection_id: string | null;
  /** Other connections that may have rows of earlier imports. */
  former: readonly string[];
  transactions: FileTransaction[];
  balances: FileBalance[];
}

export interface BankFile {
  format: FileFormat;
  encoding: string;
  /** SHA-256 of the file's bytes, hexadecimal. */
  hash: string;
  /** Preliminary while questions are open. */
  accounts: FileAccount[];
  /** While any is open, nothing may be stored. */
  questions: Question[];
  problems: FileProblem[];
  /** CSV only. */
  csv: CsvPreview | null;
}

/**
 * @throws {BankFileError} for an unreadable file, with line and column; {AnswerError} for an answer that doesn't fit it
 */
export async function readBankFile(
  bytes: Uint8Array<ArrayBuffer>,
  given: Answers,
  context: ReadingContext,
  step: Step = uncounted,
): Promise<BankFile> {
  const answers = withCurrencyCodes(given);
  step(bytes.length);
  const { parts, problems: leftOut } = await unpackFile(bytes, step);
  const read = parts.map((part) => readNamed(part, { answers, context }, step));
  const joined = joinOverlaps(
    uniqueStatements(
      read.flatMap(({ statements }) => statements),
      step,
    ),
    step,
  );
  const { totals, conflicts: endConflicts } = accountsOf(joined.statements, step);
  const ended = new Set(endConflicts.map(keyOf));
  const conflicts = [...endConflicts, ...joined.conflicts.filter((one) => !ended.has(keyOf(one)))];
  const unnamed = read
    .filter(({ statements }) => statements.some(({ account }) => account === ''))
    .map(({ name }) => name);
  const { connections, questions } = nameConnections(totals, answers, { ...context, unnamed });
  const isCurrencyOpen = read.some((part) => part.questions.some(({ code }) => code === 'currency'));
  const [{ format, encoding, csv } = firstOf(read)] = read;
  const contradicted = new Set([...read.flatMap((part) => part.contradicted), ...conflicts.map(keyOf)]);
  const source = answers.source ?? `file:${format}`;
  const noon = createNoon(context.timeZone);
  const accounts = totals.map((total) => {
    const isLeftOut = answers.accept_totals === true && contradicted.has(keyOf(total));
    const connection = connections.get(keyOf(total)) ?? noConnection;
    return toAccount(isLeftOut ? { ...total, ends: [] } : total, { source, noon, connection });
  });
  return {
    format,
    encoding,
    csv,
    hash: await sha256(bytes),
    accounts,
    questions: uniqueQuestions([
      ...read.flatMap((part) => part.questions),
      // Conflicts with a connection's currency are only known once the file's currency is.
      ...questions.filter(({ code }) => code !== 'currency_connection' || !isCurrencyOpen),
      ...(contradicted.size > 0 && answers.accept_totals !== true ? [askTotals()] : []),
    ]),
    problems: [
      ...leftOut,
      ...read.flatMap((part) => part.problems),
      ...joined.problems,
      ...conflicts.map(({ problem }) => problem),
    ],
  };
}

interface PartReading {
  name: string;
  format: FileFormat;
  encoding: string;
  csv: CsvPreview | null;
  statements: RawStatement[];
  questions: Question[];
  problems: FileProblem[];
  /** Accounts whose balances contradict the rows. */
  contradicted: string[];
}

function firstOf(parts: readonly PartReading[]): PartReading {
  const [first] = parts;
  if (first === undefined) throw new Error('A file has at least one part.');
  return first;
}

/** Errors name the part. */
function readNamed(part: FilePart, input: ReaderInput, step: Step): PartReading {
  try {
    return readPart(part, input, step);
  } catch (error) {
    if (!(error instanceof BankFileError) || part.name === '') throw error;
    throw new BankFileError(error.reason, { ...error.place, file: part.name });
  }
}

function readPart({ name, bytes }: FilePart, input: ReaderInput, step: Step): PartReading {
  const { answers } = input;
  const { text, encoding, questions: open } = decodeFile(bytes, answers.encoding);
  const format = answers.format ?? detectFormat(text);
  const { readings, questions, csv } = readers[format](text, input, step);
  const decision = decide(readings, step);
  const [reading] = decision?.readings ?? [];
  const contradictions = decision?.contradictions ?? [];
  const problems = [...(reading?.problems ?? []), ...contradictions.map(totalsProblem)];
  // A file that won't be stored needs no answers.
  const isAsked = decision !== undefined && (contradictions.length === 0 || answers.accept_totals === true);
  const place = name === '' ? {} : { file: name };
  return {
    name,
    format,
    encoding,
    csv: csv === undefined ? null : { ...csv, mapping: reading?.mapping ?? csv.mapping },
    statements: (reading?.statements ?? []).map((statement) => ({ ...statement, ...place })),
    questions: [...open, ...questions, ...(isAsked ? questionsOf(decision) : [])],
    problems: problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).map((problem) => ({ ...problem, ...place })),
    contradicted: contradictions.map(({ statement }) => keyOf(statement)),
  };
}

/** One question per point at which the readings differ. */
function questionsOf({ readings }: Decision<Reading>): Question[] {
  if (readings.length === 1) return [];
  const codes = new Set(readings.flatMap(({ choices }) => asCodes(Object.keys(choices))));
  return [...codes].flatMap((code) => {
    const given = readings.flatMap(({ choices }) => choices[code] ?? []);
    const choices = [...new Map(given.map((choice) => [choice.value, choice])).values()];
    return choices.length > 1 ? [askChoice(code, choices)] : [];
  });
}

function asCodes(keys: string[]): ChoiceCode[] {
  return keys as ChoiceCode[];
}

/** Several files of an archive ask the same. */
function uniqueQuestions(questions: readonly Question[]): Question[] {
  return [...new Map(questions.map((question) => [`${question.code} ${question.about ?? ''}`, question])).values()];
}

interface Total {
  account: string;
  currency: string;
  written: string[];
  isOwnCurrency: boolean;
  kind: AccountKind | null;
  rows: PlacedRow[];
  ends: PlacedBalance[];
}

type PlacedRow = RawTransaction & { file?: string | undefined };

function accountsOf(statements: readonly RawStatement[], step: Step) {
  const totals = new Map<string, Total>();
  for (const { account, written, currency, kind, isOwnCurrency, rows, ends, file } of statements) {
    step(rows.length + ends.length + 1);
    const totalOf = (code: string): Total => {
      const key = keyOf({ account, currency: code });
      const total = totals.get(key) ?? {
        account,
        currency: code,
        written: [],
        isOwnCurrency: false,
        kind: null,
        rows: [],
        ends: [],
      };
      totals.set(key, total);
      if (code === currency) total.isOwnCurrency ||= isOwnCurrency === true;
      total.kind ??= kind ?? null;
      if (written !== undefined && !total.written.includes(written)) total.written.push(written);
      return total;
    };
    if (rows.length + ends.length === 0) totalOf(currency);
    for (const row of rows.toSorted((a, b) => a.line - b.line))
      totalOf(row.currency).rows.push(file === undefined ? row : { ...row, file });
    for (const end of ends) totalOf(end.currency);
  }
  const ofAccount = Map.groupBy(statements, ({ account }) => account);
  const ended = [...totals.values()].map((total) => {
    const over = total.rows[MAX_ROWS];
    if (over) throw tooManyRows(over);
    return { total, ...endsOf(ofAccount.get(total.account) ?? [], total, step) };
  });
  return {
    totals: ended.map(({ total, ends }) => ({ ...total, ends, isEmpty: total.rows.length + ends.length === 0 })),
    conflicts: ended.flatMap(({ conflicts }) => conflicts),
  };
}

/** Longer texts are no references. */
const MAX_REFERENCE = 200;

interface RowOptions {
  source: string;
  noon: (day: string) => string;
  connection: Connection;
}

function toAccount(total: Total, { source, noon, connection }: RowOptions): FileAccount {
  const { account, currency, kind, rows, ends } = total;
  const { name: connection_id, former } = connection;
  const placeOf = ({ line, file }: PlacedRow | PlacedBalance) => (file === undefined ? { line } : { line, file });
  const transactions = rows.map((row) => ({
    ...placeOf(row),
    ...(row.reference && row.reference.length <= MAX_REFERENCE ? { external_id: row.reference } : {}),
    posted_at: noon(row.day),
    amount_cents: row.cents,
    currency: row.currency,
    description: row.description,
    ...(row.counterparty ? { counterparty: toSingleLine(row.counterparty, 255) } : {}),
    ...(row.category ? { category: toSingleLine(row.category, 100) } : {}),
    connection_id,
    source,
  }));
  const balances = ends.map((end) => ({
    ...placeOf(end),
    as_of: end.day,
    balance_cents: end.cents,
    currency: end.currency,
    source,
    connection_id,
    ...(kind === null || kind === 'depository' ? {} : { account_type: kind }),
  }));
  return { account, currency, kind, connection_id, former, transactions, balances };
}
