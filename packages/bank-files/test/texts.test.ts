// Risk: a wrapped or unescaped text loses its rest, or takes over the next row.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { read } from './read.ts';

const mt940 = (lines: readonly string[]): string =>
  `:20:X\n:25:1\n:60F:C260901EUR1,\n:61:2609010901C5,NTRF\n:86:${lines.join('\n')}\n:61:2609010901C2,NTRF\n:86:B\n:62F:C260901EUR8,\n-\n`;
const rowsOf = async (text: string) => {
  const { accounts, problems } = await read(text);
  expect(problems).toEqual([]);
  return accounts.flatMap(({ transactions }) =>
    transactions.map((row) => [row.amount_cents, row.description, row.counterparty]),
  );
};

test('MT940: a text stays whole wherever the bank wraps it', async () => {
  const words = fc.constantFrom('16:20:15', ':61:', ':25:37', '-', ' ', 'Shop', ':86:12', '12', ':20:', 'A/B');
  await fc.assert(
    fc.asyncProperty(
      fc.array(words, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      async (parts, width) => {
        const text = `x${parts.join('')}`;
        const lines = [`166?20${text.slice(0, width)}`, ...(text.slice(width).match(/.{1,9}/g) ?? [])];
        const [first, second] = await rowsOf(mt940(lines));
        expect(first).toEqual([500, text.replaceAll(/ +/g, ' ').trim(), undefined]);
        expect(second).toEqual([200, 'B', undefined]);
      },
    ),
  );
});

test.each([
  ['/REMI/A/B 1/EREF/2', 'A/B 1', undefined],
  ['/TRTP/SEPA/NAME/A/B/REMI/USTD//ORDER/EREF/2', 'ORDER', 'A/B'],
  ['/CNTP/NL1/BANKNL2A/A/B/CITY//REMI/x', 'x', 'A/B'],
  ['/CNTP/NL1/BANKNL2A/C D/REMI/STRD/CUR/9000/', '9000', 'C D'],
  ['/NAME/A/EREF/B', '/NAME/A/EREF/B', 'A'],
  ['/NAME/A/REMI/the /NAME/ of /ID/ 7/EREF/2', 'the /NAME/ of /ID/ 7', 'A'],
  ['/EREF/1/CNTP/NL1/BANKNL2A/A/CITY//REMI/USTD//see /EREF/ 2/PURP/OTHR', 'see /EREF/ 2', 'A'],
  ['/BENM//NAME/A/REMI/x/ULTB//NAME/B/ISDT/2026-09-01', 'x', 'A'],
  ['/REMI/x/NAME/A', 'x', 'A'],
  ['Paid for /NAME/ and /REMI/ fields', 'Paid for /NAME/ and /REMI/ fields', undefined],
  ['034~00KIND~20FIRST~21SECOND~32NAME~33 REST', 'FIRST SECOND', 'NAME REST'],
  [`034^20${'A'.repeat(27)}^21B`, `${'A'.repeat(27)}B`, undefined],
])('MT940: %s is %s / %s', async (text, description, counterparty) => {
  expect((await rowsOf(mt940([text])))[0]).toEqual([500, description, counterparty]);
});

const ofx = (rows: string): string =>
  `<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM>${rows}</STMTRS></OFX>`;
const named = (name: string): string => ofx(`<STMTTRN><DTPOSTED>20260901<TRNAMT>1.00<NAME>${name}</STMTTRN>`);

test.each([
  ['A & B <C> D', 'A & B <C> D'],
  ['A < B > C', 'A < B > C'],
  ['A <unknown> B', 'A <unknown> B'],
  ['Caf&eacute; &amp; &Eacute;t&#233; &unknown;', 'Café & Été &unknown;'],
  ['A<CHECKNUM>12', 'A'],
  ['A <FITID>12', 'A'],
  ['A\n<INTU.X>12', 'A'],
])('OFX: the name %j is %j', async (name, text) => {
  expect(await rowsOf(named(name))).toEqual([[100, text, text]]);
});

const amountsOf = async (amounts: readonly string[], decimal?: '.' | ',') => {
  const rows = amounts.map((amount) => `<STMTTRN><DTPOSTED>20260901<TRNAMT>${amount}<NAME>N</STMTTRN>`).join('');
  const { accounts, questions } = await read(ofx(rows), decimal === undefined ? {} : { csv: { decimal } });
  return [questions.map(({ code }) => code), accounts[0]?.transactions.map((row) => row.amount_cents)];
};

test.each<[string[], string[], number[] | undefined]>([
  [['1,000', '2.50'], [], [100_000, 250]],
  [['1.000', '2,50'], [], [100_000, 250]],
  [['1,000', '1,234,567'], [], [100_000, 123_456_700]],
  [['0.500', '1,000'], [], [50, 100_000]],
  [['1,000'], ['decimal'], undefined],
  [['1,000', '2.50', '3,50'], ['decimal'], undefined],
  [['3.000', '2.50'], ['decimal'], undefined],
])('OFX: the marks of %j', async (amounts, asks, cents) => {
  const [codes, found] = await amountsOf(amounts);
  expect(codes).toEqual(asks);
  if (cents !== undefined) expect(found).toEqual(cents);
});

test('OFX: the answer decides only the amounts that are open', async () => {
  expect(await amountsOf(['3.000', '2.50', '1,000'], '.')).toEqual([[], [300, 250, 100_000]]);
  expect(await amountsOf(['3.000', '2.50', '1,000'], ',')).toEqual([[], [300_000, 250, 100_000]]);
});

test('BAI2: a correction is rejected, and groups that are not final are left out', async () => {
  const bai2 = (status: string, modifier: string): string =>
    `01,A,B,260901,0000,1,80,,2/\n02,B,A,${status},260901,0000,USD,${modifier}/\n03,1,USD,015,100,,/\n16,195,100,Z,,,A/\n49,200,3/\n98,200,1,5/\n99,200,1,7/\n`;
  await expect(read(bai2('3', '2'))).rejects.toThrow('Line 2, column 1: the group is a correction (status 3)');
  for (const [status, modifier, rows] of [
    ['1', '2', 1],
    ['1', '4', 1],
    ['1', '1', 0],
    ['1', '3', 0],
    ['2', '2', 0],
    ['4', '2', 0],
  ] as const) {
    const { accounts, problems } = await read(bai2(status, modifier));
    expect(accounts.flatMap(({ transactions }) => transactions)).toHaveLength(rows);
    expect(problems.map(({ code }) => code)).toEqual(rows === 1 ? [] : ['unbooked']);
  }
});

test('OFX: files that are joined to one are all read, and a cut one among them rejects the file', async () => {
  const fileOf = (account: string): string =>
    `OFXHEADER:100\nDATA:OFXSGML\n\n${named(`Row ${account}`).replace('<ACCTID>1', `<ACCTID>${account}`)}\n`;
  const { accounts } = await read(fileOf('1') + fileOf('2'));
  expect(accounts.map(({ account, transactions }) => [account, transactions.length])).toEqual([
    ['1', 1],
    ['2', 1],
  ]);
  const cut = fileOf('1').replace('</OFX>', '');
  await expect(read(cut + fileOf('2'))).rejects.toThrow('truncated');
});

const typed = (rows: readonly string[]): string =>
  ofx(
    rows
      .map((row) => row.split(' '))
      .map(([type, amount]) => `<STMTTRN><TRNTYPE>${type}<DTPOSTED>20260901<TRNAMT>${amount}<NAME>N</STMTTRN>`)
      .join(''),
  );

test.each<[string[], number[], number[]]>([
  [
    ['DEBIT 50.00', 'DEBIT 20.00', 'CREDIT 100.00'],
    [-5000, -2000, 10_000],
    [5000, 2000, 10_000],
  ],
  [
    ['fee 1.00', 'XFER 2.00', 'INT 0.50'],
    [-100, -200, 50],
    [100, 200, 50],
  ],
  [
    ['POS 12.00', 'ATM 50.00', 'DEP 1.00'],
    [-1200, -5000, 100],
    [1200, 5000, 100],
  ],
])('OFX: debits without any minus are asked about: %j', async (rows, out, all) => {
  const { questions } = await read(typed(rows));
  expect(questions.map(({ code, choices }) => [code, choices.map(({ value }) => value)])).toEqual([
    ['sign', ['out', 'in']],
  ]);
  for (const [sign, cents] of [['out', out] as const, ['in', all] as const]) {
    const answered = await read(typed(rows), { sign });
    expect(answered.questions).toEqual([]);
    expect(answered.accounts[0]?.transactions.map((row) => row.amount_cents)).toEqual(cents);
  }
});

const asCard = (text: string): string =>
  text.replaceAll('STMTRS', 'CCSTMTRS').replaceAll('BANKACCTFROM', 'CCACCTFROM').replace('<ACCTID>1', '<ACCTID>2');

test.each<[string, string, string[]]>([
  ['a payment to a card', asCard(typed(['PAYMENT 250.00'])), []],
  ['a payment to a card, and a purchase', asCard(typed(['PAYMENT 250.00', 'DEBIT 3.00'])), ['DEBIT 3.00']],
  ['a payment from an account', typed(['PAYMENT 250.00']), ['PAYMENT 250.00']],
  ['cash, and another account with a minus', typed(['DEBIT -3.00']) + asCard(typed(['ATM 50.00'])), []],
  ['a debit, and another account with a minus', typed(['DEBIT -3.00']) + asCard(typed(['FEE 5.00'])), ['FEE 5.00']],
])('OFX: what a type leaves open is asked about: %s', async (_, file, asked) => {
  const { questions } = await read(file);
  expect(questions.map(({ code, choices }) => [code, choices[0]?.example])).toEqual(
    asked.map((text) => ['sign', text]),
  );
});

test('OFX: signs that all contradict the types are asked about, and the answer turns them or keeps them', async () => {
  const rows = ['DEBIT 50.00', 'FEE +1.00', 'CREDIT -100.00', 'XFER -7.00', 'OTHER 0.00'];
  const { questions } = await read(typed(rows));
  expect(questions).toMatchObject([
    { code: 'sign', choices: [{ value: 'out', example: 'DEBIT 50.00' }, { value: 'in' }] },
  ]);
  const centsOf = async (sign: 'in' | 'out') =>
    (await read(typed(rows), { sign })).accounts.flatMap((one) => one.transactions.map((row) => row.amount_cents));
  expect(await centsOf('out')).toEqual([-5000, -100, 10_000, 700, 0]);
  expect(await centsOf('in')).toEqual([5000, 100, -10_000, -700, 0]);
});

test('OFX: signs are judged by account, so an account that has them says nothing about a card in the same file', async () => {
  const card = typed(['DEBIT 50.00', 'CREDIT -20.00']).replace('<ACCTID>1', '<ACCTID>2');
  const both = typed(['DEBIT -3.00', 'CREDIT 4.00']) + card;
  expect((await read(both)).questions).toMatchObject([{ code: 'sign' }]);
  const { accounts } = await read(both, { sign: 'out' });
  expect(accounts.map(({ transactions }) => transactions.map((row) => row.amount_cents))).toEqual([
    [-300, 400],
    [-5000, 2000],
  ]);
});

test.each([
  [['DEBIT -50.00', 'DEBIT 20.00', 'CREDIT 100.00']],
  [['DEBIT 20.00', 'CREDIT -100.00', 'CREDIT 3.00']],
  [['CREDIT -100.00', 'XFER 20.00']],
  [['CREDIT 100.00', 'DEP 20.00']],
  [['DEBIT 0.00', 'CREDIT 1.00']],
  [['DEBIT +3.00', 'CREDIT 1.00']],
  [['POS 3.00', 'POS -12.00']],
])('OFX: signed amounts are as they are: %j', async (rows) => {
  const { questions, accounts } = await read(typed(rows), { sign: 'out' });
  expect((await read(typed(rows))).questions).toEqual(questions);
  expect(questions).toEqual([]);
  expect(accounts[0]?.transactions.map((row) => row.amount_cents)).toEqual(
    rows.map((row) => Math.round(Number(row.split(' ')[1]) * 100)),
  );
});

test.each([
  ['<ACCTID>77<ACCTTYPE>CHECKING', '<ACCTID>77<ACCTTYPE>SAVINGS', ['77 CHECKING', '77 SAVINGS']],
  ['<BANKID>1<ACCTID>77<ACCTTYPE>CHECKING', '<BANKID>2<ACCTID>77<ACCTTYPE>CHECKING', ['77 1', '77 2']],
  ['<BANKID>1<ACCTID>77<ACCTTYPE>CHECKING', '<BANKID>2<ACCTID>78<ACCTTYPE>SAVINGS', ['77', '78']],
  ['<BANKID>1<ACCTID>77<ACCTTYPE>CHECKING', '<BANKID>1<ACCTID>77<ACCTTYPE>CHECKING', ['77']],
])('OFX: accounts %s and %s are %j', async (first, second, names) => {
  const of = (account: string, name: string): string => named(name).replace('<ACCTID>1', account);
  // On the same day, equal rows of one account would count once.
  const { accounts } = await read(of(first, 'A') + of(second, 'B').replace('20260901', '20260902'));
  expect(accounts.map(({ connection_id }) => connection_id)).toEqual(names);
  expect(accounts.flatMap(({ transactions }) => transactions)).toHaveLength(2);
});
