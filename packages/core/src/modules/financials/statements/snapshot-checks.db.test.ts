// Risk: a statement is compared with rows of another day, currency or company, or its history cannot be read.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { createConnection } from '../../bank/connections/create.ts';
import { disconnectConnection } from '../../bank/connections/disconnect.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { getEvent } from '../../events/read.ts';
import { getDataQuality } from '../figures/data-quality.ts';
import { updateSettings } from '../figures/settings.ts';
import { getSummary } from '../figures/summary.ts';
import { checkSnapshot } from './checks.ts';
import { listRevisions } from './read.ts';
import { upsertSnapshot } from './upsert.ts';

type Input = Parameters<typeof upsertSnapshot>[1];

const fixture = useFixture(createTestClock('2026-05-20T12:00:00Z'));
const { context } = fixture;
let company: string;
beforeEach(async () => {
  company = (await createCompany(context, { name: 'Checked Inc' })).id;
});

const post = (statement_type: Input['statement_type'], totals: Record<string, number>, more: Partial<Input> = {}) =>
  upsertSnapshot(context, {
    company_id: company,
    statement_type,
    period_start: '2026-04-01',
    period_end: '2026-04-30',
    currency: 'USD',
    totals,
    ...more,
  });
const statusOf = (answer: { checks: { id: string; status: string }[] }, id: string) =>
  answer.checks.find((check) => check.id === id)?.status;
const balance = (as_of: string, balance_cents: number, connection_id: string, currency = 'USD') =>
  upsertCashBalance(context, { company_id: company, as_of, balance_cents, connection_id, currency });

test('the checks are in the response and in the event', async () => {
  const answer = await post('balance', { total_assets: 100, total_liabilities: 60, total_equity: 30 });
  expect(answer.checks.find(({ id }) => id === 'K6')).toMatchObject({ status: 'warn', difference_cents: 10 });
  const { data } = await getEvent(context, { event_id: answer.event_id });
  expect(data['checks']).toEqual(answer.checks);
});

test('a statement is checked again on each request, against current data', async () => {
  const posted = await post('balance', { cash: 70 });
  const check = (company_id = company) => checkSnapshot(context, { company_id, snapshot_id: posted.id });
  const { checks, ...about } = await check();
  expect(checks).toEqual(posted.checks);
  expect(about).toMatchObject({
    snapshot_id: posted.id,
    statement_type: 'balance',
    period_end: '2026-04-30',
    revision: 1,
  });
  await post('cashflow', { closing_cash: 90 });
  expect(statusOf(await check(), 'K10')).toBe('warn');
  await expect(check(fixture.companyId)).rejects.toMatchObject({ code: 'not_found' });
});

test('K10, K11: statements of the same period end are compared, whichever comes first', async () => {
  expect(statusOf(await post('balance', { cash: 70 }), 'K10')).toBe('skip');
  const flow = await post('cashflow', { closing_cash: 90, net_income: 5 });
  expect([statusOf(flow, 'K10'), statusOf(flow, 'K11')]).toEqual(['warn', 'skip']);
  expect(statusOf(await post('income', { net_income: 5 }), 'K11')).toBe('pass');
  expect(statusOf(await post('balance', { cash: 90 }), 'K10')).toBe('pass');
  expect(statusOf(await post('balance', { cash: 90 }, { currency: 'EUR' }), 'K10')).toBe('skip');
});

test('K12: books are compared with the newest balance of each connection on the last day of the period', async () => {
  await balance('2026-04-29', 600, 'a');
  await balance('2026-05-02', 999_999, 'a');
  await balance('2026-04-30', 400, 'b');
  await balance('2026-04-30', 77, 'c', 'EUR');
  await balance('2026-05-01', 5, 'd');
  const answer = await post('balance', { cash: 1_010 });
  expect(answer.checks.find(({ id }) => id === 'K12')).toMatchObject({
    status: 'pass',
    expected_cents: 1_000,
    tolerance_cents: 10,
  });
  await updateSettings(context, { company_id: company, excluded_connections: ['b'] });
  expect((await post('balance', { cash: 1_010 })).checks.find(({ id }) => id === 'K12')).toMatchObject({
    status: 'warn',
    expected_cents: 600,
  });
});

