import type { Expected, ExpectedSequence } from './check-entry.ts';

/** The questions for account and currency, and their answers. Without `currency`, the file names it. */
function of(connection: string, currency?: string): Pick<Expected, 'asks' | 'answers'> {
  if (currency === undefined) return { asks: ['account'], answers: { connection } };
  return { asks: ['currency', 'account'], answers: { connection, csv: { currency } } };
}

/**
 * Expected values of the CSV inputs and of files that are no bank files, written manually from the files. Today is
 * 2026-11-25, the time zone UTC, the base currency USD; each file is imported into an empty company. Lists are multisets.
 */
export const expected: readonly Expected[] = [
  {
    file: 'csv-ambiguous-dates.csv',
    asks: ['date_format', 'currency', 'account'],
    answers: { connection: 'checking', csv: { date_format: 'DD/MM/YYYY', currency: 'EUR' } },
    rows: ['checking | 2026-04-03 | -4.00 EUR | A', 'checking | 2026-06-05 | -1.00 EUR | B'],
    note: 'Both orders give possible days (MM/DD/YYYY: 2026-03-04 and 2026-05-06).',
  },
  {
    file: 'csv-amex-inverted.csv',
    asks: ['currency', 'account'],
    answers: { connection: 'amex', csv: { currency: 'USD', inverted: true } },
    rows: ['amex | 2026-09-15 | -300.00 USD | HOTEL', 'amex | 2026-09-16 | 300.00 USD | PAYMENT'],
    note: 'Rule 3a takes the minus as written, so no sign question: without `inverted` the rows are 300.00 HOTEL and -300.00 PAYMENT; only a person knows that a card writes purchases as positive.',
  },
  {
    file: 'csv-amount-with-code.csv',
    ...of('checking'),
    rows: ['checking | 2026-09-15 | -12.50 EUR | A', 'checking | 2026-09-16 | 1234.50 EUR | B'],
    note: 'The code after each amount is the currency, so it is no question.',
  },
  {
    file: 'csv-apostrophe-ch.csv',
    ...of('checking', 'CHF'),
    rows: ['checking | 2026-09-15 | -1234.50 CHF | A', 'checking | 2026-09-16 | 2000.00 CHF | B'],
    balances: ['checking | 2026-09-15 | 10000.00 CHF', 'checking | 2026-09-16 | 12000.00 CHF'],
    note: "Text, Belastung, Gutschrift are known names; both ’ and ' group; 10000.00 + 2000.00 = 12000.00.",
  },
  {
    file: 'csv-backslash-quote.csv',
    ...of('checking', 'USD'),
    rows: ['checking | 2026-09-15 | -4.00 USD | SAY "HI"', 'checking | 2026-09-16 | -1.00 USD | B'],
    note: 'The backslash escapes the quote and is no part of the text.',
  },
  {
    file: 'csv-bank-a.csv',
    ...of('bank-a', 'USD'),
    rows: ['bank-a | 2026-09-15 | -4.00 USD | SHOP A', 'bank-a | 2026-09-30 | -5.00 USD | MONTHLY FEE'],
    balances: ['bank-a | 2026-09-15 | 100.00 USD', 'bank-a | 2026-09-30 | 95.00 USD'],
  },
  {
    file: 'csv-bank-b.csv',
    ...of('bank-b', 'USD'),
    rows: ['bank-b | 2026-09-16 | -7.00 USD | SHOP B', 'bank-b | 2026-09-30 | -5.00 USD | MONTHLY FEE'],
    balances: ['bank-b | 2026-09-16 | 2000.00 USD', 'bank-b | 2026-09-30 | 1995.00 USD'],
  },
  {
    file: 'csv-bank-same-headers-2.csv',
    asks: ['date_format', 'currency', 'account'],
    answers: { connection: 'checking', csv: { date_format: 'MM/DD/YYYY', currency: 'USD' } },
    rows: ['checking | 2026-09-03 | 1000.00 USD | CUSTOMER PAYS', 'checking | 2026-09-04 | -700.00 USD | RENT'],
    note: 'Without the row of 15 September both orders are possible; a saved mapping with equal headers must not answer by itself.',
  },
  {
    file: 'csv-bank-same-headers.csv',
    ...of('checking', 'USD'),
    rows: [
      'checking | 2026-09-03 | 1000.00 USD | CUSTOMER PAYS',
      'checking | 2026-09-04 | -700.00 USD | RENT',
      'checking | 2026-09-15 | -20.00 USD | SHOP',
    ],
    note: '09/15 proves MM/DD/YYYY.',
  },
  {
    file: 'csv-bom.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -1.00 EUR | Ä'],
  },
  {
    file: 'csv-citi-credit-negative.csv',
    ...of('citi', 'USD'),
    rows: [
      'citi | 2026-09-15 | -25.00 USD | STORE',
      'citi | 2026-09-16 | 100.00 USD | PAYMENT THANK YOU',
      'citi | 2026-09-17 | 5.00 USD | REFUND STORE',
    ],
    note: 'All credits are negative, so the minus repeats the column; "Cleared" is a booked status.',
  },
  {
    file: 'csv-commas-in-semicolon.csv',
    ...of('checking', 'EUR'),
    rows: [
      'checking | 2026-09-15 | -1234.50 EUR | Miete, Strom, Gas, Wasser, Heizung',
      'checking | 2026-09-16 | -12.50 EUR | Tee, Kaffee, Milch, Zucker',
    ],
    note: 'Only the semicolon gives all lines the same width.',
  },
  {
    file: 'csv-cr-dr-suffix.csv',
    ...of('checking', 'USD'),
    rows: ['checking | 2026-09-15 | 100.00 USD | A', 'checking | 2026-09-16 | -40.00 USD | B'],
  },
  {
    file: 'csv-cr-only.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -1.00 EUR | A', 'checking | 2026-09-16 | -2.00 EUR | B'],
  },
  {
    file: 'csv-cut-amount.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -4.00 EUR | A'],
    problems: ['row 3'],
    exit: 1,
    note: 'The last line does not end, and its amount has fewer decimals than all others.',
  },
  {
    file: 'csv-cut.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -4.00 EUR | A'],
    problems: ['row 3'],
    exit: 1,
    note: 'The file has no balances, so the row that is cut off is a row problem and no contradiction.',
  },
  {
    file: 'csv-dash-empty.csv',
    ...of('checking', 'CHF'),
    rows: ['checking | 2026-05-27 | 500.00 CHF | Dummy 1', 'checking | 2026-05-24 | -500.00 CHF | Dummy 2'],
    balances: ['checking | 2026-05-27 | 2000.00 CHF'],
    note: '"-" is an empty cell, in the balance too; the day of Dummy 2 has no balance.',
  },
  {
    file: 'csv-dc-header.csv',
    ...of('checking'),
    rows: ['checking | 2026-09-15 | -33.50 EUR | Supplier', 'checking | 2026-09-16 | 1533.50 EUR | Customer'],
  },
  {
    file: 'csv-de-cp1252.csv',
    ...of('checking'),
    rows: ['checking | 2026-09-15 | -1234.50 EUR | Größe Ä €', 'checking | 2026-09-16 | 2.00 EUR | B'],
    note: 'Windows-1252 gives a known column name and whole words, so the encoding is no question; YY/MM/DD would be 2015 and 2016, more than ten years ago; Valuta is the value date here.',
  },
  {
    file: 'csv-debit-negative-refund.csv',
    ...of('checking', 'USD'),
    rows: [
      'checking | 2026-09-15 | -25.00 USD | STORE',
      'checking | 2026-09-16 | 5.00 USD | STORE REFUND',
      'checking | 2026-09-17 | 100.00 USD | PAY',
    ],
    note: 'The debit column mixes signs, so its minus reverses it.',
  },
  {
    file: 'csv-direction-blank.csv',
    asks: ['sign', 'currency', 'account'],
    answers: { connection: 'checking', sign: 'in', csv: { currency: 'USD' } },
    rows: [
      'checking | 2026-09-01 | 1000.00 USD | Salary',
      'checking | 2026-09-02 | -700.00 USD | Rent',
      'checking | 2026-09-03 | 5.00 USD | Fee reversal',
      'checking | 2026-09-04 | -25.00 USD | Shop',
    ],
    note: 'Line 4 has neither sign nor direction, so `sign` asks about the rows with an empty direction only; the others are as their words say.',
  },
  {
    file: 'csv-direction-footer.csv',
    ...of('checking', 'USD'),
    rows: [
      'checking | 2026-09-01 | 1000.00 USD | Salary',
      'checking | 2026-09-02 | -700.00 USD | Rent',
      'checking | 2026-09-04 | -25.00 USD | Shop',
    ],
    note: 'The line "Total" is a footer: no row, no problem, and no reason to ask for a sign (1725.00 is the sum of the unsigned amounts).',
  },
  {
    file: 'csv-dk-belopp.csv',
    ...of('checking'),
    rows: ['checking | 2026-09-15 | -12.50 SEK | SHOP'],
    balances: ['checking | 2026-09-15 | 100.00 SEK'],
    note: 'Rubrik is the description, Valuta the currency (its cells are codes, unlike those of the German Valuta); Avsändare is a number of the sender and is not used.',
  },
  {
    file: 'csv-double-minus.csv',
    ...of('checking', 'USD'),
    rows: ['checking | 2026-09-15 | -21.78 USD | Purchase', 'checking | 2026-09-15 | 21.78 USD | Rev:Purchase'],
    note: 'Two minus signs are a reversal, as the findings say; "$" does not say which dollar, so the currency is asked.',
  },
  {
    file: 'csv-dup-headers-date.csv',
    asks: ['column:amount', 'column:currency', 'column:description', 'account'],
    answers: {
      connection: 'checking',
      csv: { columns: { date: 'Datum', description: 'Buchung', amount: '4', currency: '6' } },
    },
    rows: ['checking | 2026-09-15 | -3.50 EUR | A'],
    note: 'A name that occurs twice is asked and chosen by the number of the column; "Buchung" is a date at some banks and a text here, so the description is asked too.',
  },
  {
    file: 'csv-dup-headers.csv',
    asks: ['column', 'currency', 'account'],
    answers: {
      connection: 'checking',
      csv: { columns: { date: 'Date', description: 'Description', amount: '4' }, currency: 'EUR' },
    },
    rows: ['checking | 2026-09-15 | -3.50 EUR | A', 'checking | 2026-09-16 | -0.90 EUR | B'],
    note: 'The question is about `amount`; the answer names the second "Amount" by its number (the first, 3, would give -4.00 and -1.00).',
  },
  {
    file: 'csv-dutch-afbij.csv',
    rows: [
      'NL00BANK0123456789 | 2026-09-15 | -12.50 EUR | Kaart 1 / SHOP',
      'NL00BANK0123456789 | 2026-09-16 | 1000.00 EUR | INV / ACME',
    ],
    note: 'Rekening is the account, Tegenrekening is not; Mededelingen is the description and "Naam / Omschrijving" the counterparty.',
  },
  {
    file: 'csv-empty-lines.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -4.00 EUR | A', 'checking | 2026-09-16 | -1.00 EUR | B'],
    note: 'The line ",," carries no row.',
  },
  {
    file: 'csv-excel-serial.csv',
    ...of('checking', 'USD'),
    rows: ['checking | 2026-09-01 | -1.00 USD | A', 'checking | 2026-09-05 | -2.00 USD | B'],
    note: 'Days since 1899-12-30; with the epoch of 1904 they would lie in 2030, so one reading is possible.',
  },
  {
    file: 'csv-footer-balance.csv',
    ...of('checking', 'USD'),
    rows: [
      'checking | 2026-09-01 | -10.00 USD | A',
      'checking | 2026-09-01 | -20.00 USD | B',
      'checking | 2026-09-02 | -5.00 USD | C',
      'checking | 2026-09-02 | -15.00 USD | D',
    ],
    balances: ['checking | 2026-09-01 | 70.00 USD', 'checking | 2026-09-02 | 50.00 USD'],
    note: 'The line "Total" is a footer.',
  },
  {
    file: 'csv-formula.csv',
    asks: ['date_format', 'currency', 'account'],
    answers: { connection: 'checking', csv: { date_format: 'YYYY-MM-DD', currency: 'EUR' } },
    rows: ['checking | 2026-09-15 | -1.00 EUR | =1+1'],
    problems: ['row 3'],
    exit: 1,
    note: 'No format reads all dates, so it is a question that names line 3; with the answer that row is left out.',
  },
  {
    file: 'csv-headerless-dk.csv',
    asks: ['column:date', 'column:amount', 'column:description', 'currency', 'account'],
    answers: {
      connection: 'checking',
      csv: { header_record: 0, columns: { date: '1', description: '2', amount: '3' }, currency: 'DKK' },
    },
    rows: ['checking | 2026-09-13 | -326.03 DKK | Shop one', 'checking | 2026-09-07 | -143.00 DKK | Shop two'],
    note: 'The first line is a row; 13-09 proves DD/MM/YYYY once the column is named.',
  },
  {
    file: 'csv-headerless-wf.csv',
    asks: ['column:date', 'column:amount', 'column:description', 'currency', 'account'],
    answers: {
      connection: 'checking',
      csv: { header_record: 0, columns: { date: '1', amount: '2', description: '5' }, currency: 'USD' },
    },
    rows: [
      'checking | 2026-09-15 | -12.50 USD | STORE ONE',
      'checking | 2026-09-14 | -20.00 USD | STORE TWO',
      'checking | 2026-09-13 | 100.00 USD | PAYROLL',
    ],
    note: 'Three rows, the first line included.',
  },
  {
    file: 'csv-id-overlap-1.csv',
    ...of('checking'),
    rows: ['checking | 2026-09-15 | -100.00 EUR | Sent money', 'checking | 2026-09-15 | -0.50 EUR | Fee for TR-1'],
    note: 'One id for two transactions is no problem: the service compares content.',
  },
  {
    file: 'csv-id-overlap-2.csv',
    ...of('checking'),
    rows: [
      'checking | 2026-09-16 | -50.00 EUR | Sent money',
      'checking | 2026-09-15 | -0.50 EUR | Fee for TR-1',
      'checking | 2026-09-15 | -100.00 EUR | Sent money',
    ],
  },
  {
    file: 'csv-iso-tz.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -4.00 EUR | A', 'checking | 2026-09-16 | -1.00 EUR | B'],
    note: 'The day is the one that the bank wrote, whatever its zone, as in OFX (in UTC the first would be 16 September).',
  },
  {
    file: 'csv-jp-sjis.csv',
    asks: ['encoding', 'currency', 'account'],
    answers: {
      encoding: 'shift_jis',
      connection: 'checking',
      csv: {
        columns: { date: '日付', description: '摘要', debit: '出金', credit: '入金', balance: '残高' },
        currency: 'JPY',
      },
    },
    rows: ['checking | 2026-09-15 | -1000 JPY | カード'],
    balances: ['checking | 2026-09-15 | 5000 JPY'],
    note: 'No declaration, and neither UTF-8 nor Windows-1252 fits; the other questions are those of the best encoding, in which the column names are known (else `column:…` is asked too; the answers name the columns either way).',
  },
  {
    file: 'csv-jpy.csv',
    asks: ['decimal', 'currency', 'account'],
    answers: { connection: 'checking', csv: { currency: 'JPY' } },
    rows: ['checking | 2026-09-15 | -1000 JPY | A', 'checking | 2026-09-16 | 12000 JPY | B'],
    note: 'A currency without decimals answers the question about the decimal mark; while the currency is open, the mark is open too.',
  },
  {
    file: 'csv-junk-before-header.csv',
    ...of('checking'),
    rows: ['checking | 2026-09-15 | -12.50 EUR | INV 1 / SHOP', 'checking | 2026-09-16 | 1000.00 EUR | INV 2 / ACME'],
    note: "The column Kontonummer is the other side's account, not the own one; the number and the balance in the lines before the names are not read (the number may be suggested as the connection).",
  },
  {
    file: 'csv-lt-dk-flag.csv',
    ...of('checking'),
    rows: ['checking | 2026-09-15 | -13.44 EUR |  / SHOP', 'checking | 2026-09-16 | 20.00 EUR |  / ACME'],
    note: 'Payee is the counterparty and no column is left that could be a description, so it is empty and not asked.',
  },
  {
    file: 'csv-month-names-us.csv',
    ...of('checking', 'USD'),
    rows: ['checking | 2026-09-01 | -1.00 USD | A', 'checking | 2026-09-13 | -2.00 USD | B'],
  },
  {
    file: 'csv-month-names.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-01 | -1.00 EUR | A', 'checking | 2026-09-13 | -2.00 EUR | B'],
  },
  {
    file: 'csv-more-decimals.csv',
    asks: ['decimal', 'currency', 'account'],
    answers: { connection: 'checking', csv: { decimal: '.', currency: 'EUR' } },
    rows: ['checking | 2026-09-16 | -1.10 EUR | B'],
    problems: ['row 2'],
    exit: 1,
    note: 'Three digits after a lone point may be a group; with the point as decimal mark 4.005 has more decimals than EUR and is not rounded, while 1.100 is 1.10.',
  },
  {
    file: 'csv-nbsp-fr.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -1234.50 EUR | A', 'checking | 2026-09-16 | 2000.00 EUR | B'],
  },
  {
    file: 'csv-nofooter-balance.csv',
    ...of('checking', 'USD'),
    rows: [
      'checking | 2026-09-01 | -10.00 USD | A',
      'checking | 2026-09-01 | -20.00 USD | B',
      'checking | 2026-09-02 | -5.00 USD | C',
      'checking | 2026-09-02 | -15.00 USD | D',
    ],
    balances: ['checking | 2026-09-01 | 70.00 USD', 'checking | 2026-09-02 | 50.00 USD'],
  },
  {
    file: 'csv-one-day-newest-first.csv',
    ...of('checking', 'USD'),
    rows: [
      'checking | 2026-09-02 | -15.00 USD | D',
      'checking | 2026-09-02 | -5.00 USD | C',
      'checking | 2026-09-02 | -20.00 USD | B',
    ],
    balances: ['checking | 2026-09-02 | 50.00 USD'],
    note: 'The running balance proves newest first: 70.00 - 5.00 = 65.00, 65.00 - 15.00 = 50.00.',
  },
  {
    file: 'csv-overlap-1.csv',
    ...of('checking', 'USD'),
    rows: [
      'checking | 2026-09-15 | -4.50 USD | COFFEE',
      'checking | 2026-09-15 | -4.50 USD | COFFEE',
      'checking | 2026-09-16 | -9.00 USD | LUNCH',
      'checking | 2026-09-17 | -4.50 USD | COFFEE',
    ],
  },
  {
    file: 'csv-overlap-2.csv',
    ...of('checking', 'USD'),
    rows: [
      'checking | 2026-09-17 | -4.50 USD | COFFEE',
      'checking | 2026-09-17 | -4.50 USD | COFFEE',
      'checking | 2026-09-16 | -9.00 USD | LUNCH',
      'checking | 2026-09-15 | -4.50 USD | COFFEE',
      'checking | 2026-09-15 | -4.50 USD | COFFEE',
    ],
  },
  {
    file: 'csv-parens-currency.csv',
    ...of('checking', 'USD'),
    rows: [
      'checking | 2026-09-15 | -33.52 USD | A',
      'checking | 2026-09-16 | -182.77 USD | B',
      'checking | 2026-09-17 | 1000.00 USD | C',
      'checking | 2026-09-18 | -5.00 USD | D',
      'checking | 2026-09-19 | -6.00 USD | E',
    ],
    note: '"$" does not say which dollar, so the currency is asked (the base currency may be suggested).',
  },
  {
    file: 'csv-paypal.csv',
    asks: ['column:amount', 'column:description', 'account:/EUR', 'account:/USD'],
    answers: {
      connection: { '/EUR': 'paypal-eur', '/USD': 'paypal-usd' },
      csv: {
        columns: {
          date: 'Date',
          amount: 'Net',
          description: 'Type',
          counterparty: 'Name',
          currency: 'Currency',
          status: 'Status',
          external_id: 'Transaction ID',
          balance: 'Balance',
        },
      },
    },
    rows: [
      'paypal-eur | 2026-09-15 | 97.00 EUR | Payment / CUST',
      'paypal-usd | 2026-09-16 | -20.00 USD | Conversion',
      'paypal-eur | 2026-09-16 | 18.00 EUR | Conversion',
    ],
    balances: [
      'paypal-eur | 2026-09-15 | 97.00 EUR',
      'paypal-eur | 2026-09-16 | 115.00 EUR',
      'paypal-usd | 2026-09-16 | 0.00 USD',
    ],
    problems: ['unbooked 3'],
    note: 'Gross and Net both satisfy the running balance (the fee is in the first row, before which there is none), so the amount is asked; each currency needs its connection; 97.00 of 15 September is the end of that day, beside the two balances that the findings name.',
  },
  {
    file: 'csv-pl-cp1250.csv',
    asks: ['encoding', 'account'],
    answers: { encoding: 'windows-1250', connection: 'checking' },
    rows: ['checking | 2026-09-15 | -12.50 PLN | ŻABKA Łódź zażółć'],
    note: 'No declaration, and Windows-1252 puts signs into words (¯ABKA); the column names are ASCII, so the other questions do not depend on it. Waluta is the currency.',
  },
  {
    file: 'csv-quoted-newline.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -4.00 EUR | LINE 1 LINE 2', 'checking | 2026-09-16 | -1.00 EUR | B'],
  },
  {
    file: 'csv-quoted-stray.csv',
    ...of('checking', 'USD'),
    rows: ['checking | 2026-09-15 | -4.00 USD | PIPE 5" LONG', 'checking | 2026-09-16 | -1.00 USD | B'],
    note: 'A quote that no separator follows is a part of the text.',
  },
  {
    file: 'csv-revolut-fee.csv',
    ...of('revolut'),
    rows: ['revolut | 2026-09-01 | 1000.00 EUR | Top-Up', 'revolut | 2026-09-02 | -100.20 EUR | To supplier'],
    balances: ['revolut | 2026-09-01 | 1000.00 EUR', 'revolut | 2026-09-02 | 899.80 EUR'],
    problems: ['unbooked 4', 'unbooked 5'],
    note: 'The running balance proves amount minus fee (1000.00 - 100.00 - 0.20 = 899.80), one row; REVERTED and PENDING are left out; Completed Date is the day.',
  },
  {
    file: 'csv-ru-cp1251.csv',
    asks: ['encoding', 'account'],
    answers: {
      encoding: 'windows-1251',
      connection: 'checking',
      csv: { columns: { date: 'Дата', description: 'Описание', amount: 'Сумма', currency: 'Валюта' } },
    },
    rows: ['checking | 2026-09-15 | -12.50 RUB | Оплата'],
    note: 'No declaration, and under Windows-1252 no column name is known; the other questions are those of the best encoding, in which the names are known (else `column:…` is asked too; the answers name the columns either way).',
  },
  {
    file: 'csv-sci-ids-2.csv',
    ...of('checking'),
    rows: ['checking | 2026-09-02 | -2.00 EUR | B', 'checking | 2026-09-03 | -3.00 EUR | C'],
  },
  {
    file: 'csv-sci-ids.csv',
    ...of('checking'),
    rows: ['checking | 2026-09-01 | -1.00 EUR | A', 'checking | 2026-09-02 | -2.00 EUR | B'],
    note: 'Ids that a spreadsheet rounded to one value are no problem: the service compares content.',
  },
  {
    file: 'csv-semicolon-3cols-us.csv',
    ...of('checking', 'USD'),
    rows: ['checking | 2026-09-15 | -1234.50 USD | a, b, c, d', 'checking | 2026-09-16 | -2.50 USD | a, b, c'],
  },
  {
    file: 'csv-sep-line.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -1.00 EUR | A'],
  },
  {
    file: 'csv-signed-both.csv',
    ...of('checking', 'USD'),
    rows: ['checking | 2026-09-15 | -25.00 USD | STORE', 'checking | 2026-09-17 | 100.00 USD | PAY'],
    balances: ['checking | 2026-09-15 | 75.00 USD', 'checking | 2026-09-17 | 175.00 USD'],
    note: 'The only debit is negative, so the minus repeats the column.',
  },
  {
    file: 'csv-stray-quote.csv',
    ...of('checking', 'USD'),
    rows: ['checking | 2026-09-15 | -400.00 USD | TV 40" SHOP', 'checking | 2026-09-16 | -1.00 USD | B'],
  },
  {
    file: 'csv-tab-comma-decimal.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -1234.50 EUR | A', 'checking | 2026-09-16 | 2.00 EUR | B'],
    balances: ['checking | 2026-09-15 | 10.00 EUR', 'checking | 2026-09-16 | 12.00 EUR'],
  },
  {
    file: 'csv-time-first.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-23 | -4.00 EUR | A'],
  },
  {
    file: 'csv-time-hhmm.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -4.00 EUR | A', 'checking | 2026-09-16 | -1.00 EUR | B'],
    note: 'YY/MM/DD would be 2015-09-26 and 2016-09-26, more than ten years ago, so DD/MM/YY is decided.',
  },
  {
    file: 'csv-total-in-middle-header.csv',
    ...of('checking', 'USD'),
    rows: ['checking | 2026-09-15 | -25.00 USD | SHOP', 'checking | 2026-09-16 | 50.00 USD | PAY'],
    balances: ['checking | 2026-09-15 | 75.00 USD', 'checking | 2026-09-16 | 125.00 USD'],
    note: 'The lines before the names and "Beginning balance", which has no amount, carry no row; 100.00 is the opening balance of the proof and is not stored.',
  },
  {
    file: 'csv-trailing-minus.csv',
    ...of('checking', 'USD'),
    rows: [
      'checking | 2026-09-15 | -5.00 USD | A',
      'checking | 2026-09-16 | -1200.00 USD | B',
      'checking | 2026-09-17 | 2000.00 USD | C',
    ],
  },
  {
    file: 'csv-two-currencies-balance.csv',
    asks: ['account:/EUR', 'account:/USD'],
    answers: { connection: { '/EUR': 'wise-eur', '/USD': 'wise-usd' } },
    rows: [
      'wise-eur | 2026-09-01 | 100.00 EUR | Top up',
      'wise-eur | 2026-09-02 | -20.00 EUR | Buy USD',
      'wise-usd | 2026-09-02 | 23.00 USD | Buy USD',
    ],
    balances: [
      'wise-eur | 2026-09-01 | 100.00 EUR',
      'wise-eur | 2026-09-02 | 80.00 EUR',
      'wise-usd | 2026-09-02 | 23.00 USD',
    ],
    note: 'Without an account number each currency needs its own connection; one `--connection ID` for both is rejected.',
  },
  {
    file: 'csv-two-digit-years.csv',
    asks: ['date_format', 'currency', 'account'],
    answers: { connection: 'checking', csv: { date_format: 'DD/MM/YY', currency: 'EUR' } },
    rows: ['checking | 2021-03-13 | -4.00 EUR | A', 'checking | 1999-02-01 | -1.00 EUR | B'],
    note: 'The only format that reads both dates puts one in 1999, more than ten years ago, so it is not possible without a person; the answer DD/MM/YY is then followed (the service accepts days since 1970).',
  },
  {
    file: 'csv-unicode-minus.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-02-02 | -100.00 EUR | SHOP', 'checking | 2026-02-03 | -100.00 EUR | SHOP'],
    balances: ['checking | 2026-02-02 | 900.00 EUR', 'checking | 2026-02-03 | 800.00 EUR'],
  },
  {
    file: 'csv-utf16.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -1.00 EUR | Ä'],
  },
  {
    file: 'csv-yy-dash.csv',
    ...of('checking', 'SEK'),
    rows: ['checking | 2026-09-15 | -4.00 SEK | A', 'checking | 2026-09-16 | -1.00 SEK | B'],
    note: 'DD/MM/YY would be 2015-09-26 and 2016-09-26, more than ten years ago, so YY/MM/DD is decided.',
  },
  {
    file: 'csv-yy-mm-dd.csv',
    ...of('checking', 'EUR'),
    rows: ['checking | 2026-09-15 | -4.00 EUR | A', 'checking | 2026-09-16 | -1.00 EUR | B'],
    note: 'As csv-yy-dash.csv: DD/MM/YY would be 2015-09-26 and 2016-09-26, more than ten years ago.',
  },
  {
    file: 'empty.csv',
    error: 'the file is empty',
    note: 'No bytes at all are a failed download, unlike a file with only column names.',
  },
  {
    file: 'not-html.csv',
    error: 'HTML',
    note: "A page of the bank's site: the text says to sign in and to download the file again; the DOCTYPE must not be reported as one of XML.",
  },
  {
    file: 'not-html2.csv',
    error: 'HTML',
  },
  {
    file: 'not-json.json',
    error: 'JSON',
  },
  {
    file: 'not-pdf.pdf',
    error: 'PDF',
  },
  {
    file: 'not-qif.qif',
    error: 'QIF',
  },
  {
    file: 'not-xlsx.xlsx',
    error: 'XLSX',
    note: 'A ZIP with xl/workbook.xml is a workbook, not a ZIP of bank files.',
  },
  {
    file: 'only-header.csv',
    note: 'An empty month: there is nothing to store, so nothing is asked, not even the account.',
  },
  {
    file: 'same-acct.csv',
    rows: [
      'DE00123456780000000001 | 2026-09-02 | -8.47 EUR | SHOP ONE',
      'DE00123456780000000001 | 2026-09-02 | 10.00 EUR | INV 9 ACME',
    ],
  },
];

