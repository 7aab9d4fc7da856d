// Risk: a CSV file is stored with another sign, day, amount or balance than the bank meant, although nobody was asked.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answers, type BankFile, dateFormats } from '../src/index.ts';
import { read } from './read.ts';

const given: Answers = { currency: 'EUR', connection: 'giro' };
const readCsv = (lines: readonly string[], answers: Answers = {}) =>
  read(`${lines.join('\n')}\n`, { ...given, ...answers });
const asksOf = ({ questions }: BankFile) => questions.map(({ code, about }) => (about ? `${code} ${about}` : code));
const centsOf = ({ accounts }: BankFile) =>
  accounts.flatMap(({ transactions }) => transactions.map(({ amount_cents }) => amount_cents));
const daysOf = ({ accounts }: BankFile) =>
  accounts.flatMap(({ transactions }) => transactions.map(({ posted_at }) => posted_at.slice(0, 10)));
const textsOf = ({ accounts }: BankFile) =>
  accounts.flatMap(({ transactions }) => transactions.map(({ description }) => description));
const problemsOf = ({ problems }: BankFile) => problems.map(({ code, line }) => `${code} ${line}`);

describe('the running balance', () => {
  const row = fc.record({ amount: fc.integer({ min: -5000, max: 5000 }), days: fc.integer({ min: 0, max: 2 }) });
  const money = (cents: number): string => (cents / 100).toFixed(2);

  test('a file that it proves has its amounts and last balance, in either order; one that it contradicts stores nothing', async () => {
    const rows = fc.array(row, { minLength: 2, maxLength: 12 });
    const change = fc.record({ at: fc.nat(), cents: fc.integer({ min: 1, max: 999 }) });
    const opening = fc.integer({ min: -9000, max: 9000 });
    await fc.assert(
      fc.asyncProperty(rows, opening, fc.boolean(), fc.option(change), async (list, start, isReversed, wrong) => {
        let [balance, day] = [start, 1];
        const lines = list.map(({ amount, days }, i) => {
          balance += amount;
          day += days;
          const printed = balance + (wrong && wrong.at % list.length === i ? wrong.cents : 0);
          return `2026-03-${String(day).padStart(2, '0')},x,${money(amount)},${money(printed)}`;
        });
        const file = await readCsv(['Date,Text,Amount,Balance', ...(isReversed ? lines.toReversed() : lines)], {
          sign: 'in',
        });
        const last = file.accounts
          .flatMap(({ balances }) => balances)
          .toSorted((a, b) => (a.as_of < b.as_of ? -1 : 1))
          .at(-1);
        if (file.questions.length > 0) return;
        // Without a question the rows explain each balance.
        const sum = centsOf(file).reduce((a, b) => a + b, 0);
        const first = isReversed ? centsOf(file).at(-1) : centsOf(file)[0];
        const printed = lines.map((line) => Math.round(Number(line.split(',')[3]) * 100));
        expect((printed[0] ?? 0) - (first ?? 0) + sum).toBe(printed.at(-1));
        expect(last?.balance_cents).toBe(printed.at(-1));
      }),
      { numRuns: 200 },
    );
  });

  test('it decides the sign of amounts without one, except that of the first row', async () => {
    const lines = ['Date,Text,Amount,Balance', '2026-09-01,a,5.00,100.00', '2026-09-02,b,30.00,70.00'];
    const file = await readCsv([...lines, '2026-09-03,c,20.00,90.00']);
    expect(asksOf(file)).toEqual(['sign']);
    const answered = await readCsv([...lines, '2026-09-03,c,20.00,90.00'], { sign: 'out' });
    expect([asksOf(answered), centsOf(answered)]).toEqual([[], [-500, -3000, 2000]]);
  });

  test('an answered sign that the balances turn in every row is contradicted', async () => {
    const lines = ['Date,Text,Amount,Balance', '2026-09-15,a,100.00,500.00', '2026-09-16,b,50.00,550.00'];
    const file = await readCsv([...lines, '2026-09-17,c,7.00,557.00'], { sign: 'out' });
    expect(asksOf(file)).toEqual(['totals']);
    const accepted = await readCsv(lines, { sign: 'out', accept_totals: true });
    expect(centsOf(accepted)).toEqual([-10_000, -5000]);
  });

  test('amounts beside some with a plus are asked, and have one direction that it proves', async () => {
    const lines = ['2026-09-15,a,50.00,950.00', '2026-09-16,b,+20.00,970.00', '2026-09-17,c,30.00,940.00'];
    const file = await readCsv(['Date,Text,Amount,Balance', ...lines]);
    expect([asksOf(file), centsOf(file)]).toEqual([[], [-5000, 2000, -3000]]);
    const open = await readCsv(['Date,Text,Amount', ...lines.map((line) => line.replace(/,[^,]*$/, ''))]);
    expect(asksOf(open)).toEqual(['sign']);
  });

  test.each<[string, string[], number[]]>([
    [
      'a bank that writes money out as positive',
      [
        'Date,Text,Amount,Balance',
        '2026-09-01,a,-10.00,110.00',
        '2026-09-02,b,30.00,80.00',
        '2026-09-03,c,-5.00,85.00',
        '2026-09-04,d,-1.00,86.00',
        '2026-09-05,e,6.00,80.00',
      ],
      [1000, -3000, 500, 100, -600],
    ],
    [
      'a minus in a debit column that reverses it, although all of them have one',
      [
        'Date,Text,Debit,Credit,Balance',
        '2026-09-01,a,,7.00,90.00',
        '2026-09-02,b,,2.00,92.00',
        '2026-09-03,c,-5.00,,97.00',
        '2026-09-04,d,-1.00,,98.00',
        '2026-09-05,e,,3.00,101.00',
      ],
      [700, 200, 500, 100, 300],
    ],
    [
      'the mark of thousands',
      ['Date;Text;Amount;Balance', '2026-09-01;a;-1.000;5.000', '2026-09-02;b;500;5.500'],
      [-100_000, 50_000],
    ],
  ])('it proves %s', async (_, lines, cents) => {
    const file = await readCsv(lines);
    expect([asksOf(file), centsOf(file)]).toEqual([[], cents]);
  });

  test.each<[string, string[]]>([
    ['one balance', ['2026-09-15,Rent,-700.00,300.00', '2026-09-16,Refund,50.00,250.00']],
    [
      'balances of one day that are those before the rows',
      [
        '2026-09-15,a,-10.00,100.00',
        '2026-09-15,b,20.00,90.00',
        '2026-09-15,c,-5.00,110.00',
        '2026-09-15,d,7.00,105.00',
        '2026-09-15,e,9.00,112.00',
      ],
    ],
  ])('a sign that the bank wrote is not turned by %s', async (_, lines) => {
    expect(asksOf(await readCsv(['Date,Text,Amount,Balance', ...lines]))).toEqual(['totals']);
  });

  test('no sign that the bank did not write is taken if the days would go back', async () => {
    const file = await readCsv(['Date,Text,Amount,Balance', '2026-09-01,a,-10.00,90.00', '2026-09-02,b,-30.00,80.00']);
    expect(asksOf(file)).toEqual(['totals']);
    expect(file.problems).toMatchObject([{ code: 'totals', line: 3 }]);
  });

  test('a row that cannot be read contradicts it', async () => {
    const lines = ['Date,Text,Amount,Balance', '2026-09-01,a,-1.00,99.00', '2026-09-01,b,x,98.00'];
    expect(problemsOf(await readCsv([...lines, '2026-09-02,c,-1.00,97.00']))).toEqual(['row 3', 'totals 4']);
  });

  test.each([
    ['last', ['2026-09-15,a,-10.00,90.00', '2026-09-15,b,-5.00,85.00', '2026-09-15,c,12x,65.00'], 4],
    ['first', ['2026-09-15,a,12x,90.00', '2026-09-15,b,-5.00,85.00', '2026-09-15,c,-1.00,84.00'], 2],
    ['last, without a day', ['2026-09-15,a,-10.00,90.00', '2026-09-15,b,-5.00,85.00', ',c,-20.00,65.00'], 4],
  ])('the row that cannot be read contradicts it if it is the %s', async (_, lines, line) => {
    const file = await readCsv(['Date,Text,Amount,Balance', ...lines]);
    expect([asksOf(file), problemsOf(file)]).toEqual([['totals'], [`row ${line}`, `totals ${line}`]]);
  });

  test('a day has no balance if its last row has none', async () => {
    const lines = ['Date,Text,Amount,Balance', '2026-09-14,a,-10.00,90.00', '2026-09-15,b,-5.00,85.00'];
    const file = await readCsv([...lines, '2026-09-15,c,-20.00,']);
    expect(file.accounts.flatMap(({ balances }) => balances)).toMatchObject([
      { as_of: '2026-09-14', balance_cents: 9000 },
    ]);
  });

  test('a fee beside the amount is taken if it proves it, and asked if nothing does', async () => {
    const header = 'Date,Text,Amount,Fee,Balance';
    const rows = ['2026-09-01,a,10.00,0.00,10.00', '2026-09-02,b,-5.00,0.20,4.80'];
    expect(centsOf(await readCsv([header, ...rows]))).toEqual([1000, -520]);
    const open = [header, ...rows.map((line) => line.replace(/[^,]*$/, ''))];
    expect(asksOf(await readCsv(open))).toEqual(['column fee']);
    expect(centsOf(await readCsv(open, { csv: { columns: { fee: '' } } }))).toEqual([1000, -500]);
    expect(centsOf(await readCsv(open, { csv: { columns: { fee: 'Fee' } } }))).toEqual([1000, -520]);
  });
});

