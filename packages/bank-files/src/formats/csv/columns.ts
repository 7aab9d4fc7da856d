import { quote } from '../../errors.ts';
import type { Question } from '../../questions.ts';
import type { Step } from '../../step.ts';
import { readCurrency } from '../../values.ts';
import { haveOthers } from './accounts.ts';
import { parseAmount, parseBalance } from './amounts.ts';
import { ColumnQuestions } from './column-questions.ts';
import { looksLikeDate } from './dates.ts';
import { type CsvAnswers, type CsvColumns, type CsvField, csvFields, moneyFields } from './mapping.ts';
import { currencyIn, fieldsOf, isAccountNumber, isBareAccount, isOtherAmount, isStatus, isVague } from './names.ts';
import { SAMPLE, Samples } from './samples.ts';
import { findOtherSide } from './sides.ts';
import type { CsvRecord } from './split.ts';
import { isBlank, type Table } from './table.ts';
import { readDirection, readStatus } from './words.ts';

export interface ColumnChoice {
  /** Column positions from 0; several for the description. */
  at: Readonly<Partial<Record<CsvField, readonly number[]>>>;
  columns: CsvColumns;
  /** An unassigned column with the amounts of rows that have none in the assigned ones. */
  otherSide?: number;
  /** Fields with an uncertain column; `at` has the likeliest one. */
  questions: Question[];
}

const MAX_TYPES = 20;
/** Assigns columns to fields: given ones, then those with known names; asks about missing ones that matter. */
export function chooseColumns(table: Table, given: CsvAnswers, step: Step): ColumnChoice {
  return new Chooser(table, given, step).choose();
}

class Chooser {
  readonly #table: Table;
  readonly #given: Partial<CsvColumns>;
  readonly #words: CsvAnswers['words'];
  readonly #step: Step;
  readonly #samples: Samples;
  readonly #at = new Map<CsvField, readonly number[]>();
  readonly #taken = new Set<number>();
  readonly #unlikely = new Set<CsvField>();
  readonly #questions: ColumnQuestions;

  constructor(table: Table, { columns = {}, words }: CsvAnswers, step: Step) {
    this.#table = table;
    this.#given = columns;
    this.#words = words;
    this.#step = step;
    this.#samples = new Samples(table, step);
    this.#questions = new ColumnQuestions(table, this.#samples);
  }

  choose(): ColumnChoice {
    for (const field of csvFields) this.#takeGiven(field);
    const known = this.#known();
    for (const field of csvFields) {
      if (this.#isOpen(field)) this.#takeKnown(field, known.get(field) ?? []);
    }
    this.#dropSecondAmount();
    this.#takeDirection();
    this.#checkAccount();
    this.#checkCurrency();
    if (this.#table.records.some((record) => !isBlank(record)) || !this.#hasRequired()) this.#askMissing();
    const otherSide = this.#takeOtherSide();
    const columns = {
      date: '',
      ...Object.fromEntries([...this.#at].map(([field, at]) => [field, this.#questions.namesOf(at)])),
    };
    return {
      at: Object.fromEntries(this.#at),
      columns,
      ...(otherSide === undefined ? {} : { otherSide }),
      questions: this.#questions.suggesting((field) =>
        this.#unlikely.has(field) ? undefined : this.#at.get(field)?.[0],
      ),
    };
  }

  #takeGiven(field: CsvField): void {
    const names = [this.#given[field] ?? []].flat().filter((name) => name !== '');
    const at = names.flatMap((name) => {
      const found = this.#questions.find(name);
      if (found.length === 1) return found;
      if (found[0] !== undefined) this.#take(field, found.slice(0, 1));
      this.#questions.ask(
        field,
        found.length === 0
          ? `There is no column ${quote(name)}. `
          : `${found.length} columns are named ${quote(name)}. `,
      );
      return [];
    });
    if (at.length > 0) this.#take(field, at);
  }

  /** True if neither an answer nor a column provides the field. */
  #isOpen(field: CsvField): boolean {
    if (this.#at.has(field) || this.#given[field] === '') return false;
    if (field === 'amount') return !this.#given.debit && !this.#given.credit;
    if (field === 'debit' || field === 'credit') return !this.#given.amount;
    return true;
  }

  /** Columns by field, the most preferred names first. */
  #known(): Map<CsvField, number[]> {
    const named = this.#table.headers.flatMap((header, i) => {
      this.#step(header.length + 1);
      return fieldsOf(header).map(({ field, rank }) => ({ field, rank, i }));
    });
    const fields = Map.groupBy(named, ({ field }) => field);
    return new Map(
      [...fields].map(([field, list]) => [field, list.toSorted((a, b) => a.rank - b.rank).map(({ i }) => i)]),
    );
  }

