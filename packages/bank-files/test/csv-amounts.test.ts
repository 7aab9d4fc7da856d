// Risk: an amount of a CSV file is stored with a wrong value or sign without a question.
import { describe, expect, test } from 'vitest';
import { asksOf, centsOf, problemsOf, readCsv } from './read-csv.ts';

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
    ['-1 234 567,50', -123_456_750],
    ['R100,00', 10_000],
    ['-R 100,00', -10_000],
    ['K100,00', 10_000],
    ['(D100,00)', -10_000],
    ['D-100,00', -10_000],
    ['D 100,00', -10_000],
    ['-5,00 DR', -500],
    ['-5,00 CR', undefined],
    ['+5,00 S', undefined],
    ['-10 50', undefined],
    ["-12'50", undefined],
    ['-1234 567,00', undefined],
    ['-1,50 000', undefined],
    ['-1.23.4,50', undefined],
    ['5,00 apples', undefined],
    ['(-5,00)', undefined],
    ['=5', undefined],
  ])('%s', async (text, cents) => {
    const file = await readCsv(['Date;Amount;Text', `2026-09-01;${text};x`, '2026-09-02;-1,50;y']);
    expect([centsOf(file), problemsOf(file)]).toEqual(cents === undefined ? [[-150], ['row 2']] : [[cents, -150], []]);
  });

  test.each(['K', 'D', 'R'])(
    '%s before each amount is a currency and no direction, so the sign is asked',
    async (symbol) => {
      const lines = ['Date;Amount;Text', `2026-09-01;${symbol}100,00;x`, `2026-09-02;${symbol}5,50;y`];
      expect(asksOf(await readCsv(lines))).toEqual(['sign']);
      expect(centsOf(await readCsv(lines, { sign: 'out' }))).toEqual([-10_000, -550]);
    },
  );

  test('a code beside the amount is its currency, and contradicts another one of its column', async () => {
    const lines = ['Date;Amount;Text', '2026-09-01;-5,00 CHF;x'];
    expect((await readCsv(lines, {})).accounts).toMatchObject([{ currency: 'CHF' }]);
    const both = ['Date;Amount;Currency;Text', '2026-09-01;-5,00 CHF;EUR;x', '2026-09-01;-5,00;EUR;x'];
    expect(problemsOf(await readCsv(both))).toEqual(['row 2']);
  });

  test('an answered currency counts as its code in capitals, and another text is rejected', async () => {
    const lines = ['Date;Amount;Text', '2026-09-01;-1000;x'];
    for (const answers of [{ currency: 'jpy' }, { csv: { currency: ' Jpy' } }]) {
      const file = await readCsv(lines, answers);
      expect([asksOf(file), centsOf(file), file.accounts]).toMatchObject([[], [-1000], [{ currency: 'JPY' }]]);
    }
    for (const currency of ['Euro', '€', ''])
      await expect(readCsv(lines, { currency })).rejects.toThrow('is not the code of a currency, such as EUR');
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

  test.each([
    ['+ and -', ['+', '-']],
    ['D and C', ['C', 'D']],
    ['S and H', ['H', 'S']],
  ])('a column of another name with %s is asked whether it is the direction', async (_, [plus, minus]) => {
    const lines = ['Date,Text,Amount,X', `2026-09-15,a,5.00,${plus}`, `2026-09-16,b,6.00,${minus}`];
    expect(asksOf(await readCsv(lines))).toEqual(['column direction']);
    const confirmed = await readCsv(lines, { csv: { columns: { direction: 'X' } } });
    expect([asksOf(confirmed), centsOf(confirmed)]).toEqual([[], [500, -600]]);
    // One letter in all rows may be any code.
    expect(asksOf(await readCsv(lines.slice(0, 2)))).toEqual(['sign']);
  });

  test.each<[string, string[], { in: number[]; out: number[] }]>([
    [
      'debits of both signs',
      ['Debit,-10.00', 'Debit,3.00', 'Credit,100.00'],
      { in: [-1000, 300, 10_000], out: [1000, -300, 10_000] },
    ],
    [
      'most debits have a minus',
      ['Debit,-25.00', 'Debit,30.00', 'Debit,-5.00'],
      { in: [-2500, 3000, -500], out: [2500, -3000, 500] },
    ],
    ['all of them have a minus', ['Debit,-25.00', 'Credit,-100.00'], { in: [-2500, -10_000], out: [-2500, 10_000] }],
  ])('words of a direction and signs that differ are asked: %s', async (_, rows, cents) => {
    for (const name of ['Type', 'D/C']) {
      const lines = [`Date,Text,${name},Amount`, ...rows.map((row, i) => `2026-09-0${i + 1},a,${row}`)];
      expect((await readCsv(lines)).questions).toMatchObject([
        {
          code: 'sign',
          message: 'The direction of some amounts is not certain. How are they read?',
          choices: [{ value: 'in', label: 'The sign decides' }, { value: 'out' }],
        },
      ]);
      for (const sign of ['in', 'out'] as const) {
        const answered = await readCsv(lines, { sign });
        expect([asksOf(answered), centsOf(answered)]).toEqual([[], cents[sign]]);
      }
      let balance = 0;
      const balances = cents.out.map((each) => `,${((balance += each) / 100).toFixed(2)}`);
      const proved = await readCsv(lines.map((line, i) => line + (i === 0 ? ',Balance' : balances[i - 1])));
      expect([asksOf(proved), centsOf(proved)]).toEqual([[], cents.out]);
    }
  });

  test.each<[string, string[], number[]]>([
    ['a minus stands beside all credits, and beside no debit', ['D,25.00', 'C,-100.00'], [-2500, 10_000]],
    ['their signs repeat them', ['D,-10.00', 'C,-3.00', 'C,5.00'], [-1000, -300, 500]],
    ['a debit is reversed', ['D,800.00', 'D,-5.00', 'D,50.00', 'C,2000.00'], [-80_000, 500, -5000, 200_000]],
    ['a credit is reversed', ['C,-5.00', 'D,20.00', 'C,100.00'], [-500, -2000, 10_000]],
  ])('words of a direction are not asked if %s', async (_, rows, cents) => {
    const lines = ['Date,Text,D/C,Amount', ...rows.map((row, i) => `2026-09-0${i + 1},a,${row}`)];
    const file = await readCsv(lines);
    expect([asksOf(file), centsOf(file)]).toEqual([[], cents]);
  });

  test('a balance whose sign and word differ is read by its sign if the rows prove it', async () => {
    const lines = ['Date,Text,Amount,Balance', '2026-09-01,a,-5.00,-40.10CR', '2026-09-02,b,-5.00,-45.10CR'];
    const proved = await readCsv(lines);
    expect([asksOf(proved), problemsOf(proved)]).toEqual([[], []]);
    expect(proved.accounts[0]?.balances).toMatchObject([{ balance_cents: -4010 }, { balance_cents: -4510 }]);
    const open = await readCsv(lines.slice(0, 2));
    expect([centsOf(open), problemsOf(open), open.accounts[0]?.balances]).toEqual([[-500], ['balance 2'], []]);
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