export const sequences: readonly ExpectedSequence[] = [
  {
    files: ['csv-apostrophe-ch.csv', 'csv-apostrophe-ch.csv'],
    answers: [
      {
        connection: 'checking',
        csv: {
          columns: { date: 'Datum', debit: 'Belastung', credit: 'Gutschrift', balance: 'Saldo' },
          currency: 'CHF',
        },
      },
      {
        connection: 'checking',
        csv: {
          columns: { date: 'Datum', description: 'Text', debit: 'Belastung', credit: 'Gutschrift', balance: 'Saldo' },
          currency: 'CHF',
        },
      },
    ],
    perFile: [2, 0],
    note: 'A mapping with a corrected description stores nothing twice; the stored texts stay empty, and both rows are listed as probably known.',
  },
  {
    files: ['csv-bank-a.csv', 'csv-bank-b.csv'],
    answers: [
      { connection: 'bank-a', csv: { currency: 'USD' } },
      { connection: 'bank-b', csv: { currency: 'USD' } },
    ],
    perFile: [2, 2],
    note: 'Two accounts, so both fees stay, and the balances of 30 September are 95.00 (bank-a) and 1995.00 (bank-b).',
  },
  {
    files: ['csv-bank-same-headers.csv', 'csv-bank-same-headers-2.csv'],
    answers: [
      { connection: 'checking', csv: { currency: 'USD' } },
      { connection: 'checking', csv: { date_format: 'MM/DD/YYYY', currency: 'USD' } },
    ],
    perFile: [3, 0],
    note: 'The second file is a part of the first; the format that the first proves answers nothing in the second unless its mapping is named.',
  },
  {
    files: ['csv-footer-balance.csv', 'csv-nofooter-balance.csv'],
    answers: { connection: 'checking', csv: { currency: 'USD' } },
    perFile: [4, 0],
    note: 'The balances stay 70.00 and 50.00.',
  },
  {
    files: ['csv-id-overlap-1.csv', 'csv-id-overlap-2.csv'],
    answers: { connection: 'checking' },
    perFile: [2, 1],
    note: 'The same for the other order of the files, with [3, 0].',
  },
  {
    files: ['csv-overlap-1.csv', 'csv-overlap-2.csv'],
    answers: { connection: 'checking', csv: { currency: 'USD' } },
    perFile: [4, 1],
    note: 'Of the two coffees of 17 September one is new.',
  },
  {
    files: ['csv-sci-ids.csv', 'csv-sci-ids-2.csv'],
    answers: { connection: 'checking' },
    perFile: [2, 1],
    note: 'One id for all rows decides nothing; B is known by day, amount and text.',
  },
  {
    files: ['same-acct.csv', 'same-acct.xml'],
    perFile: [2, 0],
    note: 'The XML adds its closing balance, 101.53 EUR on 2026-09-02 (100.00 - 8.47 + 10.00).',
  },
  {
    files: ['same-acct.xml', 'same-acct.csv'],
    perFile: [2, 0],
    note: 'The balance of the XML stays; the CSV has none.',
  },
];
