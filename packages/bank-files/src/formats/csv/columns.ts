import { quote } from '../../errors.ts';
import type { Question } from '../../questions.ts';
import type { Step } from '../../step.ts';
import { readCurrency } from '../../values.ts';
import { parseAmount, parseBalance } from './amounts.ts';
import { looksLikeDate } from './dates.ts';
import { type CsvAnswers, type CsvColumns, type CsvField, csvFields, moneyFields } from './mapping.ts';
import { currencyIn, fieldsOf, isAccountNumber, isBareAccount, isOtherAmount, isStatus, isVague } from './names.ts';
import { SAMPLE, Samples } from './samples.ts';
import { findOtherSide } from './sides.ts';
import type { CsvRecord } from './split.ts';
import { isBlank, type Table } from './table.ts';
import { readDirection, readStatus } from './words.ts';

export interface ColumnChoice {
  /** Positions of the columns of each field, from 0; of several for the description. */
  at: Readonly<Partial<Record<CsvField, readonly number[]>>>;
  /** Their names, for a mapping. */
  columns: CsvColumns;
  /** A column that no field has, although it has the amounts of rows that have none in theirs. */
  otherSide?: number;
  /** Asked about a field whose column can't be known. `at` has the likeliest one. */
  questions: Question[];
}

/** A column with more words than these is no direction. */
const MAX_TYPES = 20;
/** Fields that a file may lack. */
const optional: ReadonlySet<CsvField> = new Set(['description', 'account', 'direction', 'currency', 'debit', 'credit']);

