// Risk: a column is a year to date, a row joins different keys, or a sum hides a missing month.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { addDays } from '../../../time/calendar.ts';
import { createCompany } from '../../companies/create.ts';
import { updateCompany } from '../../companies/update.ts';
import { addMonths } from '../figures/months.ts';
import { getStatements } from './statements.ts';
import { upsertSnapshot } from './upsert.ts';

type Input = Parameters<typeof upsertSnapshot>[1];
type Line = [key: string, amount_cents: number, more?: { label?: string; is_total?: boolean; indent?: number }];

const fixture = useFixture(createTestClock('2026-11-25T12:00:00Z'));
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Monthly Inc' })).id;
});

const linesOf = (lines: Line[]) =>
  lines.map(([key, amount_cents, more]) => ({ key, label: key, amount_cents, ...more }));
const post = (month: string, more: Partial<Input> & Pick<Input, 'totals'>, company = company_id) =>
  upsertSnapshot(context, {
    company_id: company,
    statement_type: 'income',
    period_start: `${month}-01`,
    period_end: addDays(`${addMonths(month, 1)}-01`, -1),
    currency: 'USD',
    ...more,
  });
const read = (more: { statement_type?: Input['statement_type']; months?: number } = {}) =>
  getStatements(context, { company_id, statement_type: 'income', months: 12, ...more });
/** Each row as key, amounts by column (`-` for none) and the sum of the year. */
const tableOf = ({ months, rows }: Awaited<ReturnType<typeof read>>) =>
  rows.map((row) => {
    const amounts = months.map(({ month }) => row.months.find((cell) => cell.month === month)?.amount_cents ?? '-');
    return `${row.key} ${amounts.join(' ')} = ${row.year_to_date_cents}`;
  });
const months = (from: string, count: number) => Array.from({ length: count }, (_, i) => addMonths(from, i));
const postMonths = async (all: readonly string[]) => {
  for (const month of all) await post(month, { totals: { revenue: 10 } });
};

test('the year to date is the sum since the first month of the fiscal year, and null if a month is missing', async () => {
  await postMonths(months('2026-01', 7));
  await postMonths(['2026-09', '2026-10']);
  const gap = await read({ months: 3 });
  expect(gap.year_to_date).toEqual({ from: '2026-01', to: '2026-10', missing: ['2026-08'] });
  expect(tableOf(gap)).toEqual(['revenue - 10 10 = null']);
  await postMonths(['2026-08']);
  const whole = await read({ months: 3 });
  expect(whole.year_to_date).toEqual({ from: '2026-01', to: '2026-10', missing: [] });
  expect(tableOf(whole)).toEqual(['revenue 10 10 10 = 100']);
  await updateCompany(context, { company_id, fiscal_year_end: '06-30' });
  const fiscal = await read({ months: 3 });
  expect(fiscal.year_to_date).toEqual({ from: '2026-07', to: '2026-10', missing: [] });
  expect(tableOf(fiscal)).toEqual(['revenue 10 10 10 = 40']);
});

test.each([
  ['12-31', '2026-01'],
  ['09-30', '2025-10'],
  ['10-31', '2025-11'],
  ['02-28', '2026-03'],
  ['02-29', '2026-03'],
  ['04-05', '2026-04'],
])('a fiscal year that ends on %s has begun in %s', async (fiscal_year_end, from) => {
  await updateCompany(context, { company_id, fiscal_year_end });
  await postMonths(['2026-09']);
  expect((await read()).year_to_date?.from).toBe(from);
});

test('the columns are the months up to the newest one that is over, with or without a statement', async () => {
  const [august, october] = [
    await post('2026-08', { totals: { revenue: 80, gross_profit: 40 } }),
    await post('2026-10', { totals: { revenue: 90, gross_profit: 60 } }),
  ];
  await post('2026-11', { totals: { revenue: 1, other_income: 5 } });
  await post('2027-01', { totals: { revenue: 1 } });
  await post('2026-10', { totals: { revenue: 7 } }, fixture.companyId);
  const report = await read({ months: 4 });
  expect(report).toMatchObject({ object: 'statements', company_id, statement_type: 'income', currency: 'USD' });
  expect(report.months).toEqual([
    { month: '2026-07', snapshot_id: null, derived: null },
    { month: '2026-08', snapshot_id: august.id, derived: august.derived },
    { month: '2026-09', snapshot_id: null, derived: null },
    { month: '2026-10', snapshot_id: october.id, derived: october.derived },
  ]);
  expect(october.derived).toMatchObject({ gross_margin_percent: 66.7 });
  expect(tableOf(report)).toEqual(['revenue - 80 - 90 = null', 'gross_profit - 40 - 60 = null']);
});

test('a month that has begun is a column only if none is over', async () => {
  await post('2026-12', { totals: { revenue: 1 } });
  expect((await read({ months: 1 })).months).toEqual([{ month: '2026-11', snapshot_id: null, derived: null }]);
  await post('2026-11', { totals: { revenue: 2 } });
  expect(tableOf(await read({ months: 2 }))).toEqual(['revenue - 2 = null']);
});

test('a company without statements has empty columns', async () => {
  const report = await read({ months: 2 });
  expect(report.months.map(({ month }) => month)).toEqual(['2026-10', '2026-11']);
  expect(report).toMatchObject({ currency: null, rows: [], skipped: [], year_to_date: null });
});

