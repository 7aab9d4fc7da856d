import { readCurrency } from '../../values.ts';
import { type CsvField, csvFields } from './mapping.ts';

/** Column names of banks, in lower case without accents, most preferred first. */
const names: Readonly<Record<CsvField, string>> = {
  date:
    'booking date, booked date, date booked, posting date, posted date, post date, date posted, completed date, ' +
    'transaction date, trans date, accounting date, entry date, date, buchungstag, buchungsdatum, boekdatum, ' +
    'boekingsdatum, datum, transactiedatum, date de comptabilisation, date comptable, date operation, ' +
    'date de l operation, date d operation, fecha, fecha operacion, fecha de operacion, fecha contable, data, ' +
    'data contabile, data operazione, data registrazione, data movimento, data do movimento, data mov, data lancamento, ' +
    'data operacji, data ksiegowania, data transakcji, bokforingsdag, bokforingsdatum, transaktionsdag, ' +
    'transaktionsdatum, dato, bogforingsdato, bogfort, bokforingsdato, bokfort, kirjauspaiva, datum zauctovani, ' +
    'datum provedeni, konyveles datuma, дата, дата операции, дата проводки, 日付, 取引日, 日期, 交易日期, ' +
    'value date, valutadatum, wertstellung, valuta, date de valeur, fecha valor, data valuta, data valor, data waluty',
  amount:
    'amount, transaction amount, betrag, umsatz, bedrag, transactiebedrag, montant, montant operation, importe, importo, ' +
    'valor, montante, quantia, kwota, kwota operacji, kwota transakcji, belopp, belop, belob, summa, maara, castka, osszeg, ' +
    'сумма, сумма операции, 金額, 金额, value',
  debit:
    'debit, debits, debit amount, withdrawal, withdrawals, withdrawal amount, withdrawal amt, money out, paid out, soll, ' +
    'belastung, belastungen, lastschrift, ausgang, ausgaben, af, afschrijving, debet, debito, cargo, cargos, debe, ' +
    'addebito, addebiti, dare, uscite, saida, saidas, obciazenie, obciazenia, wyplaty, ut fra konto, 出金, 出金金額, ' +
    'お支払金額, 支出, расход',
  credit:
    'credit, credits, credit amount, deposit, deposits, deposit amount, deposit amt, money in, paid in, haben, gutschrift, ' +
    'gutschriften, eingang, einnahmen, bij, bijschrijving, kredit, credito, abono, abonos, haber, accredito, accrediti, ' +
    'avere, entrate, entrada, entradas, uznanie, uznania, wplaty, inn pa konto, 入金, 入金金額, お預り金額, 收入, приход',
  direction:
    'debit credit, credit debit, dr cr, cr dr, d c, c d, dc, cd, d k, dk, s h, sh, af bij, soll haben, debet credit, ' +
    'debet kredit, debit credit indicator, credit debit indicator, debit credit code, transaction type, direction, ' +
    'transaction direction, sens, znak, type',
  description:
    'description, transaction description, original description, details, transaction details, narrative, narration, ' +
    'particulars, memo, remittance information, verwendungszweck, buchungstext, umsatztext, text, omschrijving, ' +
    'mededelingen, mededeling, libelle, libelle operation, label, communication, concepto, descripcion, descrizione, ' +
    'descrizione operazione, causale, descricao, historico, opis, opis operacji, opis transakcji, tytul, rubrik, tekst, ' +
    'forklaring, beskrivning, beskrivelse, selitys, popis, kozlemeny, описание, назначение платежа, 摘要, 内容, ' +
    'avisierungstext, omschrijving 1, payment reference, reference, reason',
  counterparty:
    'counterparty, counterparty name, payee, payee name, merchant, merchant name, name, beneficiary, beneficiary name, ' +
    'partner name, naam tegenpartij, naam, naam omschrijving, beguenstigter zahlungspflichtiger, ' +
    'begunstigter zahlungspflichtiger, auftraggeber empfanger, auftraggeber begunstigter, auftraggeber beguenstigter, ' +
    'zahlungsbeteiligter, name zahlungsbeteiligter, empfanger, contrepartie, beneficiario, controparte, ordenante, ' +
    'kontrahent, nazwa kontrahenta, mottagare, modtager, saaja maksaja',
  category: 'category, kategorie, categorie, categoria, kategoria',
  external_id: 'transaction id, id, external id, fitid, volgnr, id transakcji',
  currency:
    'currency, currency code, ccy, wahrung, waehrung, munt, muntsoort, devise, divisa, moneda, moeda, monn, waluta, mena, ' +
    'penznem, валюта, 通貨, valuta',
  balance:
    'balance, running balance, runningbalance, running bal, account balance, balance after, saldo, saldo na trn, ' +
    'saldo na mutatie, solde, saldo nach buchung, kontostand, saldo po operacji, saldo po transakcji, zustatek, egyenleg, остаток, баланс, 残高, ' +
    '差引残高, 余额',
  account:
    'account number, account, iban, auftragskonto, iban auftragskonto, iban kontoinhaber, iban bban, rekening, rekeningnummer, account id',
  status:
    'status, state, transaction status, payment status, buchungsstatus, umsatzstatus, estado, statut, etat, stato, stan, ' +
    'status transakcji, статус, info',
  fee:
    'fee, fees, fee amount, transaction fee, total fee, total fees, gebuhr, gebuhren, frais, comision, commissione, ' +
    'prowizja',
};

