import { BankFileError, type Position, positionAt, quote } from '../errors.ts';
import { addStatement, type FileProblem, leaveOut, newReading, type Reading } from '../statement.ts';
import { indexIn, type Step } from '../step.ts';
import { dayOf, type Read, readCents, readCurrency, tidy } from '../values.ts';
import type { Reader } from './reader.ts';

/** The aggregates that are read; fields of others belong to the nearest of these. */
const AGGREGATES = new Set(
  (
    'OFX STMTRS CCSTMTRS INVSTMTRS STMTTRN LEDGERBAL AVAILBAL BANKACCTFROM CCACCTFROM INVACCTFROM PAYEE BANKACCTTO ' +
    'CCACCTTO ORIGCURRENCY CURRENCY'
  ).split(' '),
);

/** Statements of an account. One never contains another: where one begins, the end tag of the last is missing. */
const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS']);

interface Aggregate {
  name: string;
  at: Position;
  fields: Map<string, string>;
  children: Aggregate[];
}

/**
 * Reads OFX 1 (SGML, whose fields have no end tags) and OFX 2 (XML) with one scanner. The parsers on npm return amounts
 * as floats and fail on what banks really write.
 */
export const readOfx: Reader = (text, { answers }, step) => {
  const reading = newReading();
  const root = readTree(text, step);
  const statements = descendants(root, new Set(['STMTRS', 'CCSTMTRS']), step);
  for (const skipped of descendants(root, new Set(['INVSTMTRS']), step)) {
    report(reading, skipped.at, 'account', 'an investment statement is left out');
  }
  if (statements.length === 0 && reading.problems.length === 0) {
    throw new BankFileError('the file has no statement of a bank account or card', root.at);
  }
  for (const statement of statements) readStatement(reading, statement, answers.currency ?? '', step);
  return { readings: [reading], questions: [] };
};

function report(reading: Reading, at: Position, code: FileProblem['code'], message: string): void {
  reading.problems.push({ line: at.line, column: at.column, code, message });
}

function readTree(text: string, step: Step): Aggregate {
  const document = newAggregate('', { line: 1, column: 1 });
  const open = new OpenAggregates(document, step);
  const tag = /<(\/?)([A-Za-z][\w.:-]{0,63})\s*(\/?)>([^<]*)/y;
  const positionOf = createLineCounter(text, step);
  let ended = false;
  for (let at = indexIn(text, '<', 0, step); at !== -1; at = indexIn(text, '<', at, step)) {
    tag.lastIndex = at;
    const found = tag.exec(text);
    if (found === null) {
      // A declaration, a comment, or a `<` in a value.
      at += 1;
      continue;
    }
    const [all, slash, sent = '', empty, value = ''] = found;
    step(all.length);
    const name = sent.toUpperCase();
    if (slash) {
      const isClosed = open.close(name);
      ended ||= isClosed && name === 'OFX';
    } else if (AGGREGATES.has(name)) {
      // A transaction never contains another: the end tag is missing.
      if (name === 'STMTTRN') open.close(name);
      if (STATEMENTS.has(name)) for (const each of STATEMENTS) open.close(each);
      open.add(newAggregate(name, positionOf(at)), empty === '');
    } else if (!open.last.fields.has(name)) open.last.fields.set(name, unescape(value.trim()));
    at += all.length;
  }
  const [root] = document.children;
  if (root?.name !== 'OFX') throw new BankFileError('the file has no <OFX> element');
  if (!ended) throw new BankFileError('the file ends before </OFX>: it is truncated', positionAt(text, text.length));
  return root;
}

function newAggregate(name: string, at: Position): Aggregate {
  return { name, at, fields: new Map(), children: [] };
}

/** The aggregates whose end tags have not come. The number of each name is known, so no end tag searches in vain. */
class OpenAggregates {
  readonly #stack: Aggregate[] = [];
  readonly #counts = new Map<string, number>();
  readonly #step: Step;
  /** The innermost. */
  last: Aggregate;
  readonly #document: Aggregate;

  constructor(document: Aggregate, step: Step) {
    this.#document = document;
    this.last = document;
    this.#step = step;
  }

  add(aggregate: Aggregate, staysOpen: boolean): void {
    this.last.children.push(aggregate);
    if (!staysOpen) return;
    this.#stack.push(aggregate);
    this.#counts.set(aggregate.name, this.#countOf(aggregate.name) + 1);
    this.last = aggregate;
  }