test('a period that is no month and a month in another currency have no column and are listed', async () => {
  const ytd = { period_start: '2026-01-01', totals: { revenue: 70 } };
  const skipped = [
    await post('2026-07', ytd),
    await post('2026-08', { currency: 'EUR', totals: { revenue: 8 } }),
    await post('2026-09', { period_start: '2026-09-02', totals: { revenue: 9 } }),
    await post('2026-11', { period_end: '2026-11-24', totals: { revenue: 9 } }),
  ];
  await post('2025-06', { period_start: '2025-01-01', totals: { revenue: 5 } });
  await post('2026-11', { currency: 'EUR', totals: { revenue: 8 } });
  await postMonths(['2026-06', '2026-10']);
  const report = await read({ months: 5 });
  expect(tableOf(report)).toEqual(['revenue 10 - - - 10 = null']);
  expect(report.year_to_date?.missing).toEqual([...months('2026-01', 5), '2026-07', '2026-08', '2026-09']);
  expect(report.skipped).toEqual(
    skipped.map(({ id, period_start, period_end, currency }) => ({
      snapshot_id: id,
      period_start,
      period_end,
      currency,
    })),
  );
});

test('the sheet of the last day of a month is the column of the month, whenever its period begins', async () => {
  const statement_type = 'balance' as const;
  await post('2026-09', {
    statement_type,
    period_start: null,
    totals: { cash: 5, current_assets: 5, accounts_payable: 3 },
  });
  await post('2026-10', { statement_type, period_start: '2026-01-01', totals: { cash: 6 } });
  await post('2026-10', { statement_type, period_start: null, period_end: '2026-10-30', totals: { cash: 1 } });
  const report = await read({ statement_type, months: 2 });
  expect(tableOf(report)).toEqual(['cash 5 6 = null', 'current_assets 5 - = null', 'accounts_payable 3 - = null']);
  expect(report.rows.map(({ is_total }) => is_total)).toEqual([false, true, false]);
  expect(report.skipped.map(({ period_end }) => period_end)).toEqual(['2026-10-30']);
  expect(report.year_to_date).toBeNull();
});

test('rows have the order, label and place of the newest statement, and older rows stay below the row above them', async () => {
  await post('2026-08', {
    totals: null,
    line_items: linesOf([
      ['interest', 1],
      ['revenue', 7],
      ['office', -2],
      ['fax', -1],
      ['net_income', 5, { is_total: true }],
    ]),
  });
  await post('2026-09', {
    totals: null,
    line_items: linesOf([
      ['revenue', 8, { label: 'Sales' }],
      ['net_income', 6],
    ]),
  });
  await post('2026-10', {
    totals: { ebitda: 7 },
    line_items: linesOf([
      ['net_income', 9, { label: 'Result', is_total: true }],
      ['revenue', 9, { label: '', indent: 2 }],
      ['office', -3],
    ]),
  });
  await updateCompany(context, { company_id, fiscal_year_end: '08-31' });
  const report = await read({ months: 3 });
  expect(tableOf(report)).toEqual([
    'interest 1 - - = 0',
    'net_income 5 6 9 = 15',
    'revenue 7 8 9 = 17',
    'office -2 - -3 = -3',
    'fax -1 - - = 0',
  ]);
  expect(report.rows.slice(1, 3)).toMatchObject([
    { label: 'Result', is_total: true, indent: 0 },
    { label: 'Sales', is_total: false, indent: 2 },
  ]);
});

test('lines with the same key are added up, unless one is a total; a sum beyond a double is text', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const line_items = linesOf([
    ['sales', most],
    ['sales', most],
    ['costs', -1],
    ['costs', -4, { is_total: true, label: 'All costs' }],
    ['__proto__', 1],
  ]);
  await post('2026-10', { totals: null, line_items });
  await updateCompany(context, { company_id, fiscal_year_end: '09-30' });
  const { rows } = await read();
  expect(rows).toMatchObject([
    { key: 'sales', months: [{ amount_cents: null, amount_string: `${2n * BigInt(most)}` }] },
    { key: 'costs', label: 'All costs', is_total: true, year_to_date_cents: -4 },
    { key: '__proto__', year_to_date_cents: 1 },
  ]);
  expect(rows[0]?.year_to_date_string).toBe(`${2n * BigInt(most)}`);
});

test('totals without line items are rows in the usual order, whose costs are negative whatever sign was posted', async () => {
  await post('2026-07', { totals: null, line_items: linesOf([['cogs', -4]]) });
  await post('2026-08', { totals: { net_income: 1, cogs: 4, revenue: 10, other: 3, opex: 5 } });
  await post('2026-09', { totals: { revenue: 10, cogs: -4, opex: -5, income_tax: 2, net_income: 3 } });
  await post('2026-10', { totals: { revenue: 10.5, cogs: 4, opex: 5, income_tax: -2, net_income: 3 } });
  const report = await read({ months: 4 });
  expect(tableOf(report)).toEqual([
    'revenue - 10 10 10 = null',
    'cogs -4 -4 -4 -4 = null',
    'opex - -5 -5 -5 = null',
    'income_tax - - 2 2 = null',
    'net_income - 1 3 3 = null',
    'other - 3 - - = null',
  ]);
  expect(report.rows.filter(({ is_total }) => is_total).map(({ key }) => key)).toEqual(['net_income']);
});

test('a company that the caller may not access is unknown', async () => {
  const { context: stranger } = await fixture.otherAccount();
  await expect(getStatements(stranger, { company_id, statement_type: 'income', months: 1 })).rejects.toMatchObject({
    code: 'company_not_found',
  });
  const narrow = { ...context, access: { companyIds: [fixture.companyId] } };
  await expect(getStatements(narrow, { company_id, statement_type: 'income', months: 1 })).rejects.toMatchObject({
    code: 'company_not_found',
  });
});
