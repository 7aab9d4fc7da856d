// Risk: rows of two currencies share a connection, or a balance within a day or a file with wrong totals is stored.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answers, BankFile, ReadingContext } from '../src/index.ts';
import { read } from './read.ts';

interface Statement {
  account?: string;
  currency?: string;
  opening?: string;
  rows?: readonly string[];
  closing?: string;
}

/** A CAMT.053 file; amounts like `-5.00` on 1 September 2026. */
function camt(...statements: readonly Statement[]): string {
  const amount = (text: string, currency: string): string =>
    `<Amt Ccy="${currency}">${text.replace('-', '')}</Amt><CdtDbtInd>${text.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const day = '<Dt>2026-09-01</Dt>';
  const body = statements.map(({ account = '7', currency = 'EUR', opening, rows = [], closing }) => {
    const balance = (code: string, text: string | undefined): string =>
      text === undefined
        ? ''
        : `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(text, currency)}<Dt>${day}</Dt></Bal>`;
    const entries = rows.map((row) => `<Ntry>${amount(row, currency)}<Sts>BOOK</Sts><BookgDt>${day}</BookgDt></Ntry>`);
    return `\n<Stmt><Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>${balance('OPBD', opening)}${balance('CLBD', closing)}${entries.join('')}</Stmt>`;
  });
  return `<Document><BkToCstmrStmt>${body.join('')}</BkToCstmrStmt></Document>`;
}

const connectionsOf = ({ accounts }: BankFile) =>
  accounts.map(({ account, currency, connection_id }) => `${account}/${currency} ${connection_id}`);
const balancesOf = ({ accounts }: BankFile) =>
  accounts.flatMap(({ balances }) => balances.map(({ balance_cents, currency }) => `${balance_cents} ${currency}`));
const rowsOf = ({ accounts }: BankFile) =>
  accounts.flatMap(({ transactions }) => transactions.map(({ amount_cents }) => amount_cents));
const codesOf = ({ questions }: BankFile) => questions.map(({ code }) => code);

const two = camt(
  { currency: 'EUR', opening: '100', rows: ['-20'], closing: '80' },
  { currency: 'USD', opening: '0', rows: ['23'], closing: '23' },
);

describe('the currencies of an account have connections of their own', () => {
  test.each<[string, Partial<ReadingContext>, string[]]>([
    ['the first by name has the bare number', {}, ['7/EUR 7', '7/USD 7 USD']],
    ['the base currency comes before it', { baseCurrency: 'USD' }, ['7/EUR 7 EUR', '7/USD 7']],
    [
      'the currency that the service has comes before both',
      { baseCurrency: 'USD', storedCurrencies: { '7': 'EUR' } },
      ['7/EUR 7', '7/USD 7 USD'],
    ],
  ])('%s', async (_, context, expected) => {
    const file = await read(two, {}, context);
    expect(connectionsOf(file)).toEqual(expected);
    expect(file.questions).toEqual([]);
    expect(balancesOf(file)).toEqual(['8000 EUR', '2300 USD']);
  });

  test("the account's own currency comes before the base currency", async () => {
    const own = two.replace('</Id></Acct>', '</Id><Ccy>EUR</Ccy></Acct>');
    expect(connectionsOf(await read(own, {}, { baseCurrency: 'USD' }))).toEqual(['7/EUR 7', '7/USD 7 USD']);
  });

  test('answers name the account, or the account and the currency', async () => {
    const names = async (connection: Answers['connection']) =>
      connectionsOf(await read(two, connection ? { connection } : {}));
    expect(await names({ '7': 'giro' })).toEqual(['7/EUR giro', '7/USD 7 USD']);
    expect(await names({ '7/USD': 'dollars', '7/EUR': 'giro' })).toEqual(['7/EUR giro', '7/USD dollars']);
    await expect(names('giro')).rejects.toThrow('several accounts or currencies: 7/EUR, 7/USD');
    await expect(names({ '8': 'giro' })).rejects.toThrow('the file has no account 8, only 7/EUR, 7/USD');
  });

  test('a file in another currency than its connection has asks for the connection', async () => {
    const context = { storedCurrencies: { '7': 'USD', giro: 'CHF' } };
    const text = camt({ rows: ['5'] });
    const file = await read(text, {}, context);
    expect(file.questions).toMatchObject([
      { code: 'currency_connection', about: '7/EUR', choices: [{ value: '7 EUR' }, { value: '7' }] },
    ]);
    expect((await read(text, { connection: 'giro' }, context)).questions).toMatchObject([
      { code: 'currency_connection', choices: [{ value: 'giro EUR' }, { value: 'giro' }] },
    ]);
    for (const name of ['7', '7 EUR']) {
      const answered = await read(text, { connection: { '7/EUR': name } }, context);
      expect([codesOf(answered), connectionsOf(answered)]).toEqual([[], [`7/EUR ${name}`]]);
    }
    expect((await read(text, {}, { storedCurrencies: { '7': 'EUR' } })).questions).toEqual([]);
  });

  test('no label made of the ID of a bank connection is offered for another currency: the service rejects it', async () => {
    const context = { storedCurrencies: { conn_1: 'USD' } };
    const choicesOf = async (account: string) =>
      (await read(camt({ account, rows: ['5'] }), { connection: 'conn_1' }, context)).questions.map(
        ({ code, choices }) => [code, choices.map(({ value }) => value)],
      );
    expect(await choicesOf('7')).toEqual([['currency_connection', ['7 EUR', 'conn_1']]]);
    expect(await choicesOf('')).toEqual([['currency_connection', []]]);
  });

  test('a file without account numbers asks for a connection of each currency, unless it is empty', async () => {
    const csv = 'Date,Amount,Currency,Description\n2026-09-01,-1.00,EUR,a\n2026-09-01,2.00,USD,b\n';
    const abouts = ({ questions }: BankFile) => questions.map(({ code, about }) => `${code} ${about}`);
    expect(abouts(await read(csv))).toEqual(['account /EUR', 'account /USD']);
    const answered = await read(csv, { connection: { '/EUR': 'a', '/USD': 'b' } });
    expect([answered.questions, connectionsOf(answered)]).toEqual([[], ['/EUR a', '/USD b']]);
    expect((await read(camt({ account: '' }))).questions).toEqual([]);
  });
});

describe('what is stored adds up', () => {
  const amounts = fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 2, maxLength: 8 });
  const money = (cents: number): string => (cents / 100).toFixed(2);
  /** Changes one printed number, or none. */
  const mistake = fc.option(fc.record({ at: fc.nat(), by: fc.constantFrom(-100, 1, 250) }), { freq: 1 });

  test('a statement is stored if opening balance and rows give the closing balance, and rejected otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(amounts, fc.integer({ min: -900, max: 900 }), mistake, async (rows, opening, wrong) => {
        const closing = opening + rows.reduce((sum, row) => sum + row, 0) + (wrong?.by ?? 0);
        const file = await read(camt({ opening: money(opening), rows: rows.map(money), closing: money(closing) }));
        expect(codesOf(file)).toEqual(wrong === null ? [] : ['totals']);
        expect(rowsOf(file)).toEqual(rows);
        expect(balancesOf(file)).toEqual([`${closing} EUR`]);
      }),
    );
  });
});

describe('balances and rows', () => {
  test('rows that do not explain the balances are stored only if that is accepted, and the balance is not', async () => {
    const text = camt(
      { opening: '100', rows: ['10'], closing: '120' },
      { account: '8', opening: '0', rows: ['1'], closing: '1' },
    );
    const file = await read(text);
    expect(codesOf(file)).toEqual(['totals']);
    expect(file.problems).toMatchObject([
      {
        code: 'totals',
        line: 2,
        message: expect.stringMatching(/by the rows it is €110\.00, and the bank wrote €120\.00/),
      },
    ]);
    const accepted = await read(text, { accept_totals: true });
    expect([codesOf(accepted), rowsOf(accepted), balancesOf(accepted)]).toEqual([[], [1000, 100], ['100 EUR']]);
    expect(accepted.problems).toEqual(file.problems);
  });

  test('a booked row that cannot be read contradicts the balances, and is no contradiction without them', async () => {
    const broken = (statement: Statement) => camt(statement).replace('<BookgDt><Dt>2026-09-01</Dt></BookgDt>', '');
    expect(codesOf(await read(broken({ opening: '1', rows: ['2'], closing: '3' })))).toEqual(['totals']);
    const open = await read(broken({ rows: ['2', '3'] }));
    expect([codesOf(open), rowsOf(open)]).toEqual([[], [300]]);
  });

  const page = (opening: string, row: string, closing: string): Statement => ({ opening, rows: [row], closing });
  test.each<[string, Statement[], string[]]>([
    ['in order', [page('100', '10', '110'), page('110', '20', '130')], ['13000 EUR']],
    ['in reverse', [page('110', '20', '130'), page('100', '10', '110')], ['13000 EUR']],
    ['mixed', [page('110', '20', '130'), page('100', '10', '110'), page('130', '5', '135')], ['13500 EUR']],
    ['equal', [page('100', '10', '110'), { closing: '110' }], ['11000 EUR']],
  ])('several balances of a day, %s: the last is stored', async (_, statements, expected) => {
    const file = await read(camt(...statements));
    expect([codesOf(file), balancesOf(file)]).toEqual([[], expected]);
  });

  test('two balances of a day that do not follow each other are a contradiction', async () => {
    const text = camt(page('100', '10', '110'), page('500', '20', '520'));
    const file = await read(text);
    expect(codesOf(file)).toEqual(['totals']);
    expect(file.problems).toMatchObject([{ code: 'totals', message: expect.stringContaining('€110.00, €520.00') }]);
    const accepted = await read(text, { accept_totals: true });
    expect([rowsOf(accepted), balancesOf(accepted)]).toEqual([[1000, 2000], []]);
  });

  test('a statement that the file has twice counts once, and equal rows of one statement are all kept', async () => {
    const statement = { opening: '100', rows: ['-5', '-5'], closing: '90' };
    const file = await read(camt(statement, statement));
    expect([codesOf(file), rowsOf(file), balancesOf(file)]).toEqual([[], [-500, -500], ['9000 EUR']]);
    // A different statement with the same rows.
    const next = await read(camt(statement, { opening: '90', rows: ['-5', '-5'], closing: '80' }));
    expect([rowsOf(next).length, balancesOf(next)]).toEqual([4, ['8000 EUR']]);
  });

  test('the running balance of a CSV file decides which row of a day is the last', async () => {
    const header = 'Date,Amount,Currency,Balance,Account\n';
    const rows = ['2026-09-01,-10.00,EUR,90.00,7', '2026-09-01,-20.00,EUR,70.00,7', '2026-09-01,-15.00,EUR,55.00,7'];
    for (const text of [rows.join('\n'), rows.toReversed().join('\n')]) {
      const file = await read(`${header}${text}\n`);
      expect([codesOf(file), balancesOf(file)]).toEqual([[], ['5500 EUR']]);
    }
    const ambiguous = await read(`${header}2026-09-01,5.00,EUR,105.00,7\n2026-09-01,-5.00,EUR,100.00,7\n`);
    expect(ambiguous.questions).toMatchObject([{ code: 'order', choices: [{}, {}] }]);
  });
});