/** Columns with these names often have other contents than direction or status. */
const vague = new Set(['transaction type', 'direction', 'transaction direction', 'sens', 'znak', 'type', 'info']);

const letters: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };

export function fold(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[øłđßæœı]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export interface NamedField {
  field: CsvField;
  rank: number;
}

const known: ReadonlyMap<string, readonly NamedField[]> = Map.groupBy(
  csvFields.flatMap((field) => names[field].split(', ').map((name, rank) => ({ name: fold(name), field, rank }))),
  ({ name }) => name,
);

export function fieldsOf(header: string): readonly NamedField[] {
  if (header.length > 60) return [];
  const name = fold(header);
  // `Betrag (EUR)`, `Saldo in CHF`, `Montant en euros`
  const [, start = '', end = ''] = /^(.+?)(?: (?:in|en|w))? (\S{3}|euros?|euroa)$/.exec(name) ?? [];
  const isCurrency = end.startsWith('euro') || 'value' in readCurrency(end);
  return known.get(name) ?? (start !== '' && isCurrency ? (known.get(start) ?? []) : []);
}

/** The currency in `Amount (EUR)` or `Betrag (€)`. */
export function currencyIn(name = ''): string | undefined {
  if (/€|\beuro(?:s|a)?\b/i.test(name)) return 'EUR';
  const code = /(?:^|[^A-Z])([A-Z]{3})(?:[^A-Z]|$)/.exec(name)?.[1];
  return code !== undefined && 'value' in readCurrency(code) ? code : undefined;
}

export function isVague(header: string): boolean {
  return vague.has(fold(header));
}

/** True for another amount, such as the original one. */
export function isOtherAmount(header: string): boolean {
  const name = fold(header);
  return (
    /^.{1,60} (?:amount|betrag|montant|importe|importo|bedrag|kwota)$|^(?:amount|betrag|montant|importe|importo|bedrag|kwota) .{4,60}$/.test(
      name,
    ) && !fieldsOf(header).some(({ field }) => field === 'fee')
  );
}

export function isStatus(header: string): boolean {
  return /status$|^statut$|^статус$/.test(fold(header));
}

/** True if the name doesn't say whose account it is. */
export function isBareAccount(header: string): boolean {
  const name = fold(header);
  return name === 'iban' || name === 'account';
}

/** True for the own account, or the other party's if it has IBANs. */
export function isAccountNumber(header: string): boolean {
  return fold(header) === 'account number';
}

const net = new Set(['net', 'net amount', 'netto', 'nettobetrag', 'net total', 'montant net', 'neto', 'importe neto']);

export function isNet(header: string): boolean {
  return net.has(fold(header));
}
