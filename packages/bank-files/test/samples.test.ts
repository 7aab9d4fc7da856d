// Risk: a file of a real bank is rejected, or read with a wrong amount, sign, day or text.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Answers } from '../src/index.ts';
import { read as readBytes } from './read.ts';

const folder = new URL('./samples/', import.meta.url);
const read = (path: string) => new Uint8Array(readFileSync(new URL(path, folder)));

/** Accounts as "number currency rows sum", closing balances, and codes of problems. */
async function summary(path: string, answers: Answers = {}) {
  const { accounts, problems } = await readBytes(read(path), answers);
  return [
    ...accounts.flatMap(({ account, currency, transactions, balances }) => [
      `${account} ${currency} ${transactions.length} ${transactions.reduce((sum, row) => sum + row.amount_cents, 0)}`,
      ...balances.slice(-1).map(({ as_of, balance_cents }) => `${as_of} ${balance_cents}`),
    ]),
    ...problems.map(({ line, code }) => `${code} ${line}`),
  ];
}

// The samples are anonymised, so not all totals match.
test.each([
  ['mt940/asnb-spaces-for-entry-date.sta', ['NL81ASNB9999999999 EUR 8 5694', '2020-01-31 50123']],
  [
    'mt940/cmxl-mt940.sta',
    [
      '10020030/1234567 EUR 2 220000',
      '2002-11-30 438795',
      'BPHKPLPK/320000546101 PLN 3 1004000',
      '2002-03-25 5004000',
      'account 4',
    ],
  ],
  ['mt940/citi.sta', ['123456789 USD 5 -114275', '2024-03-12 1623392']],
  ['mt940/jejik-generic.sta', ['11111111 EUR 2 -2000', '2011-03-01 8000']],
  ['mt940/jejik-ing.sta', ['0001234567 EUR 7 -4559', '2010-07-23 347', 'totals 4']],
  ['mt940/jejik-rabobank-iban.sta', ['NL71RABO0123456789 EUR 4 -7000', '2013-01-15 93000']],
  ['mt940/jejik-sns.sta', ['0123456789 EUR 2 -2500', '2012-06-09 120956']],
  ['mt940/mBank-mt940.sta', ['PL29114010810000267002001002 PLN 3 3', '2017-01-19 43']],
  ['mt940/sberbank-171011_01234945.sta', ['1966315302010001 HUF 3 -943700', '2017-10-11 61787430']],
  ['mt940/self-provided-february_30.sta', ['12345678/1020304050 EUR 1 -600', '2016-03-01 119400']],
  ['mt940/self-provided-multiline.sta', ['BILLLULLXXX/"NUMERO DE COMPTE IBAN 2" EUR 1 -500', '2004-08-04 1140']],
  ['camt/camt053.v2.multi.statement.xml', ['NL26VAYB8060476890 EUR 2 185', '2014-12-31 2000']],
  ['camt/camt053.v2.five.decimals.xml', ['NL26VAYB8060476890 EUR 1 885', '2014-12-31 2705', 'totals 25']],
  [
    'camt/camt053.v3.xml',
    ['NL26VAYB8060476890 EUR 1 885', 'NL26VAYB8060476890 SEK 0 0', '2014-12-31 -2700', 'totals 26'],
  ],
  [
    'camt/camt053.v4.xml',
    ['NL26VAYB8060476890 EUR 1 885', 'NL26VAYB8060476890 SEK 0 0', '2014-12-30 -2700', 'totals 30'],
  ],
  [
    'camt/camt053.v8.xml',
    ['NL26VAYB8060476890 EUR 1 885', 'NL26VAYB8060476890 SEK 0 0', '2014-12-30 -2700', 'totals 30'],
  ],
  ['bai2/svb_us_example.bai2', ['1234567890 USD 2 1395996', '2022-02-02 36122975']],
  ['bai2/nwb_example.bai2', ['88888888 600004 GBP 5 -2676', '2009-12-16 33845']],
  ['bai2/citi_example.bai2', ['77777777 GBP 1 1', '2015-07-15 10000', 'totals 3']],
  ['ofx/ofxparse-bank_medium.ofx', ['12300 000012345678 CAD 3 -34527', '2009-05-23 38234']],
  ['ofx/ofxparse-anzcc.ofx', ['1234123412341234 AUD 1 -550', '2017-05-10 -12345']],
  ['ofx/ofxparse-multiple_accounts.ofx', ['9100 USD 0 0', '2012-06-03 11100', '9200 USD 0 0', '2012-06-03 22200']],
  ['ofx/ofxparse-date_missing.ofx', ['192639749 USD 0 0', '2011-06-14 0', 'row 33', 'row 40', 'row 48']],
  ['ofx/ofxparse-vanguard.ofx', ['account 11']],
])('%s', async (path, expected) => {
  expect(await summary(path)).toEqual(expected);
});

