// Risk: overlapping statements store the rows of shared days twice, or lose some of them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answers, BankFile } from '../src/index.ts';
import { makeZip } from './make-zip.ts';
import { read } from './read.ts';

interface Row {
  day: number;
  cents: number;
  text?: string;
  reference?: string;
}
const dayText = (day: number): string => `2026-09-${String(day).padStart(2, '0')}`;
const money = (cents: number): string => (Math.abs(cents) / 100).toFixed(2);
const sign = (cents: number): string => `<CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
const sum = (rows: readonly Row[]): number => rows.reduce((total, { cents }) => total + cents, 0);

/**
 * A CAMT.053 document with one statement, without balances if there is no opening balance. The days of the balances
 * default to those of the first and last row.
 */
function camt(rows: readonly Row[], opening?: number, days = [rows[0]?.day ?? 1, rows.at(-1)?.day ?? 1]): string {
  const [from = 1, to = 1] = days;
  const balance = (code: string, day: number, cents: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${money(cents)}</Amt>${sign(cents)}<Dt><Dt>${dayText(day)}</Dt></Dt></Bal>`;
  const entries = rows.map(
    ({ day, cents, text = 'a', reference }) =>
      `\n<Ntry><Amt Ccy="EUR">${money(cents)}</Amt>${sign(cents)}<Sts>BOOK</Sts><BookgDt><Dt>${dayText(day)}</Dt></BookgDt>${reference ? `<AcctSvcrRef>${reference}</AcctSvcrRef>` : ''}<AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`,
  );
  const balances =
    opening === undefined ? '' : balance('OPBD', from, opening) + balance('CLBD', to, opening + sum(rows));
  return `<Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>7</Id></Othr></Id></Acct>${balances}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
}

const zip = (...documents: readonly string[]) =>
  makeZip(documents.map((content, i) => ({ name: `${i + 1}.${content.startsWith('<') ? 'xml' : 'csv'}`, content })));
const rowsOf = ({ accounts }: BankFile): string[] =>
  accounts.flatMap(({ transactions }) =>
    transactions.map(({ posted_at, amount_cents }) => `${posted_at.slice(0, 10)} ${amount_cents}`),
  );
const balancesOf = ({ accounts }: BankFile): string[] =>
  accounts.flatMap(({ balances }) => balances.map(({ as_of, balance_cents }) => `${as_of} ${balance_cents}`)).sort();
const codesOf = ({ questions }: BankFile): string[] => questions.map(({ code }) => code);
const asRows = (rows: readonly Row[]): string[] => rows.map(({ day, cents }) => `${dayText(day)} ${cents}`).sort();

const first: Row[] = [
  { day: 1, cents: 1000 },
  { day: 1, cents: -500 },
  { day: 1, cents: -500 },
];
const month: Row[] = [...first, { day: 2, cents: -500 }, { day: 3, cents: 700 }];

describe('rows that several statements have are read once', () => {
  test.each<[string, Uint8Array<ArrayBuffer> | string]>([
    ['a day and its month in an archive', zip(camt(first, 0), camt(month, 0))],
    ['a month and its day in an archive', zip(camt(month, 0), camt(first, 0))],
    ['the last day and the month', zip(camt(month.slice(4), -500), camt(month, 0))],
    ['two documents of a file', `${camt(first, 0)}\n${camt(month, 0)}`],
    ['statements that share a day', zip(camt(month.slice(0, 4), 0), camt(month.slice(3), 0))],
    ['a part of a day and the next days', zip(camt(month.slice(0, 2), 0), camt(month, 0))],
    ['pages of a day, and the day', zip(camt(month.slice(0, 1), 0), camt(month.slice(1, 3), 1000), camt(month, 0))],
    ['statements without balances', zip(camt(first), camt(month))],
    ['a statement without balances and one with them', zip(camt(first), camt(month, 0))],
  ])('%s', async (_, file) => {
    const found = await read(file);
    expect([found.problems, codesOf(found)]).toEqual([[], []]);
    expect(rowsOf(found).sort()).toEqual(asRows(month));
    if (balancesOf(found).length > 0) expect(balancesOf(found)).toContain('2026-09-03 200');
  });

  test('CSV files that share a day, of which the first ends within it', async () => {
    const header = 'Date,Amount,Currency,Description,Balance,Account';
    const lines = [
      '2026-09-01,10.00,EUR,a,110.00,7',
      '2026-09-02,-5.00,EUR,b,105.00,7',
      '2026-09-02,-5.00,EUR,c,100.00,7',
    ];
    const csv = (...rows: string[]): string => `${[header, ...rows].join('\n')}\n`;
    const file = await read(zip(csv(...lines.slice(0, 2)), csv(...lines.slice(1))));
    expect([file.problems, codesOf(file), rowsOf(file)]).toEqual([
      [],
      [],
      ['2026-09-01 1000', '2026-09-02 -500', '2026-09-02 -500'],
    ]);
    expect(balancesOf(file)).toEqual(['2026-09-01 11000', '2026-09-02 10000']);
  });
});

test('statements that follow each other on a day are added up, also if their rows are equal', async () => {
  const page: Row[] = [{ day: 1, cents: -500 }];
  const file = await read(zip(camt(page, 2000), camt(page, 1500), camt(page, 1000)));
  expect([file.problems, codesOf(file), rowsOf(file).length, balancesOf(file)]).toEqual([
    [],
    [],
    3,
    ['2026-09-01 500'],
  ]);
});

test('statements that follow each other only because the account has a balance again do not double rows', async () => {
  const rows: Row[] = [500, -1200, 700, -500].map((cents, i) => ({ day: i === 3 ? 2 : 1, cents }));
  const parts = [
    [1, 4],
    [0, 1],
    [1, 3],
    [0, 4],
  ] as const;
  const file = await cut(rows, parts);
  expect([codesOf(file), rowsOf(file).sort()]).toEqual([[], asRows(rows)]);
});

test('statements that share days, and whose rows together do not explain the balance, are a question', async () => {
  const other = camt([{ day: 2, cents: -700 }], 100);
  const file = await read(zip(camt(month, 0), other));
  expect(codesOf(file)).toEqual(['totals']);
  expect(file.problems).toMatchObject([{ code: 'totals' }]);
  const accepted = await read(zip(camt(month, 0), other), { accept_totals: true });
  expect([codesOf(accepted), balancesOf(accepted), rowsOf(accepted).length]).toEqual([[], [], 6]);
});

test('without balances, a row that has only day and amount in common with another one is reported', async () => {
  const tea: Row[] = [{ day: 1, cents: -500, text: 'Tea' }];
  const coffee: Row[] = [{ day: 1, cents: -500, text: 'Coffee' }];
  const file = await read(zip(camt(tea), camt([...coffee, ...tea])));
  expect([file.problems, rowsOf(file).length]).toEqual([[], 2]);
  const parts = await read(zip(camt(tea), camt(coffee)));
  expect(rowsOf(parts)).toHaveLength(1);
  expect(parts.problems).toMatchObject([
    { code: 'row', file: '2.xml', line: 2, message: expect.stringContaining('line 2 of 1.xml has its day and amount') },
  ]);
  // With balances, the kept rows explain them.
  const proved = await read(zip(camt(tea, 1000), camt(coffee, 500)));
  expect([proved.problems, rowsOf(proved).length]).toEqual([[], 2]);
});

/** The offset shifts a row's day from that of its statement: late rows, and value dates. */
const dailyRow = fc.record({
  offset: fc.constantFrom(0, 0, 0, -1, -2, -5, 3),
  cents: fc.constantFrom(-500, 500, -700, 1200),
  text: fc.constantFrom('a', 'b'),
});
const dailies = fc.record({
  days: fc.array(fc.array(dailyRow, { maxLength: 3 }), { minLength: 2, maxLength: 7 }),
  // Some banks date the opening balance like the closing balance before. Without references, late rows of that day may
  // then belong to the statement before.
  bank: fc.constantFrom(
    { hasReferences: true, opensDayBefore: true },
    { hasReferences: true, opensDayBefore: false },
    { hasReferences: false, opensDayBefore: false },
  ),
  isOneFile: fc.boolean(),
});

test('daily statements have each row once, whatever the days of their rows and the order of the statements', async () => {
  const order = fc.constantFrom<((documents: string[]) => string[])[]>(
    (documents) => documents,
    (documents) => documents.toReversed(),
    (documents) => documents.toSorted(),
  );
  await fc.assert(
    fc.asyncProperty(dailies, order, async ({ days, bank, isOneFile }, inOrder) => {
      const { hasReferences, opensDayBefore } = bank;
      let last = 0;
      const statements = days.map((rows, i) =>
        rows.map(({ offset, ...row }): Row => {
          last += 1;
          return { ...row, day: 10 + i + offset, ...(hasReferences ? { reference: `R${last}` } : {}) };
        }),
      );
      const documents = statements.map((rows, i) => {
        const opening = 5000 + sum(statements.slice(0, i).flat());
        return camt(rows, opening, [10 + i - (opensDayBefore ? 1 : 0), 10 + i]);
      });
      const listed = inOrder(documents);
      const file = await read(isOneFile ? listed.join('\n') : zip(...listed));
      expect([file.problems, codesOf(file), rowsOf(file).sort()]).toEqual([[], [], asRows(statements.flat())]);
      expect(balancesOf(file).at(-1)).toBe(`${dayText(9 + days.length)} ${5000 + sum(statements.flat())}`);
    }),
  );
});

test('a late row is kept beside a row of its day and amount that another statement repeats', async () => {
  const days: Row[][] = [
    [{ day: 12, cents: -1000, text: 'Fee A', reference: 'R1' }],
    [{ day: 13, cents: 9200, reference: 'R2' }],
    [
      { day: 16, cents: 4400, reference: 'R3' },
      { day: 12, cents: -1000, text: 'Fee B', reference: 'R4' },
    ],
  ];
  const statements = days.map((rows, i) => {
    const day = rows[0]?.day ?? 1;
    return camt(rows, 10_000 + sum(days.slice(0, i).flat()), [day, day]);
  });
  const whole = camt(days.flat(), 10_000, [12, 16]);
  for (const documents of [statements, [whole, ...statements], [...statements, whole]]) {
    const file = await read(zip(...documents));
    expect([file.problems, codesOf(file), rowsOf(file).sort()]).toEqual([[], [], asRows(days.flat())]);
  }
});

test('a row that the balances count once, though another has its day and amount with another text, is a note', async () => {
  const part: Row[] = [{ day: 1, cents: -500, text: 'Tea' }];
  const whole: Row[] = [
    { day: 1, cents: -500, text: 'Coffee' },
    { day: 2, cents: 700 },
  ];
  const file = await read(zip(camt(part, 1000), camt(whole, 1000)));
  expect([codesOf(file), rowsOf(file)]).toEqual([[], ['2026-09-01 -500', '2026-09-02 700']]);
  expect(file.problems).toMatchObject([{ code: 'note', message: expect.stringContaining('count one of them') }]);
});

test('statements of a day between the same balances are two if all of their rows have other references', async () => {
  const pages = (references: readonly string[]): string =>
    [-1000, 1000, -1000]
      .map((cents, i) => camt([{ day: 1, cents, reference: references[i] ?? '' }], i === 1 ? 9000 : 10_000))
      .join('\n');
  const two = await read(pages(['R1', 'R2', 'R3']));
  expect([two.problems, rowsOf(two).length, balancesOf(two)]).toEqual([[], 3, ['2026-09-01 9000']]);
  const one = await read(pages(['R1', 'R2', 'R1']));
  expect([one.problems, rowsOf(one).length, balancesOf(one)]).toEqual([[], 2, ['2026-09-01 10000']]);
});

test('a reference that a bank gives to several rows makes no two rows one', async () => {
  const ofx = (...names: string[]): string =>
    `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM>${names
      .map((name, i) => `<STMTTRN><DTPOSTED>2026090${i + 1}<TRNAMT>-5.00<FITID>0<NAME>${name}</STMTTRN>`)
      .join('')}</STMTRS></OFX>`;
  const parts = [ofx('Shop', 'Tea'), ofx('Cafe', 'Tea')];
  const file = await read(makeZip(parts.map((content, i) => ({ name: `${i}.ofx`, content }))));
  expect(file.problems).toMatchObject([{ code: 'row', message: expect.stringContaining('with another text') }]);
});

test.each<[string, string[], string[]]>([
  ['a missing statement', [camt(first, 0), camt([{ day: 4, cents: 100 }], 700)], ['gap 2.xml €0.00 €7.00']],
  [
    'a missing statement, newest first',
    [camt([{ day: 4, cents: 100 }], 700), camt(first, 0)],
    ['gap 1.xml €0.00 €7.00'],
  ],
  ['a statement that follows', [camt(first, 0), camt([{ day: 4, cents: 100 }], 0)], []],
  ['a day and its month', [camt(first, 0), camt(month, 0), camt([{ day: 4, cents: 100 }], 200)], []],
  ['no balance', [camt(first), camt([{ day: 4, cents: 100 }], 700)], []],
])('statements of an account with %s', async (_, documents, expected) => {
  const { problems, questions, accounts } = await read(zip(...documents));
  const found = problems.map(({ code, file, message }) =>
    [code, file, ...(message.match(/€[\d.]+/g) ?? [])].toSorted(),
  );
  expect(found).toEqual(expected.map((each) => each.split(' ').toSorted()));
  expect([questions, accounts.length]).toEqual([[], 1]);
});

const amounts = fc.array(
  fc.record({ day: fc.integer({ min: 1, max: 5 }), cents: fc.constantFrom(-500, 500, 700, -1200) }),
  { minLength: 1, maxLength: 12 },
);
const windows = fc.array(fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 12 })), { minLength: 1, maxLength: 5 });

async function cut(rows: readonly Row[], parts: readonly (readonly [number, number])[], answers: Answers = {}) {
  const documents = parts.map(([from, to]) => camt(rows.slice(from, to), 5000 + sum(rows.slice(0, from))));
  return read(zip(...documents), answers);
}

test('a month in any parts of whole days has each row once', async () => {
  await fc.assert(
    fc.asyncProperty(amounts, windows, async (unsorted, ranges) => {
      const rows = unsorted.toSorted((a, b) => a.day - b.day);
      const startOf = (day: number): number => rows.findIndex((row) => row.day >= day);
      const ends = ranges.map(([a, b]) => [startOf((a % 5) + 1), startOf((b % 6) + 1)] as const);
      const parts = ends
        .map(([from, to]) => [from, to === -1 ? rows.length : to] as const)
        .filter(([from, to]) => from !== -1 && from < to);
      const used = rows.filter((_, i) => parts.some(([from, to]) => from <= i && i < to));
      if (parts.length === 0) return;
      const file = await cut(rows, parts);
      expect([codesOf(file), rowsOf(file).sort()]).toEqual([[], asRows(used)]);
    }),
  );
});

test('a month in any parts has each row once, or is a question', async () => {
  await fc.assert(
    fc.asyncProperty(amounts, windows, async (unsorted, ranges) => {
      const rows = unsorted.toSorted((a, b) => a.day - b.day);
      const parts = ranges
        .map(([a, b]) => [Math.min(a, b), Math.min(Math.max(a, b), rows.length)] as const)
        .filter(([from, to]) => from < to);
      const file = parts.length === 0 ? undefined : await cut(rows, [...parts, [0, rows.length]]);
      if (file === undefined || file.questions.length > 0) return;
      expect(rowsOf(file).sort()).toEqual(asRows(rows));
    }),
  );
});
