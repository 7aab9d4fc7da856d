import { BankFileError, quote } from './errors.ts';
import {
  accountOf,
  checkTotals,
  emptyFile,
  type FileProblem,
  type RawAccount,
  type RawFile,
  type RawTransaction,
} from './statement.ts';
import { dayOf, type Read, readCents, readCurrency, tidy } from './values.ts';
import { childrenOf, find, parseXml, textAt, type XmlElement } from './xml.ts';

/**
 * Reads ISO 20022 CAMT.053, any version: versions 2 to 13 differ in what is read here only where they put a name one
 * element deeper. An entry is a row, also if it has several details: it is what changes the balance.
 */
export function parseCamt(text: string): RawFile {
  const root = parseXml(text);
  const message = root.name === 'BkToCstmrStmt' ? root : find(root, 'BkToCstmrStmt');
  if (!message) {
    const name = root.children[0]?.name ?? root.name;
    throw new BankFileError(
      `the document is a ${quote(name)}; only CAMT.053 statements (BkToCstmrStmt) are read`,
      root.at,
    );
  }
  const file = emptyFile();
  const statements = childrenOf(message, 'Stmt');
  if (statements.length === 0) throw new BankFileError('the document has no statement (Stmt)', message.at);
  for (const statement of statements) readStatement(file, statement);
  return file;
}

function report(file: RawFile, { at }: XmlElement, code: FileProblem['code'], message: string): void {
  file.problems.push({ ...at, code, message });
}

function readStatement(file: RawFile, statement: XmlElement): void {
  const account = textAt(statement, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id');
  const balances = childrenOf(statement, 'Bal');
  const named = textAt(statement, 'Acct/Ccy') || find(balances[0], 'Amt')?.attributes['Ccy'];
  const entries = childrenOf(statement, 'Ntry');
  const currency = readCurrency(named ?? find(entries[0], 'Amt')?.attributes['Ccy'] ?? '');
  if ('error' in currency) {
    report(file, statement, 'account', `the statement of ${quote(account)} is left out: ${currency.error}`);
    return;
  }
  const into = accountOf(file, account, currency.value);
  let sum = 0;
  let complete = true;
  for (const entry of entries) {
    const status = textAt(entry, 'Sts/Cd', 'Sts');
    if (status !== '' && status !== 'BOOK') {
      report(file, entry, 'unbooked', `the entry is left out: its status is ${quote(status)}, not BOOK`);
      continue;
    }
    const row = readEntry(entry);
    if ('error' in row) report(file, entry, 'row', `the entry is left out: ${row.error}`);
    else into.transactions.push(row.value);
    if ('value' in row) sum += row.value.cents;
    else complete = false;
  }
  const opening = readBalances(file, into, balances, ['OPBD', 'PRCD'], false);
  const closing = readBalances(file, into, balances, ['CLBD'], true);
  if (complete && opening !== undefined && closing !== undefined) {
    checkTotals(file, statement.at.line, { account, opening, closing, sum });
  }
}

/** Reads the first balance of one of the types, and adds those of the end of a day to the account. */
function readBalances(
  file: RawFile,
  account: RawAccount,
  balances: readonly XmlElement[],
  types: readonly string[],
  isClosing: boolean,
): number | undefined {
  let first: number | undefined;
  for (const balance of balances) {
    if (!types.includes(textAt(balance, 'Tp/CdOrPrtry/Cd'))) continue;
    const cents = readAmount(balance);
    const day = readDay(find(balance, 'Dt'));
    if ('error' in cents) report(file, balance, 'row', `the balance is left out: ${cents.error}`);
    else if ('error' in day) report(file, balance, 'row', `the balance is left out: ${day.error}`);
    else {
      first ??= cents.value.cents;
      if (isClosing) account.balances.push({ day: day.value, ...cents.value });
    }
  }
  return first;
}

function readAmount(element: XmlElement): Read<{ cents: number; currency: string }> {
  const amount = find(element, 'Amt');
  const currency = readCurrency(amount?.attributes['Ccy'] ?? '');
  if ('error' in currency) return currency;
  const cents = readCents(amount?.text ?? '', currency.value, '.');
  if ('error' in cents) return cents;
  const direction = textAt(element, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') return { error: `${quote(direction)} is neither CRDT nor DBIT` };
  const signed = direction === 'DBIT' ? -cents.value : cents.value;
  return { value: { cents: signed + 0, currency: currency.value } };
}

function readDay(element: XmlElement | undefined): Read<string> {
  const text = textAt(element, 'Dt', 'DtTm');
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  const value = dayOf(Number(year), Number(month), Number(day));
  return value === undefined ? { error: `${quote(text)} is not a day` } : { value };
}

function readEntry(entry: XmlElement): Read<RawTransaction> {
  const amount = readAmount(entry);
  if ('error' in amount) return amount;
  const day = readDay(find(entry, 'BookgDt') ?? find(entry, 'ValDt'));
  if ('error' in day) return day;
  const details = childrenOf(entry, 'NtryDtls').flatMap((group) => childrenOf(group, 'TxDtls'));
  const other = amount.value.cents < 0 ? 'Cdtr' : 'Dbtr';
  const [only] = details.length === 1 ? details : [];
  const texts = details.flatMap((detail) => [
    ...childrenOf(find(detail, 'RmtInf'), 'Ustrd').map(({ text }) => text),
    textAt(detail, 'RmtInf/Strd/CdtrRefInf/Ref'),
    textAt(detail, 'AddtlTxInf'),
  ]);
  const reference = textAt(entry, 'AcctSvcrRef') || textAt(only, 'Refs/AcctSvcrRef');
  const counterparty = textAt(only, `RltdPties/${other}/Nm`, `RltdPties/${other}/Pty/Nm`);
  return {
    value: {
      line: entry.at.line,
      day: day.value,
      ...amount.value,
      description: tidy([...texts, textAt(entry, 'AddtlNtryInf')].filter((text) => text !== '').join(' '), 2000),
      counterparty: counterparty || undefined,
      reference: /^(not\s?provided|none|nonref)$/i.test(reference) ? undefined : reference || undefined,
    },
  };
}