/** The columns of the fields: those that are given, then those whose names are known, and a question for each other that matters. */
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
  /** Fields whose column is asked and not suggested: it may as well be something else. */
  readonly #unlikely = new Set<CsvField>();
  #questions: Question[] = [];
  /** Columns by header. */
  readonly #named: ReadonlyMap<string, number[]>;

  constructor(table: Table, { columns = {}, words }: CsvAnswers, step: Step) {
    this.#table = table;
    this.#given = columns;
    this.#words = words;
    this.#step = step;
    this.#samples = new Samples(table, step);
    this.#named = Map.groupBy(table.headers.keys(), (i) => table.headers[i] ?? '');
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
    const columns = { date: '', ...Object.fromEntries([...this.#at].map(([field, at]) => [field, this.#namesOf(at)])) };
    return {
      at: Object.fromEntries(this.#at),
      columns,
      ...(otherSide === undefined ? {} : { otherSide }),
      questions: this.#questions.map((question) => this.#suggest(question)),
    };
  }

  #takeGiven(field: CsvField): void {
    const names = [this.#given[field] ?? []].flat().filter((name) => name !== '');
    const at = names.flatMap((name) => {
      const found = this.#find(name);
      if (found.length === 1) return found;
      if (found[0] !== undefined) this.#take(field, found.slice(0, 1));
      this.#ask(
        field,
        found.length === 0
          ? `There is no column ${quote(name)}. `
          : `${found.length} columns are named ${quote(name)}. `,
      );
      return [];
    });
    if (at.length > 0) this.#take(field, at);
  }

  #find(name: string): number[] {
    const named = this.#named.get(name.trim());
    const number = /^[1-9]\d{0,4}$/.test(name) ? Number(name) : 0;
    return named ?? (number > 0 && number <= this.#table.headers.length ? [number - 1] : []);
  }

  /** True if neither the answers nor another column say the field. */
  #isOpen(field: CsvField): boolean {
    if (this.#at.has(field) || this.#given[field] === '') return false;
    if (field === 'amount') return !this.#given.debit && !this.#given.credit;
    if (field === 'debit' || field === 'credit') return !this.#given.amount;
    return true;
  }

  /** Columns by field, those with the first names of the list first. */
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
    const same = this.#named.get(header) ?? [];
    if (same.length > 1 && !this.#isAsked(field))
      this.#ask(field, `${same.length} columns are named ${quote(header)}. `);
    this.#take(field, [at]);
    const other = moneyFields.some((each) => each === field)
      ? columns.find((i) => this.#isOther(field, i, at))
      : undefined;
    if (other === undefined || this.#isAsked(field)) return;
    this.#ask(field, `${quote(this.#nameOf(at))} and ${quote(this.#nameOf(other))} have other amounts. `);
  }

  /** True if a column of the same meaning has another value than the one that is taken. */
  #isOther(field: CsvField, i: number, taken: number): boolean {
    this.#step(1);
    if (this.#taken.has(i) || !this.#fits(field, i)) return false;
    return this.#table.records.slice(0, SAMPLE).some(({ cells }) => {
      const cell = cells[i]?.trim() ?? '';
      this.#step(cell.length + 1);
      return parseAmount(cell) !== undefined && cell !== cells[taken]?.trim();
    });
  }

  /** Of an amount and the two columns that say the same, those with signs are kept. */
  #dropSecondAmount(): void {
    const [amount, debit, credit] = [this.#at.get('amount'), this.#at.get('debit'), this.#at.get('credit')];
    const isGiven = moneyFields.some((field) => this.#given[field]);
    if (!amount || !debit || !credit || isGiven) return;
    const dropped: CsvField[] = amount.some((i) => this.#samples.isSigned(i)) ? ['debit', 'credit'] : ['amount'];
    for (const field of dropped) this.#at.delete(field);
    this.#questions = this.#questions.filter(({ about }) => !dropped.some((field) => field === about));
  }

  /**
   * A column with words for debit and credit may say the direction of amounts without a sign: one of another name with
   * such words only, and one like `Type` with others too. Both are asked. Words of one letter have to say both.
   */
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
    this.#ask('direction', `The column ${quote(this.#nameOf(at))} may say debit or credit of something else. `);
    this.#take('direction', [at]);
  }

  /** A column that is named after accounts only may be of those at the other end. */
  #checkAccount(): void {
    const [at] = this.#at.get('account') ?? [];
    if (at === undefined || this.#given.account !== undefined || this.#isAsked('account')) return;
    const header = this.#table.headers[at] ?? '';
    if (!isBareAccount(header) && !isAccountNumber(header)) return;
    const [date] = this.#at.get('date') ?? [];
    const own = this.#table.preamble.flatMap(({ cells }) => cells.flatMap(ibansIn));
    const accounts = new Set(
      this.#table.records.flatMap((record) => {
        this.#step((record.cells[at]?.length ?? 0) + 1);
        const isRow = date === undefined || /\d/.test(record.cells[date] ?? '');
        return isRow && !isBlank(record) ? [compact(record.cells[at] ?? '')] : [];
      }),
    );
    // Several numbers of a bank's own accounts are no IBANs.
    if (!isBareAccount(header) && ![...accounts].some((account) => ibansIn(account).length > 0)) return;
    // The own account is in each row, and the same as above them.
    if (accounts.size > 1 || (own.length > 0 && ![...accounts].some((account) => own.includes(account)))) {
      this.#ask('account', `The accounts of the column ${quote(this.#nameOf(at))} may be those of others. `);
      this.#unlikely.add('account');
    }
  }

  /** A column of currencies may be that of another amount, such as the original one. */
  #checkCurrency(): void {
    const [at] = this.#at.get('currency') ?? [];
    const [amount] = this.#at.get('amount') ?? [];
    if (at === undefined || amount === undefined || this.#given.currency !== undefined) return;
    if (this.#isAsked('currency')) return;
    const own = currencyIn(this.#table.headers[amount]);
    if (own !== undefined && this.#samples.of(at).some((cell) => isCode(cell) && cell.toUpperCase() !== own)) {
      this.#ask('currency', `The amounts of ${quote(this.#nameOf(amount))} are in ${own}. `);
      return;
    }
    const free = this.#free();
    const isMoney = (i: number): boolean => this.#samples.of(i).length > 0 && this.#fits('amount', i);
    const other = free.find((i) => isOtherAmount(this.#table.headers[i] ?? '') && isMoney(i));
    const hasCurrency = free.some((i) => this.#samples.of(i).length > 0 && this.#samples.of(i).every(isCode));
    if (other === undefined || hasCurrency) return;
    const [name, theirs] = [quote(this.#nameOf(at)), quote(this.#nameOf(other))];
    this.#ask('currency', `The column ${name} may be the currency of ${theirs}. `);
  }

  #take(field: CsvField, at: readonly number[]): void {
    this.#at.set(field, at);
    for (const i of at) this.#taken.add(i);
  }

  /** True if the cells of a column may be what its name says. */
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

  /** True if some cells have a known word, or all of them in a column whose name may say something else. */
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
      if (!this.#isAsked('date')) this.#ask('date');
      if (at !== undefined) this.#take('date', [at]);
    }
    if (!this.#hasAmount()) this.#askAmount();
    if (!this.#at.has('description') && this.#given.description !== '' && !this.#isAsked('description')) {
      const at = this.#samples.likelyDescription(this.#free());
      if (at === undefined) return;
      this.#ask('description');
      this.#take('description', [at]);
    }
  }

  /** One column, or two of which each row has one. Which of the two is the debit, nobody can know. */
  #askAmount(): void {
    const at = this.#samples.likelyAmount(this.#free());
    const isAnswered = this.#isAsked('amount') || this.#given.debit === '' || this.#given.credit === '';
    const isOne = isAnswered || (at !== undefined && this.#samples.hasBothSigns(at));
    if (at !== undefined) this.#take('amount', [at]);
    if (isOne || this.#findOtherSide() === undefined) {
      if (!this.#isAsked('amount')) this.#ask('amount');
      return;
    }
    this.#at.delete('amount');
    for (const field of ['debit', 'credit'] as const)
      this.#ask(field, 'Each row has an amount in one of two columns. ');
  }

  /**
   * Takes the other side of debit and credit, and asks for it. Returns it if an answer leaves it out. A column of amounts
   * with signs or directions has no other side.
   */
  #takeOtherSide(): number | undefined {
    const amount = this.#at.get('amount');
    const isWhole = amount?.some((i) => this.#samples.isSigned(i)) || (amount && this.#at.has('direction'));
    const other = isWhole || (this.#at.has('debit') && this.#at.has('credit')) ? undefined : this.#findOtherSide();
    if (other === undefined || this.#given.debit === '' || this.#given.credit === '') return other;
    const field = this.#at.has('credit') ? 'debit' : 'credit';
    this.#ask(field, `Some rows have their amount in the column ${quote(this.#nameOf(other))}. `);
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

  #isAsked(field: CsvField): boolean {
    return this.#questions.some(({ about }) => about === field);
  }

  #free(): number[] {
    this.#step(this.#table.headers.length);
    return [...this.#table.headers.keys()].filter((i) => !this.#taken.has(i));
  }

  /** Suggests the column by which the file is read while the question is open, if it is likely. */
  #suggest(question: Question): Question {
    const field = csvFields.find((each) => each === question.about);
    const at = field === undefined || this.#unlikely.has(field) ? undefined : this.#at.get(field)?.[0];
    return at === undefined ? question : { ...question, suggestion: this.#nameOf(at) };
  }

  #ask(field: CsvField, reason = ''): void {
    const { headers } = this.#table;
    const choices = headers.map((header, i) => {
      const value = this.#nameOf(i);
      const example = this.#samples.of(i)[0];
      const label =
        value === header || header === '' ? `${header === '' ? 'Column ' : ''}${value}` : `${header} (column ${value})`;
      return { value, label, ...(example === undefined ? {} : { example: example.slice(0, 40) }) };
    });
    this.#questions.push({
      code: 'column',
      about: field,
      message: `${reason}Which column has the ${field === 'external_id' ? 'id' : field}?`,
      choices: optional.has(field) ? [...choices, { value: '', label: 'None' }] : choices,
      flag: `--map ${field}=COLUMN`,
    });
  }

  /** The header, or the number of a column that its header doesn't tell from others. */
  #nameOf(i: number): string {
    const header = this.#table.headers[i] ?? '';
    return header !== '' && this.#named.get(header)?.length === 1 ? header : String(i + 1);
  }

  #namesOf(at: readonly number[]): string | string[] {
    const [name = '', ...others] = at.map((i) => this.#nameOf(i));
    return others.length === 0 ? name : [name, ...others];
  }
}

function isCode(text: string): boolean {
  return 'value' in readCurrency(text);
}

function compact(text: string): string {
  return text.replaceAll(/\s/g, '').toUpperCase();
}

function ibansIn(text: string): string[] {
  const [iban] = /[A-Z]{2}\d{2}[A-Z\d]{10,30}/.exec(compact(text)) ?? [];
  return iban === undefined ? [] : [iban];
}
