// Risk: a file that is imported twice is stored twice, or two payments are stored as one.
import { bankTransactionInput, cashBalanceInput } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sentBalance, sentRow } from '../src/import/plan-requests.ts';
import { type Answers, planRequests, type ReadingContext } from '../src/index.ts';
import { read } from './read.ts';

const parse = (text: string, answers: Answers = {}, context: Partial<ReadingContext> = {}) =>
  read(text, { currency: 'USD', ...answers }, context);
const rowsOf = async (...given: Parameters<typeof parse>) =>
  (await parse(...given)).accounts.flatMap(({ transactions }) => transactions);

const header = 'Date,Amount,Description,Balance\n';
const coffee = '2026-01-05,-4.50,Coffee,95.50\n';
const lunch = '2026-01-06,-12.00,Lunch,83.50\n';

const ofx = (rows: string) =>
  `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>7</BANKACCTFROM>${rows}</STMTRS></OFX>`;
const entry = (id: string, amount: string) =>
  `<STMTTRN><DTPOSTED>20260105<TRNAMT>${amount}<FITID>${id}<NAME>N</STMTTRN>`;

test("the bank's reference is sent as it is, also if the bank uses it twice", async () => {
  const rows = await rowsOf(ofx(entry('A', '1.00') + entry('', '2.00') + entry('A', '3.00')));
  expect(rows.map(({ external_id }) => external_id)).toEqual(['A', undefined, 'A']);
});

test('the rows are what the ingest endpoints take, day and zone included', async () => {
  const text = header + coffee + lunch;
  const { accounts } = await parse(text, { connection: 'conn_x' }, { timeZone: 'America/New_York' });
  expect(accounts).toMatchObject([
    {
      transactions: [
        {
          line: 2,
          posted_at: '2026-01-05T17:00:00.000Z',
          amount_cents: -450,
          connection_id: 'conn_x',
          source: 'file:csv',
        },
        { line: 3, amount_cents: -1200 },
      ],
      balances: [
        { as_of: '2026-01-05', balance_cents: 9550 },
        { as_of: '2026-01-06', balance_cents: 8350, currency: 'USD', connection_id: 'conn_x' },
      ],
    },
  ]);
  for (const request of planRequests({ accounts })) {
    if (request.kind === 'balance') z.strictObject(cashBalanceInput).parse(sentBalance(request.balance));
    else
      for (const row of request.rows) bankTransactionInput.partial({ external_id: true }).strict().parse(sentRow(row));
  }
});

test('accounts of a file are mapped to connections by number; others keep the number as label', async () => {
  const file = await parse(ofx(entry('A', '1')), { connection: { '7': 'conn_7' } });
  expect(file.accounts[0]?.connection_id).toBe('conn_7');
  expect((await parse(ofx(entry('A', '1')))).accounts[0]?.connection_id).toBe('7');
});

test('a request is smaller than the 2 MiB that the service accepts, and the rows stay in order', async () => {
  const text = '支'.repeat(2000);
  const rows = Array.from({ length: 600 }, (_, i) => `2026-01-05,-${i}.00,${text},\n`).join('');
  const requests = planRequests(await parse(header + rows));
  const sizes = requests.map((request) => Buffer.byteLength(JSON.stringify(request)));
  expect(Math.max(...sizes)).toBeLessThan(2 * 1024 ** 2 - 10_000);
  expect(sizes).toHaveLength(2);
  const lines = requests.flatMap((request) => (request.kind === 'transactions' ? request.rows : []));
  expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: 600 }, (_, i) => i + 2));
});

test.each([
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffDate,Amount,Description\n2026-01-01,1,Café\n')],
  ['UTF-16 with a byte order mark', Buffer.from('\ufeffDate,Amount,Description\n2026-01-01,1,Café\n', 'utf16le')],
  ['Windows-1252', Buffer.from('Date,Amount,Description\n2026-01-01,1,Café\n', 'latin1')],
])('%s is decoded', async (_, content) => {
  const file = await read(new Uint8Array(content), { currency: 'USD' });
  expect(file.accounts[0]?.transactions[0]?.description).toBe('Café');
});

