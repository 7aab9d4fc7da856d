/** What a bank's file says, before anything is decided about connections and the service. */
import type { Position } from './errors.ts';

export type FileFormat = 'csv' | 'ofx' | 'camt.053' | 'mt940' | 'bai2';

/** The kind of an account, if the format says it. The balance of a card or loan is owed, and is no cash. */
export type AccountKind = 'depository' | 'credit_card' | 'loan';

/** Something that was left out of the result, or does not add up. */
export interface FileProblem {
  /** Name of the file in a ZIP archive. */
  file?: string | undefined;
  /** Where it stands, both from 1. A problem of a file as a whole has no place. */
  line?: number;
  column?: number;
  /**
   * `row`, `account` and `balance`: what the bank booked is not stored. `totals`: the rows do not explain the balances.
   * `unbooked`: the bank has not booked it, so it is left out.
   * `control_total`: a total or count of the file differs from its rows. `gap`: a statement does not open with the closing
   * balance of the one before it. `note`: left out for a reason that the message gives, without a loss.
   */
  code: 'row' | 'account' | 'balance' | 'totals' | 'unbooked' | 'control_total' | 'gap' | 'note';
  /** Without a full stop. */
  message: string;
}

/** A booked row as the bank wrote it. */
export interface RawTransaction {
  line: number;
  /** The day that the bank posted it. */
  day: string;
  cents: number;
  currency: string;
  description: string;
  counterparty?: string | undefined;
  category?: string | undefined;
  /** The bank's own id of the transaction, if the format has one. Banks use one twice, and again in the next file. */
  reference?: string | undefined;
  /** The balance that the bank printed after the row, in minor units. */
  balance?: number | undefined;
}

export interface RawBalance {
  line: number;
  day: string;
  cents: number;
  currency: string;
}

/** One statement of an account in one currency, its rows in the order in which the bank booked them. */
export interface RawStatement {
  /** Name of the file in a ZIP archive. */
  file?: string | undefined;
  line: number;
  /** The bank's number of the account; empty if the file names none. */
  account: string;
  /** The number as the bank wrote it, if it differs. Earlier versions had it as the connection. */
  written?: string;
  currency: string;
  /** True if the file calls the currency the account's own. */
  isOwnCurrency?: boolean;
  kind?: AccountKind | undefined;
  /** The days or the number that the bank gives the statement. Equal statements of one period count once. */
  period?: string | undefined;
  /** Balances between which all of the rows lie. They prove a reading, or contradict it. */
  opening?: RawBalance | undefined;
  closing?: RawBalance | undefined;
  rows: RawTransaction[];
  /** Balances at the end of a day, which are stored. Those in the middle of a statement are not. */
  ends: RawBalance[];
  /** The line of the first booked row that can't be read: without it, the balances can't be explained. */
  unread?: number | undefined;
}

/** Points at which readings differ, and how each of them decides. The code is that of the question that is asked. */
export type Choices = Partial<Record<ChoiceCode, Choice>>;

export type ChoiceCode = 'date_format' | 'decimal' | 'sign' | 'order';

export interface Choice {
  /** As the answer gives it, such as `DD/MM/YYYY`. */
  value: string;
  label: string;
  /** A value of the file, read in this way. */
  example?: string;
}

/** One way to read a file. */
export interface Reading {
  statements: RawStatement[];
  problems: FileProblem[];
  choices: Choices;
  /** True if nobody would read the file in this way unless its balances prove it. */
  needsProof?: boolean;
}

export function newReading(choices: Choices = {}): Reading {
  return { statements: [], problems: [], choices };
}

/**
 * The bank's number of an account. An IBAN has no spaces and, as MT940 files have it, no currency after it, so that it is
 * one account in files of all formats.
 */
export function accountName(account: string, currency: string): string {
  if (account.length > 60) return account;
  const compact = account.replaceAll(/[\s\u00a0]/g, '').toUpperCase();
  const iban = compact.endsWith(currency) ? compact.slice(0, -currency.length) : '';
  if (hasCheckNumber(iban) && !hasCheckNumber(compact)) return iban;
  return isIban.test(compact) ? compact : account;
}

const isIban = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/;

/** True for an IBAN with the right check number (ISO 13616). */
function hasCheckNumber(iban: string): boolean {
  if (!isIban.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}

/** A label of a connection. Only a valid IBAN is written as that of an account: another text is a name of its own. */
export function connectionName(label: string): string {
  const compact = label
    .slice(0, 61)
    .replaceAll(/[\s\u00a0]/g, '')
    .toUpperCase();
  return hasCheckNumber(compact) ? compact : label;
}

/** Adds a statement to a reading. */
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

/** Reports a booked row of a statement that can't be read. */
export function leaveOut(
  reading: Reading,
  statement: RawStatement,
  { line, column, message }: Position & { message: string },
): void {
  statement.unread ??= line;
  reading.problems.push({ line, column, code: 'row', message });
}

function minOf(day: string, other: string | undefined): string {
  return other !== undefined && other < day ? other : day;
}

/**
 * The balances that the bank printed after all rows up to a day and before all later ones, in the order of the rows. A day
 * whose rows stand among those of others has none, and neither has one whose last row has none.
 */
export function endsOfDays(rows: readonly RawTransaction[]): RawBalance[] {
  const ends: RawBalance[] = [];
  // From here to the end, the earliest day.
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

/** True if what the bank booked is not stored. */
export function isSkipped({ code }: Pick<FileProblem, 'code'>): boolean {
  return code === 'row' || code === 'account' || code === 'balance';
}
