import { BankFileError, type Position, positionAt, quote } from './errors.ts';
import { accountOf, emptyFile, type FileProblem, type RawFile } from './statement.ts';
import { dayOf, type Read, readCents, readCurrency, tidy } from './values.ts';

/** The aggregates that are read; fields of others belong to the nearest of these. */
const AGGREGATES = new Set(
  (
    'OFX STMTRS CCSTMTRS INVSTMTRS STMTTRN LEDGERBAL AVAILBAL BANKACCTFROM CCACCTFROM INVACCTFROM PAYEE BANKACCTTO ' +
    'CCACCTTO ORIGCURRENCY CURRENCY'
  ).split(' '),
);

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
export function parseOfx(text: string, fallbackCurrency = ''): RawFile {
  const file = emptyFile();
  const root = readTree(text);
  const statements = descendants(root, new Set(['STMTRS', 'CCSTMTRS']));
  for (const skipped of descendants(root, new Set(['INVSTMTRS']))) {
    report(file, skipped.at, 'account', 'an investment statement is left out');
  }
  if (statements.length === 0 && file.problems.length === 0) {
    throw new BankFileError('the file has no statement of a bank account or card', root.at);
  }
  for (const statement of statements) readStatement(file, statement, fallbackCurrency);
  return file;
}

function report(file: RawFile, { line, column }: Position, code: FileProblem['code'], message: string): void {
  file.problems.push({ line, column, code, message });
}

function readTree(text: string): Aggregate {
  const stack: Aggregate[] = [{ name: '', at: { line: 1, column: 1 }, fields: new Map(), children: [] }];
  const [document] = stack;
  const tag = /<(\/?)([A-Za-z][\w.:-]{0,63})\s*(\/?)>([^<]*)/y;
  const lines = createLineCounter(text);
  let ended = false;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    tag.lastIndex = at;
    const found = tag.exec(text);
    if (found === null) {
      // A declaration, a comment, or a `<` in a value.
      at += 1;
      continue;
    }
    const [all, slash, sent = '', empty, value = ''] = found;
    const name = sent.toUpperCase();
    if (slash) ended = close(stack, name) || ended;
    else if (AGGREGATES.has(name)) {
      // A transaction never contains another: the end tag is missing.
      if (name === 'STMTTRN') close(stack, name);
      const opened = { name, at: lines(at), fields: new Map<string, string>(), children: [] };
      stack.at(-1)?.children.push(opened);
      if (!empty) stack.push(opened);
    } else if (!stack.at(-1)?.fields.has(name)) stack.at(-1)?.fields.set(name, unescape(value.trim()));
    at += all.length;
  }
  const root = document?.children[0];
  if (root?.name !== 'OFX') throw new BankFileError('the file has no <OFX> element');
  if (!ended) throw new BankFileError('the file ends before </OFX>: it is truncated', positionAt(text, text.length));
  return root;
}

/** Ends the aggregate and what is open inside it. Returns true for the whole file. */
function close(stack: Aggregate[], name: string): boolean {
  const index = stack.findLastIndex((open) => open.name === name);
  if (index > 0) stack.length = index;
  return name === 'OFX' && index > 0;
}

/** Positions of rising offsets, each line counted once. */
function createLineCounter(text: string): (offset: number) => Position {
  let [line, start] = [1, 0];
  return (offset) => {
    for (let end = text.indexOf('\n', start); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
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

function descendants(root: Aggregate, names: ReadonlySet<string>): Aggregate[] {
  const found: Aggregate[] = [];
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (names.has(next.name)) found.push(next);
    for (const child of next.children.toReversed()) open.push(child);
  }
  return found;
}

function readStatement(file: RawFile, statement: Aggregate, fallback: string): void {
  const child = (name: string): Aggregate | undefined => statement.children.find((one) => one.name === name);
  const account = (child('BANKACCTFROM') ?? child('CCACCTFROM'))?.fields.get('ACCTID') ?? '';
  const currency = readCurrency(statement.fields.get('CURDEF') || fallback);
  if ('error' in currency) {
    report(file, statement.at, 'account', `the statement of ${quote(account)} is left out: ${currency.error}`);
    return;
  }
  const into = accountOf(file, account, currency.value);
  for (const transaction of descendants(statement, new Set(['STMTTRN']))) {
    const row = readTransaction(transaction, currency.value);
    if ('error' in row) report(file, transaction.at, 'row', `the transaction is left out: ${row.error}`);
    else into.transactions.push({ line: transaction.at.line, ...row.value });
  }
  const ledger = child('LEDGERBAL');
  if (!ledger?.fields.get('BALAMT')) return;
  const cents = readCents(ledger.fields.get('BALAMT') ?? '', currency.value);
  const day = readDay(ledger.fields.get('DTASOF') ?? '');
  if ('error' in cents) report(file, ledger.at, 'row', `the balance is left out: ${cents.error}`);
  else if ('error' in day) report(file, ledger.at, 'row', `the balance is left out: ${day.error}`);
  else into.balances.push({ day: day.value, cents: cents.value, currency: currency.value });
}

function readTransaction({ fields, children }: Aggregate, currency: string) {
  const own = children.find(({ name }) => name === 'CURRENCY')?.fields.get('CURSYM');
  const used = own === undefined ? { value: currency } : readCurrency(own);
  if ('error' in used) return used;
  const cents = readCents(fields.get('TRNAMT') ?? '', used.value);
  if ('error' in cents) return cents;
  const day = readDay(fields.get('DTPOSTED') ?? '');
  if ('error' in day) return day;
  const name = fields.get('NAME') || children.find((one) => one.name === 'PAYEE')?.fields.get('NAME');
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
