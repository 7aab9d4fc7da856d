import type { Step } from '../../step.ts';
import type { DecimalMark } from '../../values.ts';
import { dayOf } from '../../values.ts';
import { type CsvColumns, type DateFormat, dateFormats } from './mapping.ts';

/** Names of columns as banks write them, in lower case and without punctuation. The first in the list wins. */
const names: Readonly<Record<keyof CsvColumns, string>> = {
  date:
    'booking date, posting date, posted date, date posted, transaction date, completed date, date, ' +
    'buchungstag, buchungsdatum, boekdatum, boekingsdatum, datum, date de comptabilisation, ' +
    'date operation, fecha, fecha operacion, data, data contabile, value date, date de valeur',
  amount:
    'amount, transaction amount, amount eur, amount usd, betrag, betrag eur, umsatz, bedrag, bedrag eur, ' +
    'montant, importe, importo, valor, kwota',
  debit: 'debit, debit amount, withdrawal, withdrawals, money out, paid out, soll, af, cargo',
  credit: 'credit, credit amount, deposit, deposits, money in, paid in, haben, bij, abono',
  direction: 'debit credit, credit debit, dr cr, cr dr, af bij, soll haben, transaction type, direction',
  description:
    'description, transaction description, details, narrative, memo, verwendungszweck, buchungstext, omschrijving, ' +
    'mededelingen, libelle, concepto, descripcion, descrizione, causale, payment reference, reference',
  counterparty:
    'counterparty, counterparty name, payee, merchant, name, beneficiary, naam tegenpartij, naam, ' +
    'partner name, beguenstigter zahlungspflichtiger, begunstigter zahlungspflichtiger, ' +
    'auftraggeber empfanger',
  category: 'category, kategorie, categorie, categoria',
  external_id: 'transaction id, id, external id, fitid, volgnr',
  currency: 'currency, currency code, ccy, wahrung, waehrung, munt, muntsoort, devise, divisa',
  balance: 'balance, running balance, account balance, saldo, saldo na trn, solde, saldo nach buchung',
  account: 'account number, account, iban, auftragskonto, iban bban, rekening, account id',
};

function normalize(name: string): string {
  const folded = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return folded.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

export function guessColumns(headers: readonly string[], step: Step): Partial<CsvColumns> {
  // The columns of each name. A repeated one is taken by the next field that it fits.
  const known = new Map<string, number[]>();
  for (const [i, header] of headers.entries()) {
    step(header.length + 1);
    const name = normalize(header);
    const columnsOf = known.get(name);
    if (columnsOf) columnsOf.push(i);
    else known.set(name, [i]);
  }
  const columns: Partial<Record<keyof CsvColumns, string>> = {};
  const taken = new Set<number>();
  const free = (name: string): number | undefined =>
    known.get(name)?.find((i) => {
      step(1);
      return !taken.has(i);
    });
  for (const field of fieldsOf(names)) {
    const at = names[field]
      .split(', ')
      .map(free)
      .find((i) => i !== undefined);
    if (at === undefined) continue;
    taken.add(at);
    columns[field] = headers[at] ?? '';
  }
  return columns;
}

function fieldsOf<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(record) as K[];
}

const moneyOut = new Set(['debit', 'dr', 'd', 'dbit', 'af', 'soll', 's', 'out', 'withdrawal']);
const moneyIn = new Set(['credit', 'cr', 'c', 'crdt', 'bij', 'haben', 'h', 'in', 'deposit']);

/** −1 for money out, 1 for money in, undefined for another word. */
export function readDirection(text: string): 1 | -1 | undefined {
  const word = normalize(text);
  return moneyOut.has(word) ? -1 : moneyIn.has(word) ? 1 : undefined;
}

/** A guess, and what else the sample allows: with alternatives, a person has to choose. */
export interface Guess<T> {
  value: T;
  alternatives: T[];
}

export function parseDay(text: string, format: DateFormat): string | undefined {
  const plain = text.trim();
  const numbers = (pattern: RegExp): number[] => (pattern.exec(plain)?.slice(1) ?? []).map(Number);
  const [a = NaN, b = NaN, c = NaN] =
    format === 'YYYY-MM-DD'
      ? numbers(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].{0,40})?$/)
      : format === 'YYYYMMDD'
        ? numbers(/^(\d{4})(\d\d)(\d\d)$/)
        : format.endsWith('YYYY')
          ? numbers(/^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ].{0,40})?$/)
          : numbers(/^(\d{1,2})[-/.](\d{1,2})[-/.](\d\d)$/);
  if (format.startsWith('YYYY')) return dayOf(a, b, c);
  const year = c < 80 && format.endsWith('/YY') ? c + 2000 : format.endsWith('/YY') ? c + 1900 : c;
  return format.startsWith('DD') ? dayOf(year, b, a) : dayOf(year, a, b);
}

/** The formats that all of the dates have; undefined without one. */
export function guessDateFormat(dates: readonly string[]): Guess<DateFormat> | undefined {
  // Nobody writes the month first between dots.
  const dotted = dates.every((date) => date.includes('.'));
  const fitting = dateFormats.filter(
    (format) => !(dotted && format.startsWith('MM')) && dates.every((date) => parseDay(date, format) !== undefined),
  );
  const [value, ...alternatives] = fitting;
  return value === undefined || dates.length === 0 ? undefined : { value, alternatives };
}

/**
 * The decimal mark that the amounts show; undefined if all are whole. A mark before exactly three digits, as in 1,234, may also
 * be one of groups.
 */
export function guessDecimal(amounts: readonly string[]): Guess<DecimalMark> | undefined {
  const certain = new Set<DecimalMark>();
  let isOpen = false;
  for (const text of amounts) {
    const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
    if (at === -1) continue;
    const [last, other]: [DecimalMark, DecimalMark] = text[at] === '.' ? ['.', ','] : [',', '.'];
    if (text.indexOf(last) !== at) certain.add(other);
    else if (text.includes(other) || !/^\d{3}\D*$/.test(text.slice(at + 1))) certain.add(last);
    else isOpen = true;
  }
  const [value, ...alternatives] = certain;
  if (value !== undefined) return { value, alternatives };
  return isOpen ? { value: '.', alternatives: [','] } : undefined;
}
