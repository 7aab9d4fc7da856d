// Risk: a bank's CSV file is rejected, or read with a wrong amount, account or text without a question.
import { describe, expect, test } from 'vitest';
import type { Answers } from '../src/index.ts';
import { read } from './read.ts';
import { asksOf, problemsOf } from './read-csv.ts';

interface BankFileCase {
  name: string;
  lines: string[];
  asks?: string[];
  answers?: Answers;
  /** "day amount currency | text | counterparty", by the connection. */
  rows: Record<string, string[]>;
  balances?: string[];
  problems?: string[];
}

const cases: BankFileCase[] = [
  {
    name: 'Chase, a checking account',
    lines: [
      'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #',
      'DEBIT,11/20/2026,"AWS.AMAZON.CO WA",-120.50,DEBIT_CARD,4879.50,,',
      'CREDIT,11/19/2026,"STRIPE TRANSFER ST-1",2000.00,ACH_CREDIT,5000.00,,',
      'CHECK,11/18/2026,"CHECK 1204",-500.00,CHECK_PAID,3000.00,1204,',
    ],
    asks: ['currency', 'account'],
    answers: { connection: 'chase', currency: 'USD' },
    rows: {
      chase: [
        '2026-11-20 -12050 USD | AWS.AMAZON.CO WA',
        '2026-11-19 200000 USD | STRIPE TRANSFER ST-1',
        '2026-11-18 -50000 USD | CHECK 1204',
      ],
    },
    balances: ['2026-11-18 300000', '2026-11-19 500000', '2026-11-20 487950'],
  },
  {
    name: 'DKB',
    lines: [
      '"Girokonto";"DE02120300000000202051"',
      '"Kontostand vom 24.11.2026:";"954,90 €"',
      '""',
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)"',
      '"24.11.26";"24.11.26";"Vorgemerkt";"ISSUER";"REWE";"Karte";"Ausgang";"DE96120300009005290904";"-10,00"',
      '"20.11.26";"20.11.26";"Gebucht";"ISSUER";"Stadtwerke";"Strom";"Ausgang";"DE96120300009005290904";"-45,10"',
      '"31.10.26";"31.10.26";"Gebucht";"ACME GmbH";"Ich";"RE 1";"Eingang";"DE89370400440532013000";"1.000,00"',
    ],
    asks: ['column account'],
    answers: { connection: 'dkb', csv: { columns: { account: '' } } },
    rows: { dkb: ['2026-11-20 -4510 EUR | Strom', '2026-10-31 100000 EUR | RE 1'] },
    problems: ['unbooked 5'],
  },
  {
    name: 'Sparkasse, CSV-CAMT',
    lines: [
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"',
      '"DE02500105170137075030";"24.11.26";"24.11.26";"KARTENZAHLUNG";"Einkauf";"REWE";"DE96120300009005290904";"X";"-10,00";"EUR";"Umsatz vorgemerkt"',
      '"DE02500105170137075030";"31.10.26";"31.10.26";"LASTSCHRIFT";"Strom";"Stadtwerke";"DE96120300009005290904";"X";"-45,10";"EUR";"Umsatz gebucht"',
    ],
    rows: { DE02500105170137075030: ['2026-10-31 -4510 EUR | Strom | Stadtwerke'] },
    problems: ['unbooked 2'],
  },
  {
    name: 'N26 until 2023',
    lines: [
      '"Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)","Amount (Foreign Currency)","Type Foreign Currency","Exchange Rate"',
      '"2026-11-20","REWE","","MasterCard Payment","","-45.10","-45.10","EUR","1.0"',
      '"2026-11-21","ACME","DE89370400440532013000","Income","RE 1","1000.00","","",""',
      '"2026-11-22","Anna","DE96120300009005290904","Outgoing Transfer","Rent","-700.00","","",""',
    ],
    asks: ['column account', 'account'],
    answers: { connection: 'n26', csv: { columns: { account: '' } } },
    rows: {
      n26: [
        '2026-11-20 -4510 EUR |  | REWE',
        '2026-11-21 100000 EUR | RE 1 | ACME',
        '2026-11-22 -70000 EUR | Rent | Anna',
      ],
    },
  },
  {
    name: 'PostFinance',
    lines: [
      'Datum von:;="2026-11-01"',
      'Konto:;="CH9300762011623852957"',
      '',
      'Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie;Saldo in CHF',
      '20.11.2026;Kauf;KAUF MIGROS;;-45.10;;;954.90',
      '19.11.2026;Gutschrift;ACME AG;1000;;;;1000.00',
      '',
      'Disclaimer:',
      'Der Dokumentinhalt wurde durch Filtereinstellungen generiert.',
    ],
    asks: ['account'],
    answers: { connection: 'post' },
    rows: { post: ['2026-11-20 -4510 CHF | KAUF MIGROS', '2026-11-19 100000 CHF | ACME AG'] },
    balances: ['2026-11-19 100000', '2026-11-20 95490'],
  },
  {
    name: 'mBank',
    lines: [
      '#Data operacji;#Opis operacji;#Kwota;#Saldo po operacji',
      '2026-11-19;"WPLATA ACME";1 000,00 PLN;1 000,00 PLN',
      '2026-11-20;"ZABKA";-45,10 PLN;954,90 PLN',
      ';;#Saldo końcowe;954,90 PLN',
    ],
    asks: ['account'],
    answers: { connection: 'mbank' },
    rows: { mbank: ['2026-11-19 100000 PLN | WPLATA ACME', '2026-11-20 -4510 PLN | ZABKA'] },
    balances: ['2026-11-19 100000', '2026-11-20 95490'],
  },
  {
    name: 'Nordea in Sweden',
    lines: [
      'Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta',
      'Reserverat;-55,00;1234 56 78901;;;ICA;;SEK',
      '2026/11/20;-451,00;1234 56 78901;;;Kortköp ICA;9549,00;SEK',
      '2026/11/19;10000,00;;1234 56 78901;ACME;Insättning;10000,00;SEK',
    ],
    asks: ['account'],
    answers: { connection: 'nordea' },
    rows: {
      nordea: ['2026-11-20 -45100 SEK | Kortköp ICA', '2026-11-19 1000000 SEK | Insättning | 1234 56 78901'],
    },
    balances: ['2026-11-19 1000000', '2026-11-20 954900'],
    problems: ['unbooked 2'],
  },
  {
    name: 'Danske Bank',
    lines: [
      '"Dato";"Tekst";"Beløb";"Saldo";"Status"',
      '"24.11.2026";"Husleje";"-5.000,00";"";"Venter"',
      '"20.11.2026";"Netto";"-451,00";"9.549,00";"Udført"',
      '"19.11.2026";"Acme";"10.000,00";"10.000,00";"Udført"',
    ],
    asks: ['currency', 'account'],
    answers: { connection: 'danske', currency: 'DKK' },
    rows: { danske: ['2026-11-20 -45100 DKK | Netto', '2026-11-19 1000000 DKK | Acme'] },
    balances: ['2026-11-19 1000000', '2026-11-20 954900'],
    problems: ['unbooked 2'],
  },
  {
    name: 'Rabobank',
    lines: [
      '"IBAN/BBAN","Munt","Volgnr","Datum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN","Naam tegenpartij","Omschrijving-1"',
      '"NL44RABO0123456789","EUR","1","2026-11-19","+1000,00","+1000,00","NL91ABNA0417164300","ACME","Factuur 1"',
      '"NL44RABO0123456789","EUR","2","2026-11-20","-45,10","+954,90","","Jumbo","Boodschappen"',
    ],
    rows: {
      NL44RABO0123456789: ['2026-11-19 100000 EUR | Factuur 1 | ACME', '2026-11-20 -4510 EUR | Boodschappen | Jumbo'],
    },
    balances: ['2026-11-19 100000', '2026-11-20 95490'],
  },
  {
    name: 'PKO BP',
    lines: [
      '"Data operacji","Typ transakcji","Kwota","Waluta","Saldo po transakcji","Opis transakcji"',
      '"2026-11-20","Karta","-45.10","PLN","954.90","ZABKA"',
      '"2026-11-19","Przelew","1000.00","PLN","1000.00","ACME"',
    ],
    asks: ['account'],
    answers: { connection: 'pko' },
    rows: { pko: ['2026-11-20 -4510 PLN | ZABKA', '2026-11-19 100000 PLN | ACME'] },
    balances: ['2026-11-19 100000', '2026-11-20 95490'],
  },
  {
    name: 'NatWest',
    lines: [
      'Date,Type,Description,Value,Balance,Account Name,Account Number',
      '20/11/2026,POS,TESCO,-45.10,954.90,ACME LTD,601234-12345678',
      '19/11/2026,BAC,INVOICE 1,1000.00,1000.00,ACME LTD,601234-12345678',
    ],
    asks: ['currency'],
    answers: { currency: 'GBP' },
    rows: { '601234-12345678': ['2026-11-20 -4510 GBP | TESCO', '2026-11-19 100000 GBP | INVOICE 1'] },
    balances: ['2026-11-19 100000', '2026-11-20 95490'],
  },
  {
    name: 'a bank with the currency in words, and with the IBAN of the account holder',
    lines: [
      'IBAN Kontoinhaber;Date;Libellé;Montant opération en euro',
      'FR7630006000011234567890189;20/11/2026;CARREFOUR;-45,10',
    ],
    rows: { FR7630006000011234567890189: ['2026-11-20 -4510 EUR | CARREFOUR'] },
  },
];

describe('files of banks', () => {
  test.each(cases)('$name', async ({ lines, asks = [], answers = {}, rows, balances = [], problems = [] }) => {
    const text = `${lines.join('\n')}\n`;
    expect(asksOf(await read(text))).toEqual(asks);
    const file = await read(text, answers);
    expect([asksOf(file), problemsOf(file)]).toEqual([[], problems]);
    const stored = file.accounts.map(({ connection_id, transactions }) => [
      connection_id,
      transactions.map(({ posted_at, amount_cents, currency, description, counterparty }) => {
        const parts = [`${posted_at.slice(0, 10)} ${amount_cents} ${currency}`, description];
        return [...parts, ...(counterparty ? [counterparty] : [])].join(' | ');
      }),
    ]);
    expect(Object.fromEntries(stored)).toEqual(rows);
    const ends = file.accounts.flatMap((account) => account.balances);
    expect(ends.map(({ as_of, balance_cents }) => `${as_of} ${balance_cents}`).toSorted()).toEqual(balances);
  });
});
