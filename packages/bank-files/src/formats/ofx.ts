import { BankFileError, quote } from '../errors.ts';
import { askFileCurrency } from '../questions.ts';
import {
  type AccountKind,
  addStatement,
  type Choice,
  type Choices,
  newReading,
  type Reading,
  report,
  reportUnreadable,
} from '../statement.ts';
import type { Step } from '../step.ts';
import { type DecimalMark, dayOf, type Read, readCurrency, toSingleLine } from '../values.ts';
import { OfxAccounts } from './ofx-accounts.ts';
import { OfxAmounts } from './ofx-amounts.ts';
import { OfxSigns, type SignReading, signChoices } from './ofx-signs.ts';
import { type Aggregate, readTree } from './ofx-tree.ts';
import type { Reader } from './reader.ts';

interface OfxFile {
  root: Aggregate;
  statements: readonly Aggregate[];
  amounts: OfxAmounts;
  accounts: OfxAccounts;
  signs: OfxSigns;
  /** For statements without a currency. */
  currency: string;
}

/** Reads OFX 1 and OFX 2. Parsers on npm return amounts as floats and fail on files of real banks. */
export const readOfx: Reader = (text, { answers, context }, step) => {
  const root = readTree(text, step);
  const statements = descendants(root, new Set(['STMTRS', 'CCSTMTRS']), step);
  const amounts = new OfxAmounts(amountsOf(root, step));
  const accounts = new OfxAccounts(statements.map((statement) => accountOf(statement, step)));
  const booked = statements.flatMap((statement) => {
    const account = accounts.nameOf(accountOf(statement, step));
    const isCard = statement.name === 'CCSTMTRS';
    return descendants(statement, new Set(['STMTTRN']), step).map((transaction) => ({ account, isCard, transaction }));
  });
  const signs = new OfxSigns(booked, step);
  const currency = answers.currency ?? context.baseCurrency ?? 'USD';
  const file: OfxFile = { root, statements, amounts, accounts, signs, currency };
  const given = answers.csv?.decimal;
  const open = signs.example === undefined ? [] : signChoices(signs.example);
  const [sign, ...otherSigns] = open.filter(({ value }) => value === (answers.sign ?? value));
  const first = readWith(file, { decimal: given ?? '.', sign: sign?.value }, step);
  if (first.statements.length === 0 && first.problems.length === 0) throw noStatement(root, step);
  const decimals = decimalChoices(given === undefined ? amounts.open : undefined);
  const readings = [sign, ...otherSigns].flatMap((eachSign, i) =>
    decimals.map((decimal, j): Reading => {
      const way = { decimal: decimal?.value ?? given ?? '.', sign: eachSign?.value };
      const choices: Choices = { ...(eachSign && { sign: eachSign }), ...(decimal && { decimal }) };
      return { ...(i + j === 0 ? first : readWith(file, way, step)), choices };
    }),
  );
  const isOpen = answers.currency === undefined && statements.some(({ fields }) => !fields.get('CURDEF'));
  return { readings, questions: isOpen ? [askFileCurrency(context)] : [] };
};

function decimalChoices(example: string | undefined): readonly ((Choice & { value: DecimalMark }) | undefined)[] {
  if (example === undefined) return [undefined];
  return [
    { value: '.', label: 'The point; the comma groups thousands', example },
    { value: ',', label: 'The comma; the point groups thousands', example },
  ];
}

function amountsOf(root: Aggregate, step: Step): string[] {
  const names = new Set(['STMTTRN', 'STMTTRNP', 'LEDGERBAL', 'AVAILBAL']);
  return descendants(root, names, step).flatMap(({ fields }) => fields.get('TRNAMT') ?? fields.get('BALAMT') ?? []);
}

/** Quotes the server's message in a file without statements. */
function noStatement(root: Aggregate, step: Step): BankFileError {
  const failed = descendants(root, new Set(['STATUS']), step).find(({ fields }) => fields.get('SEVERITY') === 'ERROR');
  const message = [failed?.fields.get('MESSAGE'), failed?.fields.get('CODE')].filter(Boolean).join(', ');
  const reason = message === '' ? '' : `: the bank's server reports an error (${message.slice(0, 200)})`;
  return new BankFileError(`the file has no statement of a bank account or card${reason}`);
}

interface Way {
  decimal: DecimalMark;
  sign: SignReading | undefined;
}