const deviations = readdirSync(new URL('ofx/', folder)).filter((name) => name.startsWith('bankfile-'));

test.each(deviations)('ofx/%s: what a bank writes beside the standard changes nothing else', async (name) => {
  const { accounts, problems } = await readBytes(read(`ofx/${name}`), { currency: 'USD' });
  const [row] = accounts.flatMap(({ transactions }) => transactions);
  const amounts: Record<string, number> = { 'amount-comma-decimal': -200_000, 'amount-plus-sign-and-space': 100_660 };
  const own = Object.entries(amounts).find(([part]) => name.includes(part))?.[1];
  expect(row).toMatchObject({ posted_at: '2026-01-15T12:00:00.000Z', amount_cents: own ?? -1000, currency: 'USD' });
  expect(problems.map(({ code, line }) => [code, line])).toEqual(name.includes('zero-date') ? [['balance', 52]] : []);
  expect(row?.description).not.toContain('\ufffd');
});

test.each([
  ['capitalone', 'USD', ['USD 2 0']],
  ['default', 'USD', ['Checking USD 6 37000000', 'Cash USD 2 9500000']],
  ['gls', '', ['EUR 1 -9876', '2017-10-10 123456']],
  ['mint', 'USD', ['USD 4 -300000']],
  ['n26-fr', '', ['EUR 2 0']],
  ['outbank', '', ['DE81254326973657190105 EUR 4 -3589']],
  ['schwab-checking', 'USD', ['USD 4 -21527', '2022-08-17 87847']],
  ['ubs-ch-fr_trimmed', 'CHF', ['CHF 3 3000', '2019-04-27 1141394']],
])('csv/%s.csv is read with a guessed mapping', async (name, currency, expected) => {
  const found = await summary(`csv/${name}.csv`, currency ? { currency } : {});
  expect(found.map((line) => line.trim())).toEqual(expected);
});

test.each(['payoneer', 'stripe-default'])('csv/%s.csv: what the file leaves open is asked', async (name) => {
  const { questions } = await readBytes(read(`csv/${name}.csv`));
  expect(questions.map(({ code, about }) => about ?? code)).toEqual(
    expect.arrayContaining([expect.stringMatching('date')]),
  );
});

test.each([
  ['camt/camt052.v2.xml', 'Line 2, column 120: the document is a CAMT.052 report of the day (BkToCstmrAcctRpt)'],
  ['camt/camt053.v2.wrong.xml', 'the document has no statement'],
  [
    'ofx/ofxparse-error_message.ofx',
    "The file has no statement of a bank account or card: the bank's server reports an error",
  ],
])('%s is no statement that can be read', async (path, message) => {
  await expect(readBytes(read(path))).rejects.toThrow(message);
});

test.each(readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\/.*\./.test(name)))(
  '%s cut off anywhere is an error, or rows of the whole file',
  async (path) => {
    const whole = read(path);
    const rows = async (bytes: Uint8Array<ArrayBuffer>) =>
      readBytes(bytes, { currency: 'USD' }).then(
        ({ accounts, questions }) =>
          // The beginning of another format is a CSV file without the columns.
          questions.some(({ code }) => code === 'column')
            ? 'No columns'
            : accounts.flatMap(({ transactions }) => transactions.map((row) => `${row.line} ${row.amount_cents}`)),
        (error: Error) => error.message,
      );
    const all = await rows(whole);
    if (typeof all === 'string') return;
    for (let part = 1; part < 8; part++) {
      const cut = await rows(whole.slice(0, Math.floor((whole.length * part) / 8)));
      if (typeof cut === 'string') expect(cut).toMatch(/^(Line \d+, column \d+: |The |No columns)/);
      // Only CSV and MT940 have no end mark.
      else expect(path).toMatch(/^(csv|mt940)/);
    }
  },
);