test('a CSV file shows how it is read, and asks what it leaves open', async () => {
  const { csv, questions } = await read('Export;;\nBuchungstag;Betrag;Verwendungszweck\n05.01.2026;-1.234,50;Miete\n');
  expect(csv).toMatchObject({
    headers: ['Buchungstag', 'Betrag', 'Verwendungszweck'],
    rows: [['05.01.2026', '-1.234,50', 'Miete']],
    mapping: { delimiter: ';', header_record: 2, date_format: 'DD/MM/YYYY', decimal: ',' },
  });
  expect(questions).toMatchObject([{ code: 'currency', choices: [], flag: '--currency CODE' }, { code: 'account' }]);
  const open = await read('Date,Amount,Currency\n03/04/2026,"-1,234",USD\n');
  expect(open.questions.map(({ code, choices }) => [code, choices.map(({ value }) => value)])).toEqual([
    ['date_format', ['DD/MM/YYYY', 'MM/DD/YYYY']],
    ['decimal', ['.', ',']],
    ['account', []],
  ]);
});

test('a saved mapping is JSON and reads the next file as it is', async () => {
  const first = header.replace('Amount', 'Sum') + coffee;
  const { csv, questions } = await parse(first, { connection: 'checking' });
  expect(questions).toMatchObject([{ code: 'column', about: 'amount', suggestion: 'Sum' }]);
  const mapping = {
    ...csv?.mapping,
    columns: { date: 'Date', description: 'Description', amount: 'Sum' },
    inverted: true,
  };
  const [row] = await rowsOf(first, { csv: JSON.parse(JSON.stringify(mapping)) });
  expect(row?.amount_cents).toBe(450);
  const other = await parse(header + coffee, { csv: mapping, connection: 'checking' });
  expect(other.questions).toMatchObject([
    { code: 'column', about: 'amount', message: expect.stringContaining('no column "Sum"') },
  ]);
});

test('a last row that is cut off is left out, and contradicts running balances', async () => {
  const file = await parse(`${header}${coffee}2026-01-06,-1`);
  expect(file.problems).toMatchObject([
    { code: 'row', line: 3, message: expect.stringContaining('ends in the middle') },
    { code: 'totals', line: 3 },
  ]);
  expect(file.accounts[0]?.transactions).toHaveLength(1);
});

test('MT940: a reversed debit is money in, and an entry day has the year nearest to the value day', async () => {
  const lines = ['2512310102D10,00NTRF', '2601011231C20,00NTRF', '260105RD30,NTRF', '260105RCR4,5NTRF'];
  const text = `:20:X\n:25:7\n:60F:C251230EUR100,\n${lines.map((line) => `:61:${line}`).join('\n')}\n:62F:C260105EUR135,5\n-`;
  const file = await parse(text);
  const rows = file.accounts[0]?.transactions.map(({ posted_at, amount_cents }) => [
    posted_at.slice(0, 10),
    amount_cents,
  ]);
  expect(rows).toEqual([
    ['2026-01-02', -1000],
    ['2025-12-31', 2000],
    ['2026-01-05', 3000],
    ['2026-01-05', -450],
  ]);
  expect(file.problems).toEqual([]);
});

test('BAI2: the kind of funds has fields of its own, and text may have commas and slashes', async () => {
  const text = `01,A,B,260105,0101,1,,,2/
02,A,B,1,260105,,USD,2/
03,7,,010,1000,,,015,1250,,/
16,165,500,S,100,200,200,REF1,,Wire, in/out
16,475,250,V,260106,,REF2,,/
88,CHECK/1
49,3000,5/
98,3000,1,7/
99,3000,1,9/`;
  const file = await parse(text);
  const rows = file.accounts[0]?.transactions.map(({ amount_cents, description }) => [amount_cents, description]);
  expect(rows).toEqual([
    [500, 'Wire, in/out REF1'],
    [-250, 'CHECK/1 REF2'],
  ]);
  expect(file.problems).toEqual([]);
});

test.each(['constructor', '__proto__', 'hasOwnProperty'])(
  'an account named %s has the connection that is given for it, or its own name',
  async (name) => {
    const text = ofx(entry('A', '1.00')).replace('<ACCTID>7', `<ACCTID>${name}`);
    for (const [connection, expected] of [
      [{}, name],
      [Object.fromEntries([[name, 'giro']]), 'giro'],
    ] as const) {
      const { accounts } = await parse(text, { connection });
      expect(accounts).toMatchObject([
        { account: name, connection_id: expected, transactions: [{ connection_id: expected }] },
      ]);
    }
  },
);

test('a statement that begins before the last has ended has its own rows only', async () => {
  const statement = (account: string, id: string) =>
    `<STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>${account}</BANKACCTFROM>${entry(id, '1.00')}`;
  const { accounts } = await parse(`OFXHEADER:100\n\n<OFX>${statement('1', 'A')}${statement('2', 'B')}</OFX>`);
  expect(accounts.map(({ account, transactions }) => [account, transactions.map((row) => row.external_id)])).toEqual([
    ['1', ['A']],
    ['2', ['B']],
  ]);
});