function readWith(file: OfxFile, { decimal, sign }: Way, step: Step): Reading {
  const reading = newReading();
  for (const skipped of descendants(file.root, new Set(['INVSTMTRS']), step)) {
    report(reading, skipped.at, 'account', 'an investment statement is left out');
  }
  for (const statement of file.statements) {
    const amountOf = (text: string, currency: string) => file.amounts.read(text, currency, decimal);
    readStatement(reading, statement, { file, amountOf, sign }, step);
  }
  return reading;
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

function childOf({ children }: Aggregate, name: string, step: Step): Aggregate | undefined {
  const at = children.findIndex((one) => one.name === name);
  step(at === -1 ? children.length : at + 1);
  return children[at];
}

function accountOf(statement: Aggregate, step: Step): Aggregate | undefined {
  return childOf(statement, 'BANKACCTFROM', step) ?? childOf(statement, 'CCACCTFROM', step);
}

type AmountReader = (text: string, currency: string) => Read<number>;

interface StatementOptions {
  file: OfxFile;
  amountOf: AmountReader;
  sign: SignReading | undefined;
}

function readStatement(
  reading: Reading,
  element: Aggregate,
  { file, amountOf, sign = 'in' }: StatementOptions,
  step: Step,
): void {
  const child = (name: string): Aggregate | undefined => childOf(element, name, step);
  const from = accountOf(element, step);
  const account = file.accounts.nameOf(from);
  const currency = readCurrency(element.fields.get('CURDEF') || file.currency);
  if ('error' in currency) {
    report(reading, element.at, 'account', `the statement of ${quote(account)} is left out: ${currency.error}`);
    return;
  }
  const statement = addStatement(reading, {
    line: element.at.line,
    account,
    currency: currency.value,
    isOwnCurrency: Boolean(element.fields.get('CURDEF')),
    kind: element.name === 'CCSTMTRS' ? 'credit_card' : kindOf(from?.fields.get('ACCTTYPE') ?? ''),
    period: [element.fields.get('DTSTART'), element.fields.get('DTEND')].join(' '),
  });
  for (const transaction of descendants(element, new Set(['STMTTRN', 'STMTTRNP']), step)) {
    if (transaction.name === 'STMTTRNP') {
      report(reading, transaction.at, 'unbooked', 'the transaction is left out: it is pending');
      continue;
    }
    const row = readTransaction(transaction, currency.value, amountOf, step);
    if ('value' in row) {
      const cents = file.signs.apply(row.value.cents, transaction, { account, sign });
      statement.rows.push({ line: transaction.at.line, ...row.value, cents });
    } else reportUnreadable(reading, statement, transaction.at, `the transaction is left out: ${row.error}`);
  }
  const ledger = child('LEDGERBAL');
  if (!ledger?.fields.get('BALAMT')) return;
  const cents = amountOf(ledger.fields.get('BALAMT') ?? '', currency.value);
  const day = readDay(ledger.fields.get('DTASOF') ?? '');
  if ('error' in cents) report(reading, ledger.at, 'balance', `the balance is left out: ${cents.error}`);
  else if ('error' in day) report(reading, ledger.at, 'balance', `the balance is left out: ${day.error}`);
  else statement.ends.push({ line: ledger.at.line, day: day.value, cents: cents.value, currency: currency.value });
}

function kindOf(type: string): AccountKind | undefined {
  if (/^creditline$/i.test(type)) return 'loan';
  return /^(?:checking|savings|moneymrkt|cd)$/i.test(type) ? 'depository' : undefined;
}

function readTransaction(transaction: Aggregate, currency: string, amountOf: AmountReader, step: Step) {
  const { fields } = transaction;
  const own = childOf(transaction, 'CURRENCY', step)?.fields.get('CURSYM');
  const used = own === undefined ? { value: currency } : readCurrency(own);
  if ('error' in used) return used;
  const cents = amountOf(fields.get('TRNAMT') ?? '', used.value);
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
      description: toSingleLine(memo && memo !== name ? `${name ?? ''} ${memo}` : (name ?? ''), 2000),
      counterparty: name,
      reference: fields.get('FITID') || undefined,
    },
  };
}

/** The local day of an OFX time; its zone doesn't matter. */
function readDay(text: string): Read<string> {
  const [, year, month, day] = /^\s*(\d{4})-?(\d\d)-?(\d\d)/.exec(text) ?? [];
  const value = dayOf(Number(year), Number(month), Number(day));
  return value === undefined ? { error: `${quote(text)} is not a day YYYYMMDD` } : { value };
}
