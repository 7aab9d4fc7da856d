import { quote } from '../../errors.ts';
import { type FileProblem, report } from '../../statement.ts';
import type { Step } from '../../step.ts';
import { readCurrency, toSingleLine } from '../../values.ts';
import { type Amount, decimalsOf, isEmpty, isSigned, parseAmount, parseBalance } from './amounts.ts';
import type { ColumnChoice } from './columns.ts';
import { looksLikeDate } from './dates.ts';
import { type CsvAnswers, type CsvField, moneyFields } from './mapping.ts';
import { hasValue } from './sides.ts';
import type { CsvRecord } from './split.ts';
import { isBlank, sizeOf, type Table } from './table.ts';
import { readDirection, readStatus, readSummary } from './words.ts';

/** An amount and the side of its column or word: −1 out, 1 in, 0 none. */
export interface Part {
  side: -1 | 0 | 1;
  amount: Amount;
  /** The side is from a word next to the amount. */
  isWorded?: boolean;
}

export interface CsvRow {
  line: number;
  date: string;
  parts: Part[];
  fee?: Amount;
  balance?: Amount;
  /** From the row itself: its currency column, or the code next to its amount. */
  currency?: string;
  account: string;
  description: string;
  counterparty?: string;
  category?: string;
  reference?: string;
}

/** A line with a balance that is no row. */
interface BalanceLine {
  line: number;
  /** By its text; undefined if unclear. */
  kind?: 'opening' | 'closing';
  rowsBefore: number;
  balance: Amount;
}

export interface CsvRows {
  rows: CsvRow[];
  balances: BalanceLine[];
  problems: FileProblem[];
  unread?: number;
  /** Unknown words of `direction` and `status`, and row texts that may be balances. */
  unknown: Map<string, 'direction' | 'status' | 'balance'>;
}

export function readRows(table: Table, choice: ColumnChoice, { words }: CsvAnswers, step: Step): CsvRows {
  return new RowReader(table, choice, words, step).read();
}

type Cells = (field: CsvField) => string;

class RowReader {
  readonly #table: Table;
  readonly #at: ColumnChoice['at'];
  readonly #otherSide: number | undefined;
  readonly #words: CsvAnswers['words'];
  readonly #step: Step;
  readonly #result: CsvRows = { rows: [], balances: [], problems: [], unknown: new Map() };
  /** Texts that are certainly balances if they are at an end of the file, with the number of rows before them. */
  readonly #ends: Array<{ word: string; rowsBefore: number }> = [];

  constructor(table: Table, { at, otherSide }: ColumnChoice, words: CsvAnswers['words'], step: Step) {
    this.#table = table;
    this.#at = at;
    this.#otherSide = otherSide;
    this.#words = words;
    this.#step = step;
  }

