import { quote } from '../errors.ts';
import type { RawTransaction } from '../statement.ts';
import { dayOf, type Read, readCents, readCurrency, toSingleLine } from '../values.ts';
import type { XmlElement, XmlReader } from './xml.ts';

interface Amount {
  cents: number;
  currency: string;
}

export interface CamtEntry {
  row: RawTransaction;
  isReversal: boolean;
  /** In the account's currency, if the entry is in another. */
  counterValue: Amount | undefined;
}

export function readAmount(element: XmlElement, xml: XmlReader): Read<Amount> {
  const amount = readUnsigned(xml.find(element, 'Amt'));
  if ('error' in amount) return amount;
  const direction = xml.textAt(element, 'CdtDbtInd');
  if (direction !== 'CRDT' && direction !== 'DBIT') return { error: `${quote(direction)} is neither CRDT nor DBIT` };
  const { cents, currency } = amount.value;
  return { value: { cents: direction === 'DBIT' ? 0 - cents : cents, currency } };
}

function readUnsigned(element: XmlElement | undefined): Read<Amount> {
  const currency = readCurrency(element?.attributes['Ccy'] ?? '');
  if ('error' in currency) return currency;
  const cents = readCents(element?.text ?? '', currency.value, '.');
  return 'error' in cents ? cents : { value: { cents: cents.value, currency: currency.value } };
}

export function readDay(element: XmlElement | undefined, xml: XmlReader): Read<string> {
  const text = xml.textAt(element, 'Dt', 'DtTm');
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  const value = dayOf(Number(year), Number(month), Number(day));
  return value === undefined ? { error: `${quote(text)} is not a day` } : { value };
}

export function readEntry(entry: XmlElement, currency: string, xml: XmlReader): Read<CamtEntry> {
  const amount = readAmount(entry, xml);
  if ('error' in amount) return amount;
  const day = readDay(xml.find(entry, 'BookgDt') ?? xml.find(entry, 'ValDt'), xml);
  if ('error' in day) return day;
  const details = xml.childrenOf(entry, 'NtryDtls').flatMap((group) => xml.childrenOf(group, 'TxDtls'));
  const other = amount.value.cents < 0 ? 'Cdtr' : 'Dbtr';
  const [only] = details.length === 1 ? details : [];
  const texts = details.flatMap((detail) => [
    ...remittanceOf(xml.find(detail, 'RmtInf'), xml),
    xml.textAt(detail, 'AddtlTxInf'),
  ]);
  const reference = xml.textAt(entry, 'AcctSvcrRef') || xml.textAt(only, 'Refs/AcctSvcrRef');
  const counterparty = xml.textAt(only, `RltdPties/${other}/Nm`, `RltdPties/${other}/Pty/Nm`);
  const row: RawTransaction = {
    line: entry.at.line,
    day: day.value,
    ...amount.value,
    description: toSingleLine(
      [...texts, xml.textAt(entry, 'AddtlNtryInf')].filter((text) => text !== '').join(' '),
      2000,
    ),
    counterparty: counterparty || undefined,
    reference: /^(not\s?provided|none|nonref)$/i.test(reference) ? undefined : reference || undefined,
  };
  const isReversal = /^(true|1)$/.test(xml.textAt(entry, 'RvslInd'));
  return { value: { row, isReversal, counterValue: counterValueOf([entry, only], row, currency, xml) } };
}

function remittanceOf(remittance: XmlElement | undefined, xml: XmlReader): string[] {
  return xml.childrenOf(remittance).flatMap((part) => {
    if (part.name !== 'Strd') return part.name === 'Ustrd' ? [part.text] : [];
    return xml.childrenOf(part).map((field) => {
      if (field.name === 'AddtlRmtInf') return field.text.trim();
      if (field.name === 'CdtrRefInf') return xml.textAt(field, 'Ref');
      return field.name === 'RfrdDocInf' ? xml.textAt(field, 'Nb') : '';
    });
  });
}

function counterValueOf(
  elements: readonly (XmlElement | undefined)[],
  { cents, currency: own }: Amount,
  currency: string,
  xml: XmlReader,
): Amount | undefined {
  if (own === currency) return undefined;
  for (const element of elements) {
    const amount = readUnsigned(xml.find(element, 'AmtDtls/CntrValAmt/Amt'));
    if ('value' in amount && amount.value.currency === currency) {
      return { cents: cents < 0 ? 0 - amount.value.cents : amount.value.cents, currency };
    }
  }
  return undefined;
}