test('K12: books are compared with deposits, or with deposits and investments, never with debts', async () => {
  const typed = (balance_cents: number, account_type: 'depository' | 'investment' | 'credit_card' | 'restricted') =>
    upsertCashBalance(context, {
      company_id: company,
      as_of: '2026-04-30',
      balance_cents,
      currency: 'USD',
      connection_id: account_type,
      account_type,
    });
  await typed(120_000, 'depository');
  await typed(30_000, 'credit_card');
  const passes = async (cash: number) => statusOf(await post('balance', { cash }), 'K12') === 'pass';
  expect([await passes(120_000), await passes(150_000)]).toEqual([true, false]);
  await typed(50_000, 'investment');
  await typed(7_000, 'restricted');
  expect([await passes(120_000), await passes(170_000), await passes(177_000)]).toEqual([true, true, false]);
});

test('K12: a connection counts until the day on which it was disconnected, or its successor’s first balance', async () => {
  const connect = async (replaces?: string) =>
    (await createConnection(context, { company_id: company, provider: 'ledger', ...(replaces && { replaces }) })).id;
  const passes = async (cash: number, period_end = '2026-04-30') =>
    statusOf(await post('balance', { cash }, { period_end }), 'K12') === 'pass';
  const connection_id = await connect();
  await balance('2026-04-30', 600, 'a');
  await balance('2026-04-30', 400, connection_id);
  expect(await passes(1_000)).toBe(true);
  await disconnectConnection(context, { connection_id });
  expect(await passes(1_000)).toBe(true);
  const today = context.clock.now().toISOString().slice(0, 10);
  expect([await passes(1_000, today), await passes(600, today)]).toEqual([false, true]);
  await balance('2026-04-29', 300, await connect(connection_id));
  expect([await passes(1_000), await passes(900)]).toEqual([false, true]);
});

test('K13: a cash flow opens with what the one before closed with', async () => {
  await post('cashflow', { closing_cash: 40 }, { period_start: '2026-03-01', period_end: '2026-03-31' });
  await post('cashflow', { closing_cash: 1 }, { period_start: '2026-02-01', period_end: '2026-02-28' });
  expect(statusOf(await post('cashflow', { opening_cash: 40 }), 'K13')).toBe('pass');
  expect(statusOf(await post('cashflow', { opening_cash: 1 }), 'K13')).toBe('warn');
});

test('the summary checks the newest statements against current data', async () => {
  await post('balance', { cash: 70 });
  const march = { period_start: '2026-03-01', period_end: '2026-03-31' };
  await post('balance', { total_assets: 9, total_liabilities: 1, total_equity: 1 }, march);
  await post('cashflow', { closing_cash: 90 });
  const failing = async () => (await getSummary(context, { company_id: company })).checks.failing.map(({ id }) => id);
  expect(await failing()).toEqual(['K10', 'K10']);
  await post('cashflow', { closing_cash: 70 });
  expect(await failing()).toEqual([]);
});

test('a budget of a period to come is no newest statement', async () => {
  await post('balance', { total_assets: 9, total_liabilities: 1, total_equity: 1 });
  const june = { period_start: '2026-06-01', period_end: '2026-06-30' };
  await post('balance', { total_assets: 2, total_liabilities: 1, total_equity: 1 }, june);
  const { checks } = await getSummary(context, { company_id: company });
  expect(checks.failing.map(({ id }) => id)).toEqual(['K6']);
});

test('a budget whose period has begun hides no statement whose period is over; alone it is checked', async () => {
  const budget = { period_start: '2026-01-01', period_end: '2026-12-31' };
  const newest = async () =>
    (await getDataQuality(context, { company_id: company })).snapshots.map(({ period_end }) => period_end);
  await post('balance', { total_assets: 2, total_liabilities: 1, total_equity: 1 }, budget);
  expect(await newest()).toEqual(['2026-12-31']);
  await post('balance', { total_assets: 9, total_liabilities: 1, total_equity: 1 });
  expect(await newest()).toEqual(['2026-04-30']);
  const { checks } = await getSummary(context, { company_id: company });
  expect(checks.failing.map(({ id }) => id)).toEqual(['K6']);
});

