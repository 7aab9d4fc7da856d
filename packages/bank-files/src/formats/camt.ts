import { BankFileError, quote } from '../errors.ts';
import {
  accountOf,
  checkTotals,
  emptyFile,
  type FileProblem,
  type RawAccount,
  type RawFile,
  type RawTransaction,
} from '../statement.ts';
import type { Step } from '../step.ts';
import { dayOf, type Read, readCents, readCurrency, tidy } from '../values.ts';
import { parseXml, type XmlElement, XmlReader } from './xml.ts';

/**
 * Reads ISO 20022 CAMT.053, any version: versions 2 to 13 differ in what is read here only where they put a name one
 * element deeper. An entry is a row, also if it has several details: it is what changes the balance.
 */
export function parseCamt(text: string, step: Step): RawFile {
  const root = parseXml(text, step);
  const xml = new XmlReader(step);
  const message = root.name === 'BkToCstmrStmt' ? root : xml.find(root, 'BkToCstmrStmt');
  if (!message) {
    const name = root.children[0]?.name ?? root.name;
    throw new BankFileError(
      `the document is a ${quote(name)}; only CAMT.053 statements (BkToCstmrStmt) are read`,
      root.at,
    );
  }
  const file = emptyFile();
  const statements = xml.childrenOf(message, 'Stmt');
  if (statements.length === 0) throw new BankFileError('the document has no statement (Stmt)', message.at);
  for (const statement of statements) readStatement(file, statement, xml);
  return file;
}

function report(file: RawFile, { at }: XmlElement, code: FileProblem['code'], message: string): void {
  file.problems.push({ ...at, code, message });
}

function readStatement(file: RawFile, statement: XmlElement, xml: XmlReader): void {
  const account = xml.textAt(statement, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id');
  const balances = xml.childrenOf(statement, 'Bal');
  const named = xml.textAt(statement, 'Acct/Ccy') || xml.find(balances[0], 'Amt')?.attributes['Ccy'];
  const entries = xml.childrenOf(statement, 'Ntry');
  const currency = readCurrency(named ?? xml.find(entries[0], 'Amt')?.attributes['Ccy'] ?? '');
  if ('error' in currency) {
    report(file, statement, 'account', `the statement of ${quote(account)} is left out: ${currency.error}`);
    return;
  }
  const into = accountOf(file, account, currency.value);
  let sum = 0;
  let complete = true;
  for (const entry of entries) {
    const status = xml.textAt(entry, 'Sts/Cd', 'Sts');
    if (status !== '' && status !== 'BOOK') {
      report(file, entry, 'unbooked', `the entry is left out: its status is ${quote(status)}, not BOOK`);
      continue;
    }
    const row = readEntry(entry, xml);
    if ('error' in row) report(file, entry, 'row', `the entry is left out: ${row.error}`);
    else into.transactions.push(row.value);
    if ('value' in row) sum += row.value.cents;
    else complete = false;
  }
  const opening = readBalances(file, into, { balances, types: ['OPBD', 'PRCD'], isClosing: false }, xml);
  const closing = readBalances(file, into, { balances, types: ['CLBD'], isClosing: true }, xml);
  if (complete && opening !== undefined && closing !== undefined) {
    checkTotals(file, statement.at.line, { account, opening, closing, sum });
  }
}

/** Reads the first balance of one of the types, and adds those of the end of a day to the account. */
function readBalances(
  file: RawFile,
  account: RawAccount,
  { balances, types, isClosing }: { balances: readonly XmlElement[]; types: readonly string[]; isClosing: boolean },
  xml: XmlReader,
): number | undefined {
  let first: number | undefined;
  for (const balance of balances) {
    if (!types.includes(xml.textAt(balance, 'Tp/CdOrPrtry/Cd'))) continue;
    const cents = readAmount(balance, xml);
    const day = readDay(xml.find(balance, 'Dt'), xml);
    if ('error' in cents) report(file, balance, 'row', `the balance is left out: ${cents.error}`);
    else if ('error' in day) report(file, balance, 'row', `the balance is left out: ${day.error}`);
    else {
      first ??= cents.value.cents;
      if (isClosing) account.balances.push({ day: day.value, ...cents.value });
    }
  }
  return first;
}

function readAmount(element: XmlElement, xml: XmlReader): Read<{ cents: number; currency: string }> {
  const amount = xml.find(element, 'Amt');
  const currency = readCurrency(amount?.attributes['Ccy'] ?? '');
  if ('error' in currency) return currency;
  const cents = readCents(amount?.text ?? '', currency.value, '.');
  if ('error' in cents) return cents;
  const direction = xml.textAt(element, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') return { error: `${quote(direction)} is neither CRDT nor DBIT` };
  const signed = direction === 'DBIT' ? -cents.value : cents.value;
  return { value: { cents: signed + 0, currency: currency.value } };
}

function readDay(element: XmlElement | undefined, xml: XmlReader): Read<string> {
  const text = xml.textAt(element, 'Dt', 'DtTm');
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  const value = dayOf(Number(year), Number(month), Number(day));
  return value === undefined ? { error: `${quote(text)} is not a day` } : { value };
}

function readEntry(entry: XmlElement, xml: XmlReader): Read<RawTransaction> {
  const amount = readAmount(entry, xml);
  if ('error' in amount) return amount;
  const day = readDay(xml.find(entry, 'BookgDt') ?? xml.find(entry, 'ValDt'), xml);
  if ('error' in day) return day;
  const details = xml.childrenOf(entry, 'NtryDtls').flatMap((group) => xml.childrenOf(group, 'TxDtls'));
  const other = amount.value.cents < 0 ? 'Cdtr' : 'Dbtr';
  const [only] = details.length === 1 ? details : [];
  const texts = details.flatMap((detail) => [
    ...xml.childrenOf(xml.find(detail, 'RmtInf'), 'Ustrd').map(({ text }) => text),
    xml.textAt(detail, 'RmtInf/Strd/CdtrRefInf/Ref'),
    xml.textAt(detail, 'AddtlTxInf'),
  ]);
  const reference = xml.textAt(entry, 'AcctSvcrRef') || xml.textAt(only, 'Refs/AcctSvcrRef');
  const counterparty = xml.textAt(only, `RltdPties/${other}/Nm`, `RltdPties/${other}/Pty/Nm`);
  return {
    value: {
      line: entry.at.line,
      day: day.value,
      ...amount.value,
      description: tidy([...texts, xml.textAt(entry, 'AddtlNtryInf')].filter((text) => text !== '').join(' '), 2000),
      counterparty: counterparty || undefined,
      reference: /^(not\s?provided|none|nonref)$/i.test(reference) ? undefined : reference || undefined,
    },
  };
}
