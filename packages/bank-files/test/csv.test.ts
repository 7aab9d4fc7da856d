// Risk: a CSV file is stored with a wrong sign, day, amount or balance without a question.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateFormats } from '../src/index.ts';
import { asksOf, centsOf, daysOf, problemsOf, readCsv } from './read-csv.ts';

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
        // Without a question, the rows explain each balance.
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

  test('an answered sign counts for the rows that no balance decides, although all others go the other way', async () => {
    const lines = ['Date,Text,Amount,Balance', '2026-09-15,a,100.00,500.00', '2026-09-16,b,50.00,550.00'];
    const file = await readCsv([...lines, '2026-09-17,c,7.00,557.00'], { sign: 'out' });
    expect([asksOf(file), centsOf(file)]).toEqual([[], [-10_000, 5000, 700]]);
  });

  test.each<[string, string[], string[]]>([
    [
      'go back: only the newest has one',
      ['2026-09-01,a,-10.00,90.00', '2026-09-02,b,-20.00,70.00', '2026-09-01,c,-5.00,65.00'],
      ['2026-09-02 6500'],
    ],
    [
      'go back once: the others have theirs',
      [
        '2026-09-01,a,-10.00,90.00',
        '2026-09-03,b,-20.00,70.00',
        '2026-09-02,c,-5.00,65.00',
        '2026-09-04,d,-1.00,64.00',
        '2026-09-05,e,-1.00,63.00',
      ],
      ['2026-09-01 9000', '2026-09-03 6500', '2026-09-04 6400', '2026-09-05 6300'],
    ],
    [
      'go back, and the last row has no balance: the newest has none',
      ['2026-09-01,a,-10.00,90.00', '2026-09-03,b,-20.00,70.00', '2026-09-02,c,-5.00,'],
      ['2026-09-01 9000'],
    ],
  ])('the balance of a day counts all rows up to it, and no other: days that %s', async (_, lines, balances) => {
    const file = await readCsv(['Date,Text,Amount,Balance', ...lines], { csv: { order: 'oldest-first' } });
    const stored = file.accounts.flatMap((account) => account.balances);
    expect(stored.map(({ as_of, balance_cents }) => `${as_of} ${balance_cents}`)).toEqual(balances);
  });

  test.each(['oldest-first', 'newest-first'] as const)(
    'a line between the rows that has a balance and no amount is none of the ends: %s',
    async (order) => {
      const rows = ['2026-09-01,a,-10.00,90.00', '2026-09-02,Terms changed,,90.00', '2026-09-03,c,-5.00,85.00'];
      const lines = order === 'newest-first' ? rows.toReversed() : rows;
      const file = await readCsv(['Date,Text,Amount,Balance', ...lines]);
      expect([asksOf(file), centsOf(file).toSorted()]).toEqual([[], [-1000, -500]]);
    },
  );

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