  #takeKnown(field: CsvField, columns: readonly number[]): void {
    const at = columns.find((i) => {
      this.#step(1);
      return !this.#taken.has(i) && this.#fits(field, i);
    });
    if (at === undefined) return;
    const header = this.#table.headers[at] ?? '';
    const same = this.#questions.named(header);
    if (same.length > 1 && !this.#questions.isAsked(field))
      this.#questions.ask(field, `${same.length} columns are named ${quote(header)}. `);
    this.#take(field, [at]);
    const other = moneyFields.some((each) => each === field)
      ? columns.find((i) => this.#isOther(field, i, at))
      : undefined;
    if (other === undefined || this.#questions.isAsked(field)) return;
    this.#questions.ask(
      field,
      `${this.#questions.quoted(at)} and ${this.#questions.quoted(other)} have other amounts. `,
    );
  }

  /** True if a column with the same meaning has other values than the taken one. */
  #isOther(field: CsvField, i: number, taken: number): boolean {
    this.#step(1);
    if (this.#taken.has(i) || !this.#fits(field, i)) return false;
    return this.#table.records.slice(0, SAMPLE).some(({ cells }) => {
      const cell = cells[i]?.trim() ?? '';
      this.#step(cell.length + 1);
      return parseAmount(cell) !== undefined && cell !== cells[taken]?.trim();
    });
  }

  /** Chooses between an amount column and equivalent debit and credit columns by their signs. */
  #dropSecondAmount(): void {
    const [amount, debit, credit] = [this.#at.get('amount'), this.#at.get('debit'), this.#at.get('credit')];
    const isGiven = moneyFields.some((field) => this.#given[field]);
    if (!amount || !debit || !credit || isGiven) return;
    const dropped: CsvField[] = amount.some((i) => this.#samples.isSigned(i)) ? ['debit', 'credit'] : ['amount'];
    for (const field of dropped) this.#at.delete(field);
    this.#questions.drop(dropped);
  }

  /** Asks about a column with words for debit and credit. Words of one letter must include both directions. */
  #takeDirection(): void {
    const amount = this.#at.get('amount');
    if (!this.#isOpen('direction') || !amount || amount.some((i) => this.#samples.isSigned(i))) return;
    const at = this.#free().find((i) => {
      const cells = this.#samples.wordsOf(i);
      const sides = new Set(cells.map((cell) => readDirection(cell, this.#words)));
      const hasBoth = sides.has(1) && sides.has(-1);
      const isWord = (cell: string): boolean =>
        (hasBoth || cell.length > 1) && readDirection(cell, this.#words) !== undefined;
      return isVague(this.#table.headers[i] ?? '')
        ? new Set(cells).size <= MAX_TYPES && cells.some(isWord)
        : cells.length > 0 && cells.every(isWord);
    });
    if (at === undefined) return;
    this.#questions.ask(
      'direction',
      `The column ${this.#questions.quoted(at)} may say debit or credit of something else. `,
    );
    this.#take('direction', [at]);
  }

  /** Asks if a column named only `Account` or the like may be the counterparty's. */
  #checkAccount(): void {
    const [at] = this.#at.get('account') ?? [];
    if (at === undefined || this.#given.account !== undefined || this.#questions.isAsked('account')) return;
    const header = this.#table.headers[at] ?? '';
    if (!isBareAccount(header) && !isAccountNumber(header)) return;
    const [date] = this.#at.get('date') ?? [];
    if (!haveOthers(this.#table, at, date, this.#step)) return;
    this.#questions.ask('account', `The accounts of the column ${this.#questions.quoted(at)} may be those of others. `);
    this.#unlikely.add('account');
  }

  /** Asks if a currency column may belong to another amount, such as the original one. */
  #checkCurrency(): void {
    const [at] = this.#at.get('currency') ?? [];
    const [amount] = this.#at.get('amount') ?? [];
    if (at === undefined || amount === undefined || this.#given.currency !== undefined) return;
    if (this.#questions.isAsked('currency')) return;
    const own = currencyIn(this.#table.headers[amount]);
    if (own !== undefined && this.#samples.of(at).some((cell) => isCode(cell) && cell.toUpperCase() !== own)) {
      this.#questions.ask('currency', `The amounts of ${this.#questions.quoted(amount)} are in ${own}. `);
      return;
    }
    const free = this.#free();
    const isMoney = (i: number): boolean => this.#samples.of(i).length > 0 && this.#fits('amount', i);
    const other = free.find((i) => isOtherAmount(this.#table.headers[i] ?? '') && isMoney(i));
    const hasCurrency = free.some((i) => this.#samples.of(i).length > 0 && this.#samples.of(i).every(isCode));
    if (other === undefined || hasCurrency) return;
    const [name, theirs] = [this.#questions.quoted(at), this.#questions.quoted(other)];
    this.#questions.ask('currency', `The column ${name} may be the currency of ${theirs}. `);
  }

  #take(field: CsvField, at: readonly number[]): void {
    this.#at.set(field, at);
    for (const i of at) this.#taken.add(i);
  }

  #fits(field: CsvField, i: number): boolean {
    const cells = this.#samples.of(i);
    const most = (test: (cell: string) => boolean): boolean =>
      cells.length === 0 || cells.filter(test).length * 2 >= cells.length;
    switch (field) {
      case 'date':
        return most((cell) => /\d/.test(cell));
      case 'amount':
      case 'debit':
      case 'credit':
      case 'fee':
        return most((cell) => parseAmount(cell) !== undefined);
      case 'balance':
        return most((cell) => parseBalance(cell) !== undefined);
      case 'currency':
        return most((cell) => 'value' in readCurrency(cell));
      case 'direction':
        return this.#hasWords(i, this.#samples.wordsOf(i), readDirection);
      case 'status':
        return isStatus(this.#table.headers[i] ?? '') || this.#hasWords(i, cells, readStatus);
      case 'description':
        return cells.length > 0;
      default:
        return true;
    }
  }

  /** True if some cells are known words; if the name is ambiguous, all of them must be. */
  #hasWords(i: number, cells: readonly string[], read: (cell: string, words: CsvAnswers['words']) => unknown): boolean {
    const isWord = (cell: string): boolean => read(cell, this.#words) !== undefined;
    return isVague(this.#table.headers[i] ?? '') ? cells.length > 0 && cells.every(isWord) : cells.some(isWord);
  }

  #hasRequired(): boolean {
    return this.#at.has('date') && this.#hasAmount();
  }

  #hasAmount(): boolean {
    return this.#at.has('amount') || this.#at.has('debit') || this.#at.has('credit');
  }

  #askMissing(): void {
    if (!this.#at.has('date')) {
      const at = this.#free().find((i) => this.#samples.of(i).length > 0 && this.#samples.of(i).every(looksLikeDate));
      if (!this.#questions.isAsked('date')) this.#questions.ask('date');
      if (at !== undefined) this.#take('date', [at]);
    }
    if (!this.#hasAmount()) this.#askAmount();
    if (!this.#at.has('description') && this.#given.description !== '' && !this.#questions.isAsked('description')) {
      const at = this.#samples.likelyDescription(this.#free());
      if (at === undefined) return;
      this.#questions.ask('description');
      this.#take('description', [at]);
    }
  }

  /** Asks for the amount column; or, if each row has its amount in one of two columns, which is the debit and which the credit. */
  #askAmount(): void {
    const at = this.#samples.likelyAmount(this.#free());
    const isAnswered = this.#questions.isAsked('amount') || this.#given.debit === '' || this.#given.credit === '';
    const isOne = isAnswered || (at !== undefined && this.#samples.hasBothSigns(at));
    if (at !== undefined) this.#take('amount', [at]);
    if (isOne || this.#findOtherSide() === undefined) {
      if (!this.#questions.isAsked('amount')) this.#questions.ask('amount');
      return;
    }
    this.#at.delete('amount');
    for (const field of ['debit', 'credit'] as const)
      this.#questions.ask(field, 'Each row has an amount in one of two columns. ');
  }

  /** Takes the other column of debit and credit, and asks about it. Returns it if an answer leaves it out. */
  #takeOtherSide(): number | undefined {
    const amount = this.#at.get('amount');
    const isWhole = amount?.some((i) => this.#samples.isSigned(i)) || (amount && this.#at.has('direction'));
    const other = isWhole || (this.#at.has('debit') && this.#at.has('credit')) ? undefined : this.#findOtherSide();
    if (other === undefined || this.#given.debit === '' || this.#given.credit === '') return other;
    const field = this.#at.has('credit') ? 'debit' : 'credit';
    this.#questions.ask(field, `Some rows have their amount in the column ${this.#questions.quoted(other)}. `);
    this.#take(field, [other]);
    this.#unlikely.add(field);
    return undefined;
  }

  #findOtherSide(): number | undefined {
    const taken = moneyFields.flatMap((field) => this.#at.get(field) ?? []);
    if (taken.length === 0) return undefined;
    const [date = [], status = []] = [this.#at.get('date'), this.#at.get('status')];
    const isBooked = ({ cells }: CsvRecord): boolean =>
      status.every((i) => readStatus(cells[i]?.trim() ?? '', this.#words) !== 'unbooked');
    return findOtherSide(this.#table, { date, money: taken, free: this.#free(), isBooked }, this.#step);
  }

  #free(): number[] {
    this.#step(this.#table.headers.length);
    return [...this.#table.headers.keys()].filter((i) => !this.#taken.has(i));
  }
}

function isCode(text: string): boolean {
  return 'value' in readCurrency(text);
}
