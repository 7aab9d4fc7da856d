import { BankFileError, quote } from '../errors.ts';
import {
  type AccountKind,
  addStatement,
  newReading,
  type RawBalance,
  type RawStatement,
  type RawTransaction,
  type Reading,
  report,
  reportUnreadable,
} from '../statement.ts';
import { readCurrency } from '../values.ts';
import { type CamtEntry, readAmount, readDay, readEntry } from './camt-entry.ts';
import type { Reader } from './reader.ts';
import { parseXml, type XmlElement, XmlReader } from './xml.ts';

const otherMessages: Readonly<Record<string, string>> = {
  BkToCstmrAcctRpt: 'a CAMT.052 report of the day (BkToCstmrAcctRpt), whose entries are not final',
  BkToCstmrDbtCdtNtfctn: 'a CAMT.054 notification (BkToCstmrDbtCdtNtfctn), whose entries are in the statement too',
};

interface Way {
  /** A reversal has the direction of the reversed entry, as in SFIRM. */
  turnsReversals: boolean;
  /** An entry in another currency counts with its counter value. */
  usesCounterValues: boolean;
}

/** Reads ISO 20022 CAMT.053, versions 2 to 13. An entry is one row, even with several details. */
export const readCamt: Reader = (text, _input, step) => {
  const xml = new XmlReader(step);
  const reading = newReading();
  const entries = new Map<RawStatement, CamtEntry[]>();
  for (const root of parseXml(text, step)) {
    for (const element of statementsOf(root, xml)) readStatement(reading, entries, element, xml);
  }
  const all = [...entries.values()].flat();
  const turned = all.some(({ isReversal }) => isReversal) ? [false, true] : [false];
  const countered = all.some(({ counterValue }) => counterValue !== undefined) ? [false, true] : [false];
  const [, ...others] = turned.flatMap((turnsReversals) =>
    countered.map((usesCounterValues): Way => ({ turnsReversals, usesCounterValues })),
  );
  const proved = others.map((way): Reading => {
    const statements = reading.statements.map((statement) => {
      step(statement.rows.length);
      return { ...statement, rows: (entries.get(statement) ?? []).map((entry) => rowOf(entry, way)) };
    });
    return { ...reading, statements, needsProof: true };
  });
  return { readings: [reading, ...proved], questions: [] };
};

function rowOf({ row, isReversal, counterValue }: CamtEntry, way: Way): RawTransaction {
  const amount = (way.usesCounterValues ? counterValue : undefined) ?? row;
  const cents = way.turnsReversals && isReversal ? 0 - amount.cents : amount.cents;
  return { ...row, cents, currency: amount.currency };
}

function statementsOf(root: XmlElement, xml: XmlReader): XmlElement[] {
  const message = root.name === 'BkToCstmrStmt' ? root : xml.find(root, 'BkToCstmrStmt');
  if (!message) {
    const name = root.children[0]?.name ?? root.name;
    const other = Object.hasOwn(otherMessages, name) ? otherMessages[name] : `a ${quote(name)}`;
    throw new BankFileError(`the document is ${other}; only CAMT.053 statements are read: download CAMT.053`, root.at);
  }
  const statements = xml.childrenOf(message, 'Stmt');
  if (statements.length === 0) throw new BankFileError('the document has no statement (Stmt)', message.at);
  return statements;
}

function readStatement(
  reading: Reading,
  all: Map<RawStatement, CamtEntry[]>,
  element: XmlElement,
  xml: XmlReader,
): void {
  const account = xml.textAt(element, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id');
  const balances = xml.childrenOf(element, 'Bal');
  const own = xml.textAt(element, 'Acct/Ccy');
  const entries = xml.childrenOf(element, 'Ntry');
  const written = own || xml.find(balances[0] ?? entries[0], 'Amt')?.attributes['Ccy'];
  const currency = readCurrency(written ?? '');
  if ('error' in currency) {
    report(reading, element.at, 'account', `the statement of ${quote(account)} is left out: ${currency.error}`);
    return;
  }
  const statement = addStatement(reading, {
    line: element.at.line,
    account,
    currency: currency.value,
    isOwnCurrency: own !== '',
    kind: kindOf(xml.textAt(element, 'Acct/Tp/Cd')),
    period: [xml.textAt(element, 'FrToDt/FrDtTm'), xml.textAt(element, 'FrToDt/ToDtTm')].join(' '),
  });
  const read: CamtEntry[] = [];
  for (const entry of entries) {
    const status = xml.textAt(entry, 'Sts/Cd', 'Sts/Prtry', 'Sts');
    if (status !== '' && status !== 'BOOK') {
      report(reading, entry.at, 'unbooked', `the entry is left out: its status is ${quote(status)}, not BOOK`);
      continue;
    }
    const found = readEntry(entry, currency.value, xml);
    if ('value' in found) read.push(found.value);
    else reportUnreadable(reading, statement, entry.at, `the entry is left out: ${found.error}`);
  }
  const closings = readBalances(reading, balances, 'CLBD', xml);
  const ends = closings.filter(({ isIntermediate }) => !isIntermediate).map(({ balance }) => balance);
  // Some banks write the opening and closing balance of each day: the last closing and the first opening count.
  const closing = ends.toSorted(byDay).at(-1) ?? closings[0]?.balance;
  const [opened, previous] = ['OPBD', 'PRCD'].map((type) => readBalances(reading, balances, type, xml));
  const openings = (opened?.length ? opened : previous)?.map(({ balance }) => balance) ?? [];
  const rows = read.map(({ row }) => row);
  Object.assign(statement, { opening: openings.toSorted(byDay)[0], closing, ends, rows });
  all.set(statement, read);
}

function byDay(a: RawBalance, b: RawBalance): number {
  return a.day.localeCompare(b.day);
}

/** `type`: a code of ISO 20022's ExternalCashAccountType1Code, most of which are bank accounts. */
function kindOf(type: string): AccountKind | undefined {
  if (type === '' || type === 'OTHR') return undefined;
  return type === 'LOAN' ? 'loan' : type === 'CARD' ? 'credit_card' : 'depository';
}

/** Intermediate balances are of pages, not of days. */
function readBalances(
  reading: Reading,
  balances: readonly XmlElement[],
  type: string,
  xml: XmlReader,
): { balance: RawBalance; isIntermediate: boolean }[] {
  return balances.flatMap((element) => {
    if (xml.textAt(element, 'Tp/CdOrPrtry/Cd') !== type) return [];
    const cents = readAmount(element, xml);
    const day = readDay(xml.find(element, 'Dt'), xml);
    const error = 'error' in cents ? cents.error : 'error' in day ? day.error : undefined;
    if (error !== undefined) report(reading, element.at, 'balance', `the balance is left out: ${error}`);
    if ('error' in cents || 'error' in day) return [];
    const balance = { line: element.at.line, day: day.value, ...cents.value };
    return [{ balance, isIntermediate: xml.textAt(element, 'Tp/SubTp/Cd') === 'INTM' }];
  });
}