  /** Ends the innermost aggregate of the name and what is open inside it. Returns false if none is open. */
  close(name: string): boolean {
    if (this.#countOf(name) === 0) return false;
    for (let ended = this.#stack.pop(); ended !== undefined; ended = this.#stack.pop()) {
      this.#step(1);
      this.#counts.set(ended.name, this.#countOf(ended.name) - 1);
      if (ended.name === name) break;
    }
    this.last = this.#stack.at(-1) ?? this.#document;
    return true;
  }

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

/** Positions of rising offsets: each line end is searched once. */
function createLineCounter(text: string, step: Step): (offset: number) => Position {
  let [line, start] = [1, 0];
  let end = indexIn(text, '\n', 0, step);
  return (offset) => {
    while (end !== -1 && end < offset) {
      line += 1;
      start = end + 1;
      end = indexIn(text, '\n', start, step);
    }
    return { line, column: offset - start + 1 };
  };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function unescape(text: string): string {
  return text.replaceAll(/&(#x?[\da-f]{1,6}|[a-z]{2,5});/gi, (all, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? all;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : all;
  });
}

function descendants(root: Aggregate, names: ReadonlySet<string>, step: Step): Aggregate[] {
  const found: Aggregate[] = [];
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    step(1);
    if (names.has(next.name)) found.push(next);
    for (const child of next.children.toReversed()) open.push(child);
  }
  return found;
}

/** The first child of the name. */
function childOf({ children }: Aggregate, name: string, step: Step): Aggregate | undefined {
  const at = children.findIndex((one) => one.name === name);
  step(at === -1 ? children.length : at + 1);
  return children[at];
}

function readStatement(reading: Reading, element: Aggregate, fallback: string, step: Step): void {
  const child = (name: string): Aggregate | undefined => childOf(element, name, step);
  const account = (child('BANKACCTFROM') ?? child('CCACCTFROM'))?.fields.get('ACCTID') ?? '';
  const currency = readCurrency(element.fields.get('CURDEF') || fallback);
  if ('error' in currency) {
    report(reading, element.at, 'account', `the statement of ${quote(account)} is left out: ${currency.error}`);
    return;
  }
  const statement = addStatement(reading, {
    line: element.at.line,
    account,
    currency: currency.value,
    isOwnCurrency: element.fields.has('CURDEF'),
    period: [element.fields.get('DTSTART'), element.fields.get('DTEND')].join(' '),
  });
  for (const transaction of descendants(element, new Set(['STMTTRN']), step)) {
    const row = readTransaction(transaction, currency.value, step);
    if ('value' in row) statement.rows.push({ line: transaction.at.line, ...row.value });
    else leaveOut(reading, statement, { ...transaction.at, message: `the transaction is left out: ${row.error}` });
  }
  const ledger = child('LEDGERBAL');
  if (!ledger?.fields.get('BALAMT')) return;
  const cents = readCents(ledger.fields.get('BALAMT') ?? '', currency.value);
  const day = readDay(ledger.fields.get('DTASOF') ?? '');
  if ('error' in cents) report(reading, ledger.at, 'balance', `the balance is left out: ${cents.error}`);
  else if ('error' in day) report(reading, ledger.at, 'balance', `the balance is left out: ${day.error}`);
  else {
    statement.ends.push({ line: ledger.at.line, day: day.value, cents: cents.value, currency: currency.value });
  }
}

function readTransaction(transaction: Aggregate, currency: string, step: Step) {
  const { fields } = transaction;
  const own = childOf(transaction, 'CURRENCY', step)?.fields.get('CURSYM');
  const used = own === undefined ? { value: currency } : readCurrency(own);
  if ('error' in used) return used;
  const cents = readCents(fields.get('TRNAMT') ?? '', used.value);
  if ('error' in cents) return cents;
  const day = readDay(fields.get('DTPOSTED') ?? '');
  if ('error' in day) return day;
  const name = fields.get('NAME') || childOf(transaction, 'PAYEE', step)?.fields.get('NAME');
  const memo = fields.get('MEMO') ?? '';
  return {
    value: {
      day: day.value,
      cents: cents.value,
      currency: used.value,
      description: tidy(memo && memo !== name ? `${name ?? ''} ${memo}` : (name ?? ''), 2000),
      counterparty: name,
      reference: fields.get('FITID') || undefined,
    },
  };
}

/** The day of an OFX time, as the bank writes it: its zone doesn't matter for a day. */
function readDay(text: string): Read<string> {
  const [, year, month, day] = /^\s*(\d{4})-?(\d\d)-?(\d\d)/.exec(text) ?? [];
  const value = dayOf(Number(year), Number(month), Number(day));
  return value === undefined ? { error: `${quote(text)} is not a day YYYYMMDD` } : { value };
}