test('a cost whose total is in whole units is warned of, although its line has the other sign', async () => {
  const { warnings } = await post(
    'income',
    { opex: 78 },
    { line_items: [{ key: 'opex', label: '', amount_cents: -7_800 }] },
  );
  expect(warnings.map(({ code }) => code)).toEqual(['totals_unit_mismatch']);
});

test('the id of the revision that a post replaced is the one in the list of revisions', async () => {
  const { id } = await post('income', { revenue: 1 });
  const { replaced_revision_id } = await post('income', { revenue: 2 });
  const { data } = await listRevisions(context, { company_id: company, snapshot_id: id, limit: 9, order: 'desc' });
  expect(data.map((revision) => [revision.id, revision.current])).toEqual([
    [`${id}.2`, true],
    [replaced_revision_id, false],
  ]);
});

test('every revision can be read, the current one first, page by page', async () => {
  for (const revenue of [1, 2, 3]) await post('income', { revenue });
  const { id } = await post('income', { revenue: 3 });
  const page = await listRevisions(context, { company_id: company, snapshot_id: id, limit: 2, order: 'desc' });
  expect(page.data.map(({ revision, current, totals }) => [revision, current, totals['revenue']])).toEqual([
    [3, true, 3],
    [2, false, 2],
  ]);
  const rest = await listRevisions(context, {
    company_id: company,
    snapshot_id: id,
    limit: 2,
    order: 'desc',
    after: page.next_cursor ?? '',
  });
  expect(rest).toMatchObject({ data: [{ revision: 1, current: false, totals: { revenue: 1 } }], has_more: false });
  await expect(
    listRevisions(context, { company_id: fixture.companyId, snapshot_id: id, limit: 2, order: 'desc' }),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test('a month that the year to date replaces is a warning, a revision, and a warning of data quality', async () => {
  const warnings = async () => (await getDataQuality(context, { company_id: company })).warnings;
  const first = await post('income', { revenue: 10 });
  await post('balance', { cash: 1 });
  await post('balance', { cash: 2 }, { period_start: '2026-01-01' });
  await post('income', { revenue: 11 });
  expect(await warnings()).toEqual([]);
  const second = await post('income', { revenue: 40 }, { period_start: '2026-01-01' });
  expect(second).toMatchObject({ id: first.id, result: 'replaced' });
  expect(second.warnings).toMatchObject([{ code: 'period_changed', pointer: '/period_start' }]);
  const page = { company_id: company, snapshot_id: first.id, limit: 10, order: 'desc' } as const;
  expect((await listRevisions(context, page)).data).toMatchObject([
    { revision: 3, period_start: '2026-01-01', totals: { revenue: 40 }, current: true },
    { revision: 2, period_start: '2026-04-01', totals: { revenue: 11 }, current: false },
    { revision: 1, period_start: '2026-04-01', totals: { revenue: 10 }, current: false },
  ]);
  expect(await warnings()).toEqual([
    { code: 'period_changed', message: expect.stringContaining('replace each other') },
  ]);
});

test('a period that changed is mentioned for thirty days, and never of another company', async () => {
  const clock = createTestClock('2026-05-20T12:00:00Z');
  const later = { ...context, clock };
  const warnings = async (company_id = company) => (await getDataQuality(later, { company_id })).warnings.length;
  await post('cashflow', { net_change_in_cash: 10 });
  await post('cashflow', { net_change_in_cash: 40 }, { period_start: '2026-01-01' });
  expect(await warnings()).toBe(1);
  expect(await warnings((await createCompany(context, { name: 'Other Inc' })).id)).toBe(0);
  clock.set('2026-06-20T12:00:00Z');
  expect(await warnings()).toBe(0);
});
