import { BankFileError, quote } from '../errors.ts';
import {
  addStatement,
  type FileProblem,
  leaveOut,
  newReading,
  type RawBalance,
  type RawTransaction,
  type Reading,
} from '../statement.ts';
import { dayOf, type Read, readCents, readCurrency, tidy } from '../values.ts';
import type { Reader } from './reader.ts';
import { parseXml, type XmlElement, XmlReader } from './xml.ts';

/**
 * Reads ISO 20022 CAMT.053, any version: versions 2 to 13 differ in what is read here only where they put a name one
 * element deeper. An entry is a row, also if it has several details: it is what changes the balance.
 */
export const readCamt: Reader = (text, _input, step) => {
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
  const reading = newReading();
  const statements = xml.childrenOf(message, 'Stmt');
  if (statements.length === 0) throw new BankFileError('the document has no statement (Stmt)', message.at);
  for (const statement of statements) readStatement(reading, statement, xml);
  return { readings: [reading], questions: [] };
};

function report(reading: Reading, { at }: XmlElement, code: FileProblem['code'], message: string): void {
  reading.problems.push({ ...at, code, message });
}

function readStatement(reading: Reading, element: XmlElement, xml: XmlReader): void {
  const account = xml.textAt(element, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id');
  const balances = xml.childrenOf(element, 'Bal');
  const own = xml.textAt(element, 'Acct/Ccy');
  const entries = xml.childrenOf(element, 'Ntry');
  const written = own || xml.find(balances[0] ?? entries[0], 'Amt')?.attributes['Ccy'];
  const currency = readCurrency(written ?? '');
  if ('error' in currency) {
    report(reading, element, 'account', `the statement of ${quote(account)} is left out: ${currency.error}`);
    return;
  }
  const statement = addStatement(reading, {
    line: element.at.line,
    account,
    currency: currency.value,
    isOwnCurrency: own !== '',
    period: [xml.textAt(element, 'FrToDt/FrDtTm'), xml.textAt(element, 'FrToDt/ToDtTm')].join(' '),
  });
  for (const entry of entries) {
    const status = xml.textAt(entry, 'Sts/Cd', 'Sts');
    if (status !== '' && status !== 'BOOK') {
      report(reading, entry, 'unbooked', `the entry is left out: its status is ${quote(status)}, not BOOK`);
      continue;
    }
    const row = readEntry(entry, xml);
    if ('value' in row) statement.rows.push(row.value);
    else leaveOut(reading, statement, { ...entry.at, message: `the entry is left out: ${row.error}` });
  }
  const [opening] = readBalances(reading, balances, ['OPBD', 'PRCD'], xml);
  const ends = readBalances(reading, balances, ['CLBD'], xml);
  Object.assign(statement, { opening, closing: ends[0], ends });
}

function readBalances(
  reading: Reading,
  balances: readonly XmlElement[],
  types: readonly string[],
  xml: XmlReader,
): RawBalance[] {
  return balances.flatMap((balance) => {
    if (!types.includes(xml.textAt(balance, 'Tp/CdOrPrtry/Cd'))) return [];
    const cents = readAmount(balance, xml);
    const day = readDay(xml.find(balance, 'Dt'), xml);
    const error = 'error' in cents ? cents.error : 'error' in day ? day.error : undefined;
    if (error !== undefined) report(reading, balance, 'balance', `the balance is left out: ${error}`);
    return 'value' in cents && 'value' in day ? [{ line: balance.at.line, day: day.value, ...cents.value }] : [];
  });
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
