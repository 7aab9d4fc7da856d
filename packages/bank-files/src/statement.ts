/** Contents of a bank's file, before connections and the service are considered. */
import type { Position } from './errors.ts';

export type FileFormat = 'csv' | 'ofx' | 'camt.053' | 'mt940' | 'bai2';

/** If the format has it. The balance of a card or loan is owed. */
export type AccountKind = 'depository' | 'credit_card' | 'loan';

/** A skipped part, or a mismatch. */
export interface FileProblem {
  /** Its name in a ZIP archive. */
  file?: string | undefined;
  /** From 1. A problem of the whole file has none. */
  line?: number;
  column?: number;
  /**
   * `row`, `account`, `balance`: not stored although booked. `totals`: the rows don't explain the balances. `unbooked`:
   * skipped because not booked. `control_total`: a total or count differs from the rows. `gap`: a statement doesn't
   * open with the closing balance of the one before. `note`: skipped without a loss.
   */
  code: 'row' | 'account' | 'balance' | 'totals' | 'unbooked' | 'control_total' | 'gap' | 'note';
  /** Without a full stop. */
  message: string;
}

/** A booked row as written. */
export interface RawTransaction {
  line: number;
  /** The posting day. */
  day: string;
  cents: number;
  currency: string;
  description: string;
  counterparty?: string | undefined;
  category?: string | undefined;
  /** The bank's own id. Some banks repeat one, even in the next file. */
  reference?: string | undefined;
  /** The printed balance after the row, in minor units. */
  balance?: number | undefined;
}

export interface RawBalance {
  line: number;
  day: string;
  cents: number;
  currency: string;
}

/** One statement of an account and currency, with rows in booking order. */
export interface RawStatement {
  /** Its name in a ZIP archive. */
  file?: string | undefined;
  line: number;
  /** The bank's number; empty if the file has none. */
  account: string;
  /** The number as written, if different. Earlier versions used it as the connection. */
  written?: string;
  currency: string;
  /** True if the file calls the currency the account's own. */
  isOwnCurrency?: boolean;
  kind?: AccountKind | undefined;
  /** The statement's days or number. Equal statements of one period count once. */
  period?: string | undefined;
  /** Balances before and after all rows; they prove or contradict a reading. */
  opening?: RawBalance | undefined;
  closing?: RawBalance | undefined;
  rows: RawTransaction[];
  /** Balances at the end of a day, to be stored; not those within a statement. */
  ends: RawBalance[];
  /** Line of the first unreadable booked row, without which the balances can't be explained. */
  unread?: number | undefined;
}

/** The choices of a reading at points where readings differ, by the code of the question. */
export type Choices = Partial<Record<ChoiceCode, Choice>>;

export type ChoiceCode = 'date_format' | 'decimal' | 'sign' | 'order';

export interface Choice {
  /** As in answers, such as `DD/MM/YYYY`. */
  value: string;
  label: string;
  /** A value of the file, by this reading. */
  example?: string;
}

export interface Reading {
  statements: RawStatement[];
  problems: FileProblem[];
  choices: Choices;
  /** Too unlikely without proof by its balances. */
  needsProof?: boolean;
}

export function newReading(choices: Choices = {}): Reading {
  return { statements: [], problems: [], choices };
}

/** An IBAN loses its spaces and, as in MT940, a trailing currency, so that it is the same in all formats. */
export function accountName(account: string, currency: string): string {
  if (account.length > 60) return account;
  const compact = account.replaceAll(/[\s\u00a0]/g, '').toUpperCase();
  const iban = compact.endsWith(currency) ? compact.slice(0, -currency.length) : '';
  if (hasCheckNumber(iban) && !hasCheckNumber(compact)) return iban;
  return isIban.test(compact) ? compact : account;
}

const isIban = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/;

/** Check digits of ISO 13616. */
function hasCheckNumber(iban: string): boolean {
  if (!isIban.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}

/** Only a valid IBAN is normalised; another label is unchanged. */
export function connectionName(label: string): string {
  const compact = label
    .slice(0, 61)
    .replaceAll(/[\s\u00a0]/g, '')
    .toUpperCase();
  return hasCheckNumber(compact) ? compact : label;
}

export function addStatement(
  reading: Reading,
  start: Pick<RawStatement, 'line' | 'account' | 'currency'> & Partial<RawStatement>,
): RawStatement {
  const account = accountName(start.account, start.currency);
  const written = account === start.account ? {} : { written: start.account };
  const statement: RawStatement = { rows: [], ends: [], ...start, account, ...written };
  reading.statements.push(statement);
  return statement;
}

type At = Pick<Position, 'line'> & Partial<Position>;

export function report(
  { problems }: Pick<Reading, 'problems'>,
  { line, column = 1 }: At,
  code: FileProblem['code'],
  message: string,
): void {
  problems.push({ line, column, code, message });
}

/** Reports an unreadable booked row. */
export function reportUnreadable(reading: Reading, statement: RawStatement, at: At, message: string): void {
  statement.unread ??= at.line;
  report(reading, at, 'row', message);
}

function minOf(day: string, other: string | undefined): string {
  return other !== undefined && other < day ? other : day;
}

/** The printed balances at the end of days, in order. Days mixed with others have none. */
export function endsOfDays(rows: readonly RawTransaction[]): RawBalance[] {
  const ends: RawBalance[] = [];
  // The earliest day from here to the end.
  const earliest: string[] = [];
  for (const { day } of rows.toReversed()) earliest.push(minOf(day, earliest.at(-1)));
  let newest = '';
  for (const [i, { line, day, currency, balance }] of rows.entries()) {
    if (day > newest) newest = day;
    const later = earliest[rows.length - 2 - i];
    if (balance !== undefined && (later === undefined || newest < later)) {
      ends.push({ line, day: newest, cents: balance, currency });
    }
  }
  return ends;
}

/** True if something booked is not stored. */
export function isSkipped({ code }: Pick<FileProblem, 'code'>): boolean {
  return code === 'row' || code === 'account' || code === 'balance';
}