  read(): CsvRows {
    const { records, isComplete } = this.#table;
    const last = isComplete ? undefined : records.at(-1);
    for (const record of records) {
      this.#step(2 * sizeOf(record));
      if (isBlank(record)) continue;
      if (record === last && this.#isCut(record)) this.#reportUnreadable(record, 'the file ends in the middle of it');
      else this.#readRecord(record);
    }
    const { rows, unknown } = this.#result;
    for (const { word, rowsBefore } of this.#ends) {
      if (rowsBefore > 0 && rowsBefore < rows.length) unknown.set(word, 'balance');
    }
    return this.#result;
  }

  #readRecord(record: CsvRecord): void {
    // A dash means empty, except as a direction.
    const text: Cells = (field) =>
      (this.#at[field] ?? [])
        .map((i) => record.cells[i]?.trim() ?? '')
        .filter((cell) => cell !== '' && (field === 'direction' || !isEmpty(cell)))
        .join(' ');
    const status = text('status');
    const date = text('date');
    const isDated = /\d/.test(date);
    // A line without a date and with words as its amount is no row.
    const isAmount = (cell: string): boolean => cell !== '' && (isDated || parseBalance(cell) !== undefined);
    const amountOf = (field: CsvField): string => (isAmount(text(field)) ? text(field) : '');
    const hasAmount = moneyFields.some((field) => amountOf(field) !== '');
    if ((hasAmount || isDated) && this.#isUnbooked(record, status || (isDated ? '' : date))) return;
    const label =
      isDated || date === '' ? text('description') || (record.cells.find((cell) => cell.trim()) ?? '') : date;
    const summary = readSummary(label);
    const printed = amountOf('balance');
    const amounts = moneyFields.map(amountOf).filter((each) => each !== '');
    // Another value in the balance column shows that the amount is no balance.
    const isBalance = !hasAmount || printed === '' || amounts.includes(printed);
    const isSummary = isBalance && (summary === 'opening' || summary === 'closing');
    if (isSummary && !(hasAmount && isDated && printed === '' && this.#isTransaction(label, text, amountOf))) {
      if (hasAmount && isDated) this.#note(record, 'a balance, which is no transaction');
      const written = parseAmount(printed || (amounts[0] ?? ''));
      if (written) this.#addBalance(record, summary, written);
      return;
    }
    if (summary === 'total' && !isDated) return;
    if (isDated && this.#isOnOtherSide(record, amounts)) return;
    if (hasAmount) {
      this.#addRow(record, text, amountOf);
      return;
    }
    if (!looksLikeDate(date) && !/^\d{5}$/.test(date)) return;
    const isShort = moneyFields.every((field) => (this.#at[field]?.[0] ?? Infinity) >= record.cells.length);
    const isOneSided = !this.#at.amount && !(this.#at.debit && this.#at.credit);
    if (isShort || isOneSided) this.#reportUnreadable(record, 'it has no amount', this.#columnOf('amount'));
    else if (printed === '') this.#note(record, 'it has no amount');
    else {
      const written = parseAmount(printed);
      if (written) this.#addBalance(record, undefined, written);
    }
  }

  /** Skips a row whose amount is in an unassigned column. */
  #isOnOtherSide(record: CsvRecord, amounts: readonly string[]): boolean {
    const at = this.#otherSide;
    if (at === undefined || !hasValue(record.cells[at]) || amounts.some(hasValue)) return false;
    const name = this.#table.headers[at] ?? '';
    this.#reportUnreadable(
      record,
      `its amount is in the column ${quote(name || String(at + 1))}, which is not read`,
      at + 1,
    );
    return true;
  }

  #isUnbooked(record: CsvRecord, status: string): boolean {
    if (status === '') return false;
    const meaning = readStatus(status, this.#words);
    if (meaning === 'unbooked') {
      const message = `the row is left out: the bank has not booked it (${quote(status)})`;
      report(this.#result, { line: record.line, column: this.#columnOf('status') }, 'unbooked', message);
      return true;
    }
    if (meaning === undefined && this.#at.status) this.#result.unknown.set(status, 'status');
    return false;
  }

  /** False for a text such as "Final balance 2026-17" with a date and an amount, unless it is answered. */
  #isTransaction(label: string, text: Cells, amountOf: Cells): boolean {
    const word = label.trim();
    const given = this.#words !== undefined && Object.hasOwn(this.#words, word) ? this.#words[word] : undefined;
    if (given !== undefined) return given === 'booked';
    const hasSide = amountOf('debit') + amountOf('credit') !== '' || readDirection(text('direction')) !== undefined;
    if (!hasSide && !isSigned(amountOf('amount')) && !/\d/.test(word)) {
      this.#ends.push({ word, rowsBefore: this.#result.rows.length });
      return false;
    }
    this.#result.unknown.set(word, 'balance');
    return true;
  }

  #addBalance({ line }: CsvRecord, kind: BalanceLine['kind'], balance: Amount): void {
    const rowsBefore = this.#result.rows.length;
    this.#result.balances.push({ line, rowsBefore, balance, ...(kind === undefined ? {} : { kind }) });
  }

  #addRow(record: CsvRecord, text: Cells, amountOf: Cells): void {
    const parts = this.#readParts(record, text, amountOf);
    if (parts === undefined) return;
    const balance = this.#readOptional(record, 'balance', amountOf('balance'));
    const fee = this.#readOptional(record, 'fee', amountOf('fee'));
    const written = text('currency') === '' ? undefined : readCurrency(text('currency'));
    if (written && 'error' in written) {
      this.#reportUnreadable(record, written.error, this.#columnOf('currency'));
      return;
    }
    const beside = parts.find(({ amount }) => amount.currency !== undefined)?.amount.currency;
    if (written && beside !== undefined && beside !== written.value) {
      const message = `the amount is in ${beside}, and the column of the currency has ${written.value}`;
      this.#reportUnreadable(record, message, this.#columnOf('currency'));
      return;
    }
    const currency = written?.value ?? beside;
    this.#result.rows.push({
      line: record.line,
      date: text('date'),
      parts,
      account: text('account'),
      description: toSingleLine(text('description'), 2000),
      ...(text('counterparty') === '' ? {} : { counterparty: text('counterparty') }),
      ...(text('category') === '' ? {} : { category: text('category') }),
      ...(text('external_id') === '' ? {} : { reference: text('external_id') }),
      ...(fee ? { fee } : {}),
      ...(balance ? { balance } : {}),
      ...(currency === undefined ? {} : { currency }),
    });
  }

  #readParts(record: CsvRecord, text: Cells, amountOf: Cells): Part[] | undefined {
    const hasSides = amountOf('credit') + amountOf('debit') !== '';
    const isSided = hasSides && !hasValue(amountOf('amount'));
    const fields = isSided ? (['credit', 'debit'] as const) : (['amount'] as const);
    const parts: Part[] = [];
    for (const field of fields) {
      const cell = amountOf(field);
      if (cell === '') continue;
      const amount = parseAmount(cell);
      if (amount === undefined) {
        this.#reportUnreadable(record, `${quote(cell)} is not an amount`, this.#columnOf(field));
        return undefined;
      }
      if (field !== 'amount') parts.push({ side: field === 'debit' ? -1 : 1, amount });
      else parts.push({ side: this.#sideOf(text('direction')), amount, isWorded: text('direction') !== '' });
    }
    return parts;
  }

  #sideOf(word: string): Part['side'] {
    if (word === '') return 0;
    const side = readDirection(word, this.#words);
    if (side === undefined) this.#result.unknown.set(word, 'direction');
    return side ?? 1;
  }

  #readOptional(record: CsvRecord, field: 'balance' | 'fee', cell: string): Amount | undefined {
    const amount = cell === '' ? undefined : field === 'balance' ? parseBalance(cell) : parseAmount(cell);
    if (cell !== '' && amount === undefined) {
      const message = `the ${field} is left out: ${quote(cell)} is not an amount`;
      report(this.#result, { line: record.line, column: this.#columnOf(field) }, 'balance', message);
    }
    return amount;
  }

  /** True if the last record has too few cells, or an amount with fewer decimals than all others. */
  #isCut({ cells }: CsvRecord): boolean {
    const { headers, records } = this.#table;
    // Some banks end only the header with a separator.
    const width = Math.min(headers.length, records.length > 1 ? (records[0]?.cells.length ?? 0) : headers.length);
    if (cells.length < width) return cells.some((cell) => /\d/.test(cell));
    const end = cells.length - 1;
    if (![...moneyFields, 'balance' as const].some((field) => this.#at[field]?.includes(end))) return false;
    const amount = parseAmount(cells[end]?.trim() ?? '');
    if (amount === undefined) return false;
    this.#step(this.#table.records.length);
    const others = this.#table.records.slice(0, -1).flatMap((record) => {
      const other = parseAmount(record.cells[end]?.trim() ?? '');
      return other ? [decimalsOf(other)] : [];
    });
    const [first = 0] = others;
    return others.every((decimals) => decimals === first) && decimalsOf(amount) < first;
  }

  #columnOf(field: CsvField): number {
    const at = this.#at[field] ?? (field === 'amount' ? (this.#at.credit ?? this.#at.debit) : undefined);
    return (at?.[0] ?? 0) + 1;
  }

  #reportUnreadable({ line }: CsvRecord, reason: string, column = 1): void {
    this.#result.unread ??= line;
    report(this.#result, { line, column }, 'row', `the row is left out: ${reason}`);
  }

  #note({ line }: CsvRecord, reason: string): void {
    report(this.#result, { line }, 'note', `the line is left out: ${reason}`);
  }
}
