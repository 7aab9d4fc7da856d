// Risk: files of one account get several connections, a balance proves unrelated rows, or debts of a card or loan are
// stored as cash.
import { expect, test } from 'vitest';
import { type Answers, answerQuestion, planRequests } from '../src/index.ts';
import { read } from './read.ts';

const mt940 = (account: string, closing = 'C260901EUR6,'): string =>
  `:20:X\n:25:${account}\n:60F:C260901EUR1,\n:61:2609010901C5,NTRF\n:86:A\n:62F:${closing}\n-\n`;

test.each([
  ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['de89370400440532013000', 'DE89370400440532013000'],
  ['12 34', '12 34'],
  ['NL20INGB0001234567EUR', 'NL20INGB0001234567'],
  ['NL20 INGB 0001 2345 67 EUR', 'NL20INGB0001234567'],
  ['NL20INGB0001234568EUR', 'NL20INGB0001234568EUR'],
  ['10020030/1234567', '10020030/1234567'],
])('the account %s has the connection %s', async (account, connection) => {
  const { accounts } = await read(mt940(account));
  expect(accounts.map(({ account: name, connection_id }) => [name, connection_id])).toEqual([[connection, connection]]);
  expect(accounts[0]?.former).toEqual(connection === account ? [] : [account]);
});

const iban = 'DE89 3704 0044 0532 0130 00';
const namesOf = async (connection: Answers['connection']) => {
  const { accounts } = await read(mt940(iban), connection === undefined ? {} : { connection });
  return accounts.map(({ connection_id, former }) => [connection_id, ...former]);
};

test.each<[string, Answers['connection'], string[]]>([
  ['no answer', undefined, ['DE89370400440532013000', iban]],
  ['the account as it is written', { [iban]: 'giro' }, ['giro', iban]],
  [
    'the account in small letters, with the currency',
    { [`${iban.toLowerCase()}/eur`]: 'giro' },
    ['giro', 'DE89370400440532013000', iban],
  ],
  ['a label that is an IBAN', iban.toLowerCase(), ['DE89370400440532013000', iban.toLowerCase(), iban]],
  ['a label like an IBAN', 'db01 production main', ['db01 production main', iban]],
  ['a label of an IBAN and a currency', 'ES9121000418450200051332 USD', ['ES9121000418450200051332 USD', iban]],
])('the connection and former ones by %s', async (_, connection, expected) => {
  expect(await namesOf(connection)).toEqual([expected]);
});

test('two connections of one account are rejected', async () => {
  const both = { [iban]: 'a', [iban.replaceAll(' ', '')]: 'b' };
  await expect(namesOf(both)).rejects.toThrow('DE89370400440532013000 has two connections: a, b');
});

test('MT940: a closing balance of another currency proves nothing, and is left out', async () => {
  const { accounts, problems } = await read(mt940('1', 'C260901USD6,'));
  expect(accounts.map(({ currency, transactions, balances }) => [currency, transactions.length, balances])).toEqual([
    ['EUR', 1, []],
  ]);
  expect(problems).toMatchObject([{ code: 'balance', line: 6 }]);
});

const balance = (type: string, day: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
const entry = (day: string, amount: string): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt></Ntry>`;
const days = [
  [balance('OPBD', '2026-09-01', '10.00'), balance('CLBD', '2026-09-01', '15.00')],
  [balance('OPBD', '2026-09-02', '15.00'), balance('CLBD', '2026-09-02', '22.00')],
];

test.each([
  ['oldest first', days],
  ['newest first', days.toReversed()],
])('CAMT.053: a statement with the balances of each day, %s, lies between the first and the last', async (_, all) => {
  const entries = entry('2026-09-01', '5.00') + entry('2026-09-02', '7.00');
  const { accounts, problems, questions } = await read(
    `<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${all.flat().join('')}${entries}</Stmt></BkToCstmrStmt></Document>`,
  );
  expect([problems, questions]).toEqual([[], []]);
  expect(accounts[0]?.balances.map(({ as_of, balance_cents }) => [as_of, balance_cents]).toSorted()).toEqual([
    ['2026-09-01', 1500],
    ['2026-09-02', 2200],
  ]);
});

test('CAMT.053: an equal amount in another currency contradicts the rows, and each balance has its own currency', async () => {
  const closing = balance('CLBD', '2026-09-01', '15.00').replace('EUR', 'SEK');
  const { problems } = await read(
    `<Document><BkToCstmrStmt><Stmt>${balance('OPBD', '2026-09-01', '10.00')}${closing}${entry('2026-09-01', '5.00')}</Stmt></BkToCstmrStmt></Document>`,
  );
  expect(problems).toMatchObject([{ code: 'totals', message: expect.stringMatching(/€15\.00.* wrote SEK\s15\.00$/) }]);
});

test('OFX: a statement without CURDEF asks for its currency, and then for nothing else', async () => {
  const ofx = '<OFX><STMTRS><STMTTRN><DTPOSTED>20260901<TRNAMT>-1000<FITID>1<NAME>A</STMTTRN></STMTRS></OFX>';
  const open = await read(`OFXHEADER:100\n\n${ofx}`);
  expect(open.questions.map(({ code }) => code)).toEqual(['currency', 'account']);
  const answers = open.questions.reduce(
    (all, each) => answerQuestion(all, each, each.code === 'currency' ? 'JPY' : 'x'),
    {},
  );
  const file = await read(`OFXHEADER:100\n\n${ofx}`, answers, { storedCurrencies: { x: 'JPY' } });
  expect([file.questions, file.problems]).toEqual([[], []]);
  expect(file.accounts).toMatchObject([
    { currency: 'JPY', connection_id: 'x', transactions: [{ amount_cents: -1000 }] },
  ]);
});

const ofx = (name: string, from: string): string =>
  `OFXHEADER:100\n\n<OFX><${name}><CURDEF>USD${from}<LEDGERBAL><BALAMT>-295.00<DTASOF>20260901</LEDGERBAL></${name}></OFX>`;
const bank = (type: string): string => ofx('STMTRS', `<BANKACCTFROM><ACCTID>1<ACCTTYPE>${type}</BANKACCTFROM>`);
const camt = (type: string): string =>
  `<Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>1</Id></Othr></Id>${type}</Acct>${balance('CLBD', '2026-09-01', '15.00')}</Stmt></BkToCstmrStmt></Document>`;

test.each([
  ['OFX: a card statement', ofx('CCSTMTRS', '<CCACCTFROM><ACCTID>1</CCACCTFROM>'), 'credit_card'],
  ['OFX: a credit line', bank('CREDITLINE'), 'loan'],
  ['OFX: a savings account', bank('SAVINGS'), undefined],
  ['OFX: an account of no type', bank(''), undefined],
  ['CAMT.053: a card account', camt('<Tp><Cd>CARD</Cd></Tp>'), 'credit_card'],
  ['CAMT.053: a loan', camt('<Tp><Cd>LOAN</Cd></Tp>'), 'loan'],
  ['CAMT.053: a current account', camt('<Tp><Cd>CACC</Cd></Tp>'), undefined],
  ['CAMT.053: an account of no type', camt(''), undefined],
  ['MT940, which names no type', mt940('1'), undefined],
])('a balance has the type of a card or loan, if the format says it: %s', async (_, text, type) => {
  const { accounts, questions, problems } = await read(text);
  expect([questions, problems]).toEqual([[], []]);
  const [planned] = planRequests({ accounts }).filter((request) => request.kind === 'balance');
  expect(planned?.balance.account_type).toBe(type);
});