test('a minus that all fees have repeats the column', async () => {
  const lines = ['Date,Text,Amount,Fee,Balance', '2026-09-15,a,100.00,-3.00,97.00', '2026-09-16,b,50.00,-1.50,145.50'];
  expect(centsOf(await readCsv(lines))).toEqual([9700, 4850]);
  const open = lines.map((line) => line.replace(/,[^,]*$/, ''));
  expect(centsOf(await readCsv(open, { csv: { columns: { fee: 'Fee' } } }))).toEqual([9700, 4850]);
});

describe('dates', () => {
  const day = fc
    .date({ min: new Date('2020-01-01'), max: new Date('2026-11-25'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const written: Record<(typeof dateFormats)[number], (parts: { y: string; m: string; d: string }) => string> = {
    'YYYY-MM-DD': ({ y, m, d }) => `${y}/${m}/${d}`,
    YYYYMMDD: ({ y, m, d }) => `${y}${m}${d}`,
    DDMMYYYY: ({ y, m, d }) => `${d}${m}${y}`,
    MMDDYYYY: ({ y, m, d }) => `${m}${d}${y}`,
    'DD/MM/YYYY': ({ y, m, d }) => `${d}.${m}.${y} 13:05`,
    'MM/DD/YYYY': ({ y, m, d }) => `09:31 PM ${m}/${d}/${y}`,
    'DD/MM/YY': ({ y, m, d }) => `${Number(d)}-${Number(m)}-${y.slice(2)}`,
    'MM/DD/YY': ({ y, m, d }) => `${m}/${d}/${y.slice(2)} 10:00:00 UTC`,
    'YY/MM/DD': ({ y, m, d }) => `${y.slice(2)}/${m}/${d}`,
    'DD MMM YYYY': ({ y, m, d }) =>
      `${d} ${'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')[Number(m) - 1]} ${y}`,
    'MMM DD YYYY': ({ y, m, d }) =>
      `${'January February March April May June July August September October November December'.split(' ')[Number(m) - 1]} ${d}, ${y}`,
    EXCEL: ({ y, m, d }) => String(Date.UTC(Number(y), Number(m) - 1, Number(d)) / 86_400_000 + 25_569),
  };

  test('the dates of a file are read in their format, or the format is asked', async () => {
    const list = fc.array(day, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(list, fc.constantFrom(...dateFormats), async (days, format) => {
        const lines = days.map((text) => {
          const [y = '', m = '', d = ''] = text.split('-');
          return `"${written[format]({ y, m, d })}";-1,00;x`;
        });
        const file = await readCsv(['Date;Amount;Text', ...lines]);
        if (file.questions.length === 0) expect(daysOf(file)).toEqual(days);
        else expect(file.questions[0]?.choices.map(({ value }) => value)).toContain(format);
        const answered = await readCsv(['Date;Amount;Text', ...lines], { csv: { date_format: format } });
        expect([asksOf(answered), daysOf(answered)]).toEqual([[], days]);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['1. März 2026', '2026-03-01'],
    ['1 mrt 2026', '2026-03-01'],
    ['12 août 2026', '2026-08-12'],
    ['lun. 5 janv. 2026', '2026-01-05'],
    ['9 ene 2026', '2026-01-09'],
    ['4 giugno 2026', '2026-06-04'],
    ['7 de setembro de 2026', '2026-09-07'],
    ['5 października 2026', '2026-10-05'],
    ['1 sty 2026', '2026-01-01'],
    ['14-Okt-26', '2026-10-14'],
  ])('%s has the name of a month', async (text, expected) => {
    expect(daysOf(await readCsv(['Date;Amount;Text', `${text};-1,00;x`]))).toEqual([expected]);
  });

  test('eight digits that end with the year are a date', async () => {
    const lines = ['Date,Text,Amount', '15092026,a,-10.00', '16092026,b,-10.00'];
    const file = await readCsv(lines);
    expect([asksOf(file), daysOf(file)]).toEqual([[], ['2026-09-15', '2026-09-16']]);
  });

  test('two formats are asked, although the days go back in one of them', async () => {
    const lines = ['Date,Text,Amount,Balance', '01/06/2026,a,-10.00,90.00', '02/05/2026,b,-5.00,85.00'];
    expect(asksOf(await readCsv(lines))).toEqual(['date_format']);
  });

  test.each(['2012-12-24', '2026-11-27', '31.02.2026', '4 jui 2026'])(
    '%s alone is asked: too old, in the future, or no day',
    async (text) => {
      const file = await readCsv(['Date;Amount;Text', `${text};-1,00;x`]);
      expect(file.questions).toMatchObject([
        { code: 'date_format', message: expect.stringMatching(/^Line 2 has the date/) },
      ]);
    },
  );
});

describe('amounts', () => {
  test.each([
    ['\u22125,00', -500],
    ['\u20135,00', -500],
    ['(5,00)', -500],
    ['$(5,00)', -500],
    ['-$5,00', -500],
    ['--5,00', 500],
    ['5,00-', -500],
    ['5,00 DR', -500],
    ['5,00 Cr.', 500],
    ['5,00 S', -500],
    ['EUR -5,00', -500],
    ['-5,00 EUR', -500],
    ['-5,00 kr.', -500],
    ["-1'234,50", -123_450],
    ['-1\u00a0234,50', -123_450],
    ['-1.23.4,50', undefined],
    ['5,00 apples', undefined],
    ['(-5,00)', undefined],
    ['=5', undefined],
  ])('%s', async (text, cents) => {
    const file = await readCsv(['Date;Amount;Text', `2026-09-01;${text};x`, '2026-09-02;-1,50;y']);
    expect([centsOf(file), problemsOf(file)]).toEqual(cents === undefined ? [[-150], ['row 2']] : [[cents, -150], []]);
  });

  test('a code beside the amount is its currency, and contradicts another one of its column', async () => {
    const lines = ['Date;Amount;Text', '2026-09-01;-5,00 CHF;x'];
    expect((await readCsv(lines, {})).accounts).toMatchObject([{ currency: 'CHF' }]);
    const both = ['Date;Amount;Currency;Text', '2026-09-01;-5,00 CHF;EUR;x', '2026-09-01;-5,00;EUR;x'];
    expect(problemsOf(await readCsv(both))).toEqual(['row 2']);
  });

  test('words for debit and credit decide, and another word is asked', async () => {
    const lines = ['Date;Amount;S/H;Text', '2026-09-01;5,00;S;x', '2026-09-02;6,00;H;y', '2026-09-03;7,00;?;z'];
    expect(asksOf(await readCsv(lines))).toEqual(['direction ?']);
    const answered = await readCsv(lines, { csv: { words: { '?': 'out' } } });
    expect([asksOf(answered), centsOf(answered)]).toEqual([[], [-500, 600, -700]]);
  });

  test.each([
    ['Card Type', ['Debit', 'Credit'], ['column direction'], {}],
    ['Type', ['Debit', 'Credit', 'Fee'], ['column direction', 'direction Fee'], { Fee: 'out' }],
  ] as const)('a column %s with %s is asked whether it is the direction', async (name, types, asks, words) => {
    const lines = [`Date,Text,Amount,${name}`, ...types.map((type) => `2026-09-15,a,5.00,${type}`)];
    expect(asksOf(await readCsv(lines))).toEqual(asks);
    const confirmed = await readCsv(lines, { csv: { columns: { direction: name }, words } });
    expect([asksOf(confirmed), centsOf(confirmed)]).toEqual([[], [-500, 500, -500].slice(0, types.length)]);
    expect(asksOf(await readCsv(lines, { csv: { columns: { direction: '' } } }))).toEqual(['sign']);
  });

  test('a debit column of which most amounts have a minus is asked, unless balances decide', async () => {
    const lines = ['2026-09-15,a,-25.00,,75.00', '2026-09-16,b,-40.00,,35.00', '2026-09-17,c,5.00,,40.00'];
    const proved = await readCsv(['Date,Text,Debit,Credit,Balance', ...lines]);
    expect([asksOf(proved), centsOf(proved)]).toEqual([[], [-2500, -4000, 500]]);
    const open = ['Date,Text,Debit,Credit', ...lines.map((line) => line.replace(/,[^,]*$/, ''))];
    expect(asksOf(await readCsv(open))).toEqual(['sign']);
    expect(centsOf(await readCsv(open, { sign: 'in' }))).toEqual([-2500, -4000, 500]);
    expect(centsOf(await readCsv(open, { sign: 'out' }))).toEqual([2500, 4000, -500]);
  });

  test('of an amount without sign and the two columns of debit and credit, the two are read', async () => {
    const file = await readCsv(['Date,Text,Debit,Credit,Amount', '2026-09-01,a,5.00,,5.00', '2026-09-02,b,,6.00,6.00']);
    expect([asksOf(file), centsOf(file)]).toEqual([[], [-500, 600]]);
  });
});

describe('lines and columns', () => {
  test('lines that carry no row are no problem, and a row without a date is one', async () => {
    const rows = ['Date,Text,Amount', '2026-09-02,b,-2.00', '2026-09-03,Total Energies,-3.00', ',x,-4.00'];
    const footer = ['Summe:,,"-5.00"', ',Total,-5.00', 'Page 1 of 2', 'Generated 2026-09-30,,', ',,', 'End'];
    const file = await readCsv([...rows, ...footer]);
    expect([textsOf(file), problemsOf(file)]).toEqual([['b', 'Total Energies'], ['row 4']]);
  });

  test('an opening balance among the rows is no transaction, and is part of the proof', async () => {
    const lines = ['Date,Text,Amount', '2026-09-01,Opening balance,100.00', '2026-09-02,b,-2.00'];
    const file = await readCsv([...lines, '2026-09-30,Closing balance,98.00']);
    expect([asksOf(file), centsOf(file), problemsOf(file)]).toEqual([[], [-200], ['note 2', 'note 4']]);
    expect(asksOf(await readCsv([...lines, '2026-09-30,Closing balance,97.00']))).toEqual(['totals']);
    const row = ['Date,Text,Amount,Balance', '2026-09-01,a,-1.00,100.00', '2026-09-02,Opening balance,50.00,150.00'];
    expect(centsOf(await readCsv(row))).toEqual([-100, 5000]);
  });

  test.each([
    ['Final balance 2026-17', '-1200.00'],
    ['Final balance 2026-17', '1200.00'],
    ['Opening balance', '-100.00'],
  ])('a dated row %s of %s is asked whether it is a transaction', async (text, amount) => {
    const lines = ['Date,Text,Amount', `2026-09-15,${text},${amount}`, '2026-09-16,b,-10.00'];
    expect(asksOf(await readCsv(lines))).toEqual([`status ${text}`]);
    const booked = await readCsv(lines, { csv: { words: { [text]: 'booked' } } });
    expect([asksOf(booked), centsOf(booked)]).toEqual([[], [Number(amount) * 100, -1000]]);
    const balance = await readCsv(lines, { csv: { words: { [text]: 'unbooked' } } });
    expect([asksOf(balance), centsOf(balance)]).toEqual([[], [-1000]]);
  });

  test('each word of a column named Status is asked, although none is known', async () => {
    const lines = ['Date,Text,Amount,Status', '2026-09-01,a,-1.00,Uncleared', '2026-09-02,b,-2.00,P'];
    expect(asksOf(await readCsv(lines))).toEqual(['status Uncleared', 'status P']);
  });

  test('pending and reverted rows are left out, and a status that is not known is asked', async () => {
    const lines = ['Date,Text,Amount,Status', '2026-09-01,a,-1.00,Posted', '2026-09-02,b,-2.00,Pending'];
    const file = await readCsv([...lines, '2026-09-03,c,-3.00,Frozen', ',d,-4.00,PENDING']);
    expect([asksOf(file), problemsOf(file)]).toEqual([['status Frozen'], ['unbooked 3', 'unbooked 5']]);
    const answered = await readCsv([...lines, '2026-09-03,c,-3.00,Frozen'], { csv: { words: { Frozen: 'unbooked' } } });
    expect([asksOf(answered), textsOf(answered)]).toEqual([[], ['a']]);
    const none = await readCsv([...lines], { csv: { columns: { status: '' } } });
    expect(textsOf(none)).toEqual(['a', 'b']);
  });

  test('given columns are merged over the guess, and an empty name leaves a field out', async () => {
    const lines = ['Date,Text,Payee,Amount,Net', '2026-09-01,a,shop,-1.00,-2.00'];
    const file = await readCsv(lines, { csv: { columns: { amount: 'Net', counterparty: '' } } });
    expect(file.csv?.mapping.columns).toEqual({ date: 'Date', description: 'Text', amount: 'Net' });
    expect([centsOf(file), textsOf(file)]).toEqual([[-200], ['a']]);
    const other = await readCsv(lines, { csv: { columns: { amount: 'Sum' } } });
    expect(other.questions).toMatchObject([{ code: 'column', about: 'amount', suggestion: 'Amount' }]);
  });

  test.each([
    ['several accounts', []],
    ['another account than the one above the names', ['Girokonto;DE12345678901234567890;;']],
  ])('a column IBAN with %s is asked, because it may have those of others', async (_, above) => {
    const rows = ['15.09.2026;Miete;DE02120300000000202051;-700,00', '16.09.2026;RE 1;DE02500105170137075030;900,00'];
    const lines = [...above, 'Datum;Text;IBAN;Betrag', ...rows.slice(0, above.length === 0 ? 2 : 1)];
    const file = await readCsv(lines, { connection: {} });
    expect(file.questions).toMatchObject([{ code: 'column', about: 'account', suggestion: 'IBAN' }]);
    expect(asksOf(await readCsv(lines))).toEqual(['column account']);
    expect(asksOf(await readCsv(lines, { csv: { columns: { account: '' } } }))).toEqual([]);
    const own = await readCsv(lines, { connection: {}, csv: { columns: { account: 'IBAN' } } });
    expect([asksOf(own), own.accounts.length]).toEqual([[], 2 - above.length]);
  });

  test('a currency beside two amounts is asked', async () => {
    const lines = ['Date,Text,Original Amount,Currency,Amount', '2026-09-15,Hotel,-120.00,USD,-100.00'];
    expect((await readCsv(lines)).questions).toMatchObject([
      { code: 'column', about: 'currency', suggestion: 'Currency' },
    ]);
    const own = await readCsv(lines, { csv: { columns: { currency: '' } } });
    expect([asksOf(own), own.accounts]).toMatchObject([[], [{ currency: 'EUR' }]]);
    const both = ['Date,Text,Original Amount,Original Currency,Amount,Currency', '2026-09-15,a,-120.00,USD,-1.00,EUR'];
    expect(asksOf(await readCsv(both))).toEqual([]);
  });

  test('a text that no column is known for is asked, and may have none', async () => {
    const lines = ['Date,Amount,Foo', '2026-09-01,-1.00,a text'];
    expect((await readCsv(lines)).questions).toMatchObject([
      { code: 'column', about: 'description', suggestion: 'Foo', choices: [{}, {}, {}, { value: '' }] },
    ]);
    expect(asksOf(await readCsv(lines, { csv: { columns: { description: '' } } }))).toEqual([]);
  });

  test.each([
    ['a quotation mark as text', '2026-09-01,"TV" SHOP,-4.00', '"TV" SHOP'],
    ['one that is never closed on its line', '2026-09-01,"TV SHOP,-4.00', '"TV SHOP'],
    ['inches in quotation', '2026-09-01,"PIPE 5" LONG",-4.00', 'PIPE 5" LONG'],
    ['doubled marks', '2026-09-01,"SAY ""HI""",-4.00', 'SAY "HI"'],
    ['escaped marks', String.raw`2026-09-01,"SAY \"HI\"",-4.00`, 'SAY "HI"'],
    ['a folder', String.raw`2026-09-01,"C:\DIR\",-4.00`, String.raw`C:\DIR` + '\\'],
  ])('%s takes no other row with it', async (_, line, text) => {
    const file = await readCsv(['Date,Text,Amount', line, '2026-09-02,"X",-1.00', '2026-09-03,"Y",-2.00']);
    expect([textsOf(file), centsOf(file)]).toEqual([
      [text, 'X', 'Y'],
      [-400, -100, -200],
    ]);
  });

  test('any cells that are quoted by the standard are read back', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', ';', '\n', 'ä'), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), async (cells) => {
        const lines = cells.map((cell) => `2026-09-01,"x${cell.replaceAll('"', '""')}x",-4.00`);
        const expected = cells.map((cell) => `x${cell}x`.replaceAll(/\s+/g, ' '));
        expect(textsOf(await readCsv(['Date,Text,Amount', ...lines], { csv: { delimiter: ',' } }))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});
