// Risk: the breakdown sums other rows than burn does.
import { type BankTransaction, operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { type Input, runOperation } from '../../../../test/operation-stage.ts';
import { fillRandomCompany } from '../../../../test/random-company.ts';
import { words } from '../../../../test/recompute-classes.ts';
import { createRowMapper, type TestRow } from '../../../../test/test-rows.ts';
import type { Context } from '../../../verbs/context.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { createCompany } from '../../companies/create.ts';
import { refreshRollup } from '../rollup/refresh-rollup.ts';
import { listTransactions } from '../transactions/list.ts';
import { getBreakdown } from './breakdown.ts';
import { getMonthly } from './get-figures.ts';
import { updateSettings } from './settings.ts';

const clock = createTestClock('2026-11-25T15:00:00Z');
const fixture = useFixture(clock);
let context: Context;
let company_id: string;
beforeEach(async () => {
  ({ context } = await fixture.otherAccount());
  company_id = (await createCompany(context, { name: 'Spend Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

const toTransactions = createRowMapper();
const store = (...rows: TestRow[]) => ingestTransactions(context, { company_id, transactions: toTransactions(rows) });
const breakdown = (input: Input = {}) =>
  runOperation(context, operations.financials.breakdown, { company_id, ...input });
type Breakdown = Awaited<ReturnType<typeof breakdown>>;
type Sums = Pick<Breakdown['rows'][number], 'months' | 'total_cents' | 'transactions' | 'compared_total_cents'>;
const units = (cents: number | null) => cents && cents / 100;
const cells = ({ months, total_cents, transactions, compared_total_cents }: Sums) => [
  months.map(({ amount_cents }) => units(amount_cents)),
  units(total_cents),
  transactions,
  units(compared_total_cents),
];
const table = ({ rows }: Breakdown) => rows.map(({ key, ...sums }) => [key, ...cells(sums)]);
const spent: TestRow[] = [
  { day: '2026-08-05', amount: -30, category: 'A' },
  { day: '2026-08-06', amount: -20, category: 'b' },
  { day: '2026-09-05', amount: -30, category: 'a' },
  { day: '2026-09-06', amount: -20, category: 'B ' },
  { day: '2026-10-05', amount: -30, category: 'a' },
  { day: '2026-10-06', amount: -50, category: 'C' },
];

test('the sums of each category, by month, the largest first', async () => {
  await store(...spent);
  const result = await breakdown();
  expect(table(result)).toEqual([
    ['a', [30, 30, 30], 90, 3, null],
    ['c', [0, 0, 50], 50, 1, null],
    ['b', [20, 20, 0], 40, 2, null],
  ]);
  expect(result).toMatchObject({
    by: 'category',
    direction: 'out',
    currency: 'USD',
    compare: 'previous',
    compared_from: '2026-05',
    compared_to: '2026-07',
    total_cents: 180_00,
    other: null,
    left_out: { transfer_cents: 0, financing_cents: 0, excluded_cents: 0 },
  });
  expect(result.months).toEqual([
    { month: '2026-08', partial: false, covered: false, amount_cents: 50_00 },
    { month: '2026-09', partial: false, covered: true, amount_cents: 50_00 },
    { month: '2026-10', partial: false, covered: true, amount_cents: 80_00 },
  ]);
});

test('months are compared with as many before them, with those of the year before, or with none', async () => {
  await store({ day: '2025-08-01', amount: -1 }, ...spent);
  await store({ day: '2025-10-05', amount: -7, category: 'C' }, { day: '2026-07-31', amount: -4, category: 'gone' });
  const compared = async (input: Input) => {
    const { compared_from, compared_to, compared_total_cents, rows } = await breakdown(input);
    const last = rows.map(({ key, compared_total_cents: cents }) => [key, units(cents)]);
    return [compared_from, compared_to, units(compared_total_cents), last];
  };
  expect(await compared({ from: '2026-09' })).toEqual([
    '2026-07',
    '2026-08',
    54,
    [
      ['a', 30],
      ['c', 0],
      ['b', 20],
      ['gone', 4],
    ],
  ]);
  expect(await compared({ from: '2026-10', compare: 'year_before' })).toEqual([
    '2025-10',
    '2025-10',
    7,
    [
      ['c', 7],
      ['a', 0],
    ],
  ]);
  expect(await compared({ from: '2026-10', compare: 'none' })).toEqual([
    null,
    null,
    null,
    [
      ['c', null],
      ['a', null],
    ],
  ]);
  expect(await compared({ from: '2026-08', compare: 'year_before' })).toEqual([
    '2025-08',
    '2025-10',
    null,
    [
      ['a', null],
      ['c', null],
      ['b', null],
    ],
  ]);
});

test('rows without a category or a connection have a key of null, and accounts have theirs', async () => {
  await store({ day: '2026-10-05', amount: -3 }, { day: '2026-10-06', amount: -2, category: ' ', account: 'card' });
  await ingestTransactions(context, {
    company_id,
    external_id: 'x',
    posted_at: '2026-10-07T12:00:00Z',
    amount_cents: -100,
  });
  const only = { from: '2026-10', compare: 'none' };
  expect(table(await breakdown(only))).toEqual([[null, [6], 6, 3, null]]);
  expect(table(await breakdown({ ...only, by: 'connection' }))).toEqual([
    ['bank', [3], 3, 1, null],
    ['card', [2], 2, 1, null],
    [null, [1], 1, 1, null],
  ]);
});

test('excluded money is in no key, and is reported by its reason', async () => {
  await store(
    { day: '2026-07-01', amount: -100, category: 'rent' },
    { day: '2026-08-01', amount: -100, category: 'rent' },
    { day: '2026-09-01', amount: -100, category: 'rent' },
    { day: '2026-10-01', amount: -100, category: 'rent' },
    { day: '2026-10-02', amount: -40, category: 'internal_transfer' },
    { day: '2026-10-03', amount: -25 },
    { day: '2026-10-04', amount: 25, account: 'savings' },
    { day: '2026-10-05', amount: -15, category: 'credit_card_payment' },
    { day: '2026-10-05', amount: 15, category: 'credit_card_payment', account: 'card' },
    { day: '2026-10-06', amount: -15, category: 'food', account: 'card' },
    { day: '2026-10-07', amount: 7, category: 'series_a' },
    { day: '2026-10-08', amount: 9_000 },
    { day: '2026-10-09', amount: 3, category: 'sales' },
    { day: '2026-10-10', amount: -60, category: 'personal', account: 'owner' },
  );
  await updateSettings(context, { company_id, excluded_connections: ['owner'] });
  const only = { from: '2026-10', compare: 'none' };
  const [out, income] = [await breakdown(only), await breakdown({ ...only, direction: 'in' })];
  expect(table(out)).toEqual([
    ['rent', [100], 100, 1, null],
    ['food', [15], 15, 1, null],
  ]);
  expect(out.left_out).toEqual({ transfer_cents: 80_00, financing_cents: 0, excluded_cents: 60_00 });
  expect(table(income)).toEqual([['sales', [3], 3, 1, null]]);
  expect(income.left_out).toEqual({ transfer_cents: 40_00, financing_cents: 7_00, excluded_cents: 9_000_00 });
});

test('spellings of a counterparty are one key, named as the newest transaction spells it', async () => {
  await store(
    { day: '2026-07-01', amount: -1, counterparty: 'Acme' },
    { day: '2026-09-05', amount: -10, counterparty: 'ACME  gmbh' },
    { day: '2026-10-05', amount: -20, counterparty: ' Acme GmbH' },
    { day: '2026-10-05', amount: -5, counterparty: 'acme gmbh' },
    { day: '2026-10-06', amount: 1, counterparty: ' ACME GmbH', category: 'refund' },
    { day: '2026-10-07', amount: -3 },
    { day: '2026-10-08', amount: -900, counterparty: 'ACME GMBH', category: 'internal_transfer' },
  );
  const { rows, left_out } = await breakdown({ by: 'counterparty', from: '2026-09' });
  expect(rows.map(({ key, name, ...sums }) => [key, name, ...cells(sums)])).toEqual([
    ['acme gmbh', 'ACME GmbH', [10, 25], 35, 3, null],
    [null, null, [0, 3], 3, 1, null],
  ]);
  expect(left_out.transfer_cents).toBe(900_00);
});

const loans = ['loan_proceeds', 'transfer_in_cash_advances_and_loans'].flatMap((category): TestRow[] => [
  { day: '2026-10-05', amount: 1_000, category, counterparty: 'lender' },
  { day: '2026-10-06', amount: -20, category, counterparty: 'lender' },
]);
test.each([
  ['money in and out of one label, of which only the money out counts', loans, { lender: [40, 2] }, {}],
  [
    'a purchase and its refund',
    [
      { day: '2026-10-05', amount: -9, category: 'rent', counterparty: 'lender' },
      { day: '2026-10-06', amount: 2, category: 'rent', counterparty: 'lender' },
      { day: '2026-10-07', amount: 0, category: 'rent', counterparty: 'lender' },
    ],
    { lender: [9, 1] },
    { lender: [2, 1] },
  ],
  [
    'a pair whose side of money out has the label of a loan',
    [
      { day: '2026-10-05', amount: -7, category: 'transfer_in_cash_advances_and_loans', counterparty: 'lender' },
      { day: '2026-10-06', amount: 7, account: 'savings', counterparty: 'lender' },
      { day: '2026-10-07', amount: 3, category: 'transfer_in_cash_advances_and_loans', counterparty: 'lender' },
      { day: '2026-10-08', amount: -5, category: 'transfer_in_cash_advances_and_loans', counterparty: 'lender' },
    ],
    { lender: [5, 1] },
    {},
  ],
] as const)('the transactions of a key are those that its sum is of: %s', async (_title, rows, out, income) => {
  await store({ day: '2026-07-01', amount: -1_000, category: 'rent' }, ...rows);
  const sumsOf = async (by: string, direction: string) => {
    const result = await breakdown({ by, direction, from: '2026-10', compare: 'none' });
    const total = result.rows.reduce((sum, { transactions }) => sum + transactions, 0);
    return { total, keys: result.rows.map((row) => [row.key, [units(row.total_cents), row.transactions]]) };
  };
  for (const [direction, expected] of Object.entries({ out, in: income })) {
    const { total, keys } = await sumsOf('counterparty', direction);
    expect(Object.fromEntries(keys)).toEqual(expected);
    for (const by of ['category', 'connection']) expect((await sumsOf(by, direction)).total).toBe(total);
  }
});

test('spellings beyond ASCII are one key', async () => {
  const names = ['ÉCOLE GmbH', 'école gmbh', 'École\u00a0GmbH', '\uff25\u0301cole GmbH'];
  await store(...names.map((counterparty) => ({ day: '2026-10-05', amount: -1, counterparty })));
  const { rows } = await breakdown({ by: 'counterparty', from: '2026-10', compare: 'none' });
  expect(rows.map(({ key, ...sums }) => [key, ...cells(sums)])).toEqual([['école gmbh', [4], 4, 4, null]]);
});

test('by counterparty, rules are compared once with the rows of one text, however many there are', async () => {
  const labels = { category: 'rent', counterparty: 'Landlord' };
  await store(...Array.from({ length: 200 }, () => ({ day: '2026-10-05', amount: -2, ...labels })));
  await updateSettings(context, { company_id, flow_rules: [{ contains: 'landlord', flow_class: 'counted' }] });
  await refreshRollup(context, { companyId: company_id, timezone: 'UTC', appliesRules: true });
  const plans: string[] = [];
  const database = new Proxy(context.database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'query' || typeof value !== 'function') return value;
      return async (sql: string, values: unknown[]) => {
        if (sql.includes('flow_rule') && sql.includes('array_agg(s.name'))
          plans.push(JSON.stringify(await context.database.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values)));
        return Reflect.apply(value, target, [sql, values]);
      };
    },
  });
  const input = operations.financials.breakdown.input.parse({ company_id, by: 'counterparty', from: '2026-10' });
  const { rows } = await getBreakdown({ ...context, database }, input);
  expect(rows).toMatchObject([{ name: 'Landlord', total_cents: 400_00, transactions: 200 }]);
  const scans = plans.flatMap((plan) => [...plan.matchAll(/"CTE Name": ?"flow_rule".*?"Actual Loops": ?(\d+)/g)]);
  expect(new Set(scans.map(([, loops]) => Number(loops) < 5))).toEqual(new Set([true]));
});

test('the current month may be asked for, and is marked', async () => {
  await store(
    ...spent,
    { day: '2026-11-03', amount: -8, category: 'a' },
    { day: '2026-11-28', amount: -9, category: 'a' },
  );
  const { months, rows } = await breakdown({ from: '2026-11' });
  expect(months).toEqual([{ month: '2026-11', partial: true, covered: true, amount_cents: 8_00 }]);
  expect(rows).toMatchObject([{ key: 'a', total_cents: 8_00, compared_total_cents: 30_00 }, { key: 'c' }]);
});

test('of more than fifty keys the smallest are one sum', async () => {
  await store(...Array.from({ length: 53 }, (_, i) => ({ day: '2026-10-05', amount: -1 - i, category: `c${i}` })));
  const { rows, other, total_cents } = await breakdown({ from: '2026-10' });
  expect([rows.length, rows[0]?.key, rows.at(-1)?.key, total_cents]).toEqual([50, 'c52', 'c3', 1_431_00]);
  expect(other && [other.keys, ...cells(other)]).toEqual([3, [6], 6, 3, null]);
});

test.each<[Input, string | undefined]>([
  [{ to: '2026-12' }, '/to'],
  [{ to: '9999-12' }, '/to'],
  [{ from: '2026-10', to: '2026-09' }, '/from'],
  [{ from: '2021-11', to: '2021-12' }, '/from'],
  [{ from: '2024-11' }, undefined],
  [{ from: '2024-10' }, '/from'],
  [{ from: '2026-11' }, undefined],
])('%o is checked', async (input, pointer) => {
  const fields = await breakdown(input).then(
    () => undefined,
    (error: { fields: { pointer: string }[] }) => error.fields[0]?.pointer,
  );
  expect(fields).toBe(pointer);
});

test.each([1, 2, 3, 4])(
  'the keys of each month add up to the monthly figures, and so does excluded money (seed %i)',
  async (seed) => {
    const { company_id: filled, timezone } = await fillRandomCompany(context, clock, seed);
    company_id = filled;
    for (const _ of ['before', 'after']) {
      const { months } = await getMonthly(context, { company_id, months: 13 });
      for (const currency of ['USD', 'EUR'])
        for (const direction of ['in', 'out'] as const)
          for (const by of operations.financials.breakdown.input.shape.by.unwrap().options) {
            const from = months[0]?.month;
            const result = await breakdown({ by, direction, currency, from, to: '2026-11' });
            const parts = [...result.rows, ...(result.other ? [result.other] : [])];
            const lines = months.map(({ flows }) => flows.find((line) => line.currency === currency));
            const expected = lines.map((line) => line?.[`money_${direction}_cents`] ?? 0);
            const sum = (cents: (number | null | undefined)[]) => cents.reduce<number>((a, b) => a + (b ?? 0), 0);
            const sums = expected.map((_cents, i) => sum(parts.map((part) => part.months[i]?.amount_cents)));
            expect(sums).toEqual(expected);
            expect(result.months.map(({ amount_cents }) => amount_cents)).toEqual(expected);
            expect(sum(parts.map((part) => part.total_cents))).toBe(result.total_cents);
            expect(parts.every((part) => part.transactions > 0)).toBe(true);
            const { transfer_cents, financing_cents, excluded_cents } = result.left_out;
            const left = sum(lines.map((line) => line?.[`excluded_${direction}_cents`]));
            expect(sum([transfer_cents, financing_cents, excluded_cents])).toBe(left);
          }
      await refreshRollup(context, { companyId: company_id, timezone });
    }
  },
);

test.each([1, 2, 3])('each key is what the list calls counted of it (seed %i)', async (seed) => {
  ({ company_id } = await fillRandomCompany(context, clock, seed));
  const months = ['2026-08', '2026-09', '2026-10', '2026-11'];
  const listed = await Promise.all(
    months.map((month) => listTransactions(context, { company_id, month, limit: 5_000, order: 'asc' })),
  );
  const rows = listed.flatMap(({ data }, i) => data.map((row) => ({ ...row, month: months[i] })));
  const keyOf = {
    category: (row: BankTransaction) => words(row.category ?? ''),
    connection: (row: BankTransaction) => row.connection_id,
    counterparty: (row: BankTransaction) => row.counterparty?.trim().toLowerCase().split(/\s+/).join(' '),
  };
  for (const by of ['category', 'connection', 'counterparty'] as const)
    for (const [direction, sign] of [
      ['in', 1],
      ['out', -1],
    ] as const) {
      const own = rows.filter(
        ({ currency, amount_cents, counted_as }) =>
          currency === 'USD' &&
          amount_cents * sign > 0 &&
          (counted_as?.flow_class === 'counted' || (counted_as?.flow_class === 'financing' && sign < 0)),
      );
      const sumOf = (of: typeof own, month: string) =>
        of.filter((row) => row.month === month).reduce((sum, { amount_cents }) => sum + amount_cents * sign, 0);
      const byKey = Map.groupBy(own, (row) => keyOf[by](row) || null);
      const expected = [...byKey].map(
        ([key, of]) => [key, [of.length, ...months.map((month) => sumOf(of, month))]] as const,
      );
      const result = await breakdown({ by, direction, from: '2026-08', to: '2026-11', compare: 'none' });
      const sums = result.rows.map(
        (row) => [row.key, [row.transactions, ...row.months.map(({ amount_cents }) => amount_cents)]] as const,
      );
      expect(new Map(sums)).toEqual(new Map(expected));
      if (direction === 'out') expect(sums.length).toBeGreaterThan(1);
      const left = rows.filter(
        ({ currency, amount_cents, counted_as }) => currency === 'USD' && amount_cents * sign > 0 && counted_as,
      );
      const leftOut = (flowClass: string) =>
        left
          .filter(({ counted_as }) => counted_as?.flow_class === flowClass)
          .reduce((sum, { amount_cents }) => sum + amount_cents * sign, 0);
      expect(result.left_out).toEqual({
        transfer_cents: leftOut('transfer'),
        financing_cents: sign > 0 ? leftOut('financing') : 0,
        excluded_cents: leftOut('excluded'),
      });
      const later = await breakdown({ by, direction, from: '2026-10', to: '2026-11', compare: 'previous' });
      const compared = new Map(later.rows.map((row) => [row.key, row.compared_total_cents]));
      for (const [key, of] of later.compared_total_cents === null ? [] : byKey)
        expect([key, compared.get(key)]).toEqual([key, sumOf(of, '2026-08') + sumOf(of, '2026-09')]);
    }
});
