// Risk: a CSV column or line is misread, or a row is lost, without a question.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asksOf, centsOf, problemsOf, readCsv, textsOf } from './read-csv.ts';

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

  test.each([
    ['Date,Text,Debit,Credit', ['2026-09-15,New Balance,120.00,', '2026-09-16,b,,10.00'], [-12_000, 1000]],
    ['Date,Text,Amount,D/C', ['2026-09-15,New Balance,120.00,D', '2026-09-16,b,10.00,C'], [-12_000, 1000]],
  ])('a column or word of debit is a sign of a text that may be a balance: %s', async (header, rows, cents) => {
    const lines = [header, ...rows];
    expect(asksOf(await readCsv(lines))).toEqual(['status New Balance']);
    const booked = await readCsv(lines, { csv: { words: { 'New Balance': 'booked' } } });
    expect([asksOf(booked), centsOf(booked)]).toEqual([[], cents]);
  });

  test.each(['New Balance', 'Opening balance'])(
    'a row %s between others is asked whether it is a transaction',
    async (text) => {
      const lines = ['Date,Text,Amount', '2026-09-15,a,-1.00', `2026-09-16,${text},120.00`, '2026-09-17,b,-2.00'];
      expect(asksOf(await readCsv(lines))).toEqual([`status ${text}`]);
      const booked = await readCsv(lines, { csv: { words: { [text]: 'booked' } } });
      expect([asksOf(booked), centsOf(booked)]).toEqual([[], [-100, 12_000, -200]]);
      const balance = await readCsv(lines, { csv: { words: { [text]: 'unbooked' } } });
      expect([asksOf(balance), centsOf(balance)]).toEqual([[], [-100, -200]]);
    },
  );

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
    expect(file.questions).toMatchObject([{ code: 'column', about: 'account' }]);
    expect(file.questions[0]).not.toHaveProperty('suggestion');
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

  test.each([
    ['Amount', 'Amount (EUR)', 'Currency', 'USD', '-20.00', '-18.00'],
    ['Amount (USD)', 'Amount (EUR)', 'Note', 'a', '-20.00', '-18.00'],
    ['Amount', 'Transaction Amount', 'Note', 'a', '-20.00', '-18.00'],
  ])('two columns %s and %s with other amounts are asked', async (one, two, third, cell, first, second) => {
    const lines = [`Date,Text,${one},${two},${third}`, `2026-09-15,a,${first},${second},${cell}`];
    expect(asksOf(await readCsv(lines))).toEqual(['column amount']);
    for (const [amount, cents] of [
      [one, -2000],
      [two, -1800],
    ] as const) {
      const columns = { amount, ...(amount.endsWith('(EUR)') ? { currency: '' } : {}) };
      const answered = await readCsv(lines, { csv: { columns } });
      expect([asksOf(answered), centsOf(answered)]).toEqual([[], [cents]]);
    }
    expect(asksOf(await readCsv([lines[0] ?? '', `2026-09-15,a,${first},${first},${cell}`]))).toEqual([]);
  });

  test('a column of currencies that contradicts the currency in the name of the amount is asked', async () => {
    const lines = ['Date,Text,Amount (EUR),Currency', '2026-09-15,a,-18.00,USD'];
    expect(asksOf(await readCsv(lines))).toEqual(['column currency']);
    const own = await readCsv(lines, { csv: { columns: { currency: '' } } });
    expect([asksOf(own), own.accounts]).toMatchObject([[], [{ currency: 'EUR' }]]);
  });

  const sides = ['2026-09-01,Salary,,1000.00', '2026-09-02,Rent,700.00,', '2026-09-03,Refund,,5.00'];
  const zeros = sides.map((line) => line.replace(',,', ',0.00,').replace(/,$/, ',0.00'));

  test.each([
    ['Withdrawals', 'Lodgements', 'credit', sides],
    ['Withdrawals', 'Lodgements', 'credit', zeros],
    ['Debet', 'Plus', 'credit', sides],
  ])('a column %s whose other rows have an amount in the column %s asks for it', async (one, two, field, rows) => {
    const lines = [`Date,Description,${one},${two}`, ...rows];
    const file = await readCsv(lines);
    expect(file.questions).toMatchObject([{ code: 'column', about: field }]);
    expect(file.questions[0]).not.toHaveProperty('suggestion');
    const answered = await readCsv(lines, { csv: { columns: { [field]: two } } });
    expect([asksOf(answered), centsOf(answered)]).toEqual([[], [100_000, -70_000, 500]]);
    const none = await readCsv(lines, { csv: { columns: { [field]: '' } } });
    expect([asksOf(none), centsOf(none), problemsOf(none)]).toEqual([[], [-70_000], ['row 2', 'row 4']]);
  });

  test.each<[string, string[], number[]]>([
    ['Amount,Rate', ['a,-10.00,', 'RATE CHANGE,0.00,3.25', 'b,10.00,'], [-1000, 0, 1000]],
    ['Amount,Points', ['a,-10.00,', 'Bonus,,500', 'b,10.00,'], [-1000, 1000]],
    ['D/C,Amount,Charges', ['a,D,10.00,', 'Free,D,0.00,5.00', 'b,C,10.00,'], [-1000, 0, 1000]],
    ['Withdrawals,Cheque', ['a,10.00,', 'Void cheque,0.00,1234', 'b,5.00,'], [-1000, 0, -500]],
    ['Amount,Pending Amount,Status', ['a,-10.00,,Posted', 'b,,-20.00,Pending'], [-1000]],
    ['Withdrawals,Pending Amount,Status', ['a,10.00,,Posted', 'b,,20.00,Pending'], [-1000]],
  ])('columns %s have no other side', async (names, rows, cents) => {
    const lines = [`Date,Description,${names}`, ...rows.map((row, i) => `2026-09-0${i + 1},${row}`)];
    const file = await readCsv(lines);
    expect([asksOf(file), centsOf(file)]).toEqual([[], cents]);
    const { columns } = file.csv?.mapping ?? {};
    const repeated = await readCsv(lines, { csv: { columns: { debit: '', credit: '', ...columns } } });
    expect([asksOf(repeated), centsOf(repeated)]).toEqual([[], cents]);
    expect(problemsOf(repeated).filter((problem) => problem.startsWith('row'))).toEqual([]);
  });

  test('one answer None is enough for a number beside amounts without a sign', async () => {
    const lines = ['Date,Description,Amount,Points', '2026-09-01,a,10.00,', '2026-09-02,Bonus,,500'];
    expect(asksOf(await readCsv(lines, { sign: 'out' }))).toEqual(['column credit']);
    expect(asksOf(await readCsv(lines, { sign: 'out', csv: { columns: { credit: '' } } }))).toEqual([]);
  });

  test('a dash is an empty amount, although most rows of the column have one', async () => {
    const lines = ['2026-09-01,a,-,10.00', '2026-09-02,b,-,20.00', '2026-09-03,c,-,30.00', '2026-09-04,d,100.00,-'];
    const file = await readCsv(['Date,Description,Debit,Credit', ...lines]);
    expect([asksOf(file), centsOf(file), problemsOf(file)]).toEqual([[], [1000, 2000, 3000, -10_000], []]);
    const signs = await readCsv(['Date,Description,Amount,Sign', '2026-09-01,a,1.00,-', '2026-09-02,b,2.00,+']);
    expect([asksOf(signs), centsOf(signs)]).toEqual([['column direction'], [-100, 200]]);
    const words = ['Date,Text,Amount,Currency,Status', '2026-09-01,-,-1.00,-,-', '2026-09-02,b,-2.00,EUR,Booked'];
    const dashed = await readCsv(words);
    expect([asksOf(dashed), problemsOf(dashed), textsOf(dashed)]).toEqual([[], [], ['', 'b']]);
  });

  test.each([
    ['Account number', ['DE02120300000000202051', 'DE02500105170137075030'], ['column account']],
    ['Account number', ['DE02120300000000202051', ''], ['column account']],
    ['Account number', ['1001', '1002'], []],
    ['Account number', ['DE02120300000000202051', 'DE02120300000000202051'], []],
  ])('a column %s with %j asks %j', async (name, accounts, asks) => {
    const rows = accounts.map((account) => `2026-09-01,a,${account},-1.00`);
    expect(asksOf(await readCsv([`Date,Text,${name},Amount`, ...rows], { connection: {} }))).toEqual(
      asks.length > 0 && accounts.includes('') ? [...asks, 'account'] : asks,
    );
  });

  test.each([
    ['Info', ['a remark', 'pending'], [], ['a', 'b']],
    ['Info', ['booked', 'pending'], [], ['a']],
    ['State', ['a remark', 'pending'], ['status a remark'], ['a']],
  ])('a column %s with %j asks %j', async (name, [one, two], asks, texts) => {
    const file = await readCsv([`Date,Text,Amount,${name}`, `2026-09-01,a,-1.00,${one}`, `2026-09-02,b,-1.00,${two}`]);
    expect([asksOf(file), textsOf(file)]).toEqual([asks, texts]);
  });

  test('an empty column is no text if another has some', async () => {
    const file = await readCsv(['Date,Amount,Text,Details,Note', '2026-09-01,-1.00,,a text,', '2026-09-02,-1.00,,b,']);
    expect([asksOf(file), textsOf(file)]).toEqual([[], ['a text', 'b']]);
    const unknown = await readCsv(['Date,Amount,Text,Foo', '2026-09-01,-1.00,,a text']);
    expect(unknown.questions).toMatchObject([{ code: 'column', about: 'description', suggestion: 'Foo' }]);
  });

  test.each([[sides], [zeros]])(
    'two unknown columns, of which each row has one, are asked as debit and credit',
    async (rows) => {
      const lines = ['Date,Description,Payments,Receipts', ...rows];
      const { questions } = await readCsv(lines);
      expect(questions).toMatchObject([{ about: 'debit' }, { about: 'credit' }]);
      for (const question of questions) expect(question).not.toHaveProperty('suggestion');
      const columns = { debit: 'Payments', credit: 'Receipts' };
      const answered = await readCsv(lines, { csv: { columns } });
      expect([asksOf(answered), centsOf(answered)]).toEqual([[], [100_000, -70_000, 500]]);
      const one = await readCsv(lines, {
        sign: 'out',
        csv: { columns: { amount: 'Payments', debit: '', credit: '' } },
      });
      expect([asksOf(one), centsOf(one), problemsOf(one)]).toEqual([[], [-70_000], ['row 2', 'row 4']]);
      const both = await readCsv(lines, { sign: 'out', csv: { columns: { amount: 'Payments' } } });
      expect(asksOf(both)).toEqual(['column credit']);
      const taken = await readCsv(lines, { sign: 'out', csv: { columns: { amount: 'Payments', credit: 'Receipts' } } });
      expect([asksOf(taken), centsOf(taken)]).toEqual([[], [100_000, -70_000, 500]]);
    },
  );

  test.each([
    [
      'is asked as debit and credit if the first has one sign',
      '2026-09-03,Refund,,5.00',
      ['column debit', 'column credit'],
    ],
    ['has no other side if the first has both signs', '2026-09-03,Refund,+5.00,', ['column amount']],
  ])('a pair of unknown columns with a minus %s', async (_, row, asks) => {
    const lines = ['Date,Description,Payments,Receipts', '2026-09-01,Salary,,1000.00', '2026-09-02,Rent,-700.00,', row];
    expect(asksOf(await readCsv(lines))).toEqual(asks);
  });

  test('a dated row without an amount is lost if one side alone is known, and opens no balance', async () => {
    const lines = [
      'Date,Description,Withdrawals,Balance',
      '2026-09-01,Salary,,1000.00',
      '2026-09-02,Rent,700.00,300.00',
    ];
    expect(problemsOf(await readCsv(lines))).toEqual(['row 2', 'totals 2']);
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
