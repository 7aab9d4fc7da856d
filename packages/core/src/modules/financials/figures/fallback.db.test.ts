// Risk: burn without transactions comes from a plan, or from money in another currency.
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { createCompany } from '../../companies/create.ts';
import { upsertSnapshot } from '../statements/upsert.ts';
import { getRunway } from './get-figures.ts';

const fixture = useFixture(createTestClock('2026-05-20T15:00:00Z'));
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Fallback Inc', timezone: 'America/New_York' })).id;
});

const balance = (as_of: string, balance_cents: number, currency = 'USD', connection_id = 'a') =>
  upsertCashBalance(context, {
    company_id,
    as_of,
    balance_cents,
    currency,
    connection_id: connection_id || undefined,
  });
const cashflow = (period_start: string, period_end: string, net_change_in_cash: number) =>
  upsertSnapshot(context, {
    company_id,
    statement_type: 'cashflow',
    period_start,
    period_end,
    currency: 'USD',
    totals: { net_change_in_cash },
  });
const runwayOf = async (currency = 'USD') =>
  (await getRunway(context, { company_id })).lines.find((line) => line.currency === currency);

test('without transactions burn follows from a month of balances, else from the cash flow statement', async () => {
  await balance('2026-04-10', 9_000);
  expect(await runwayOf()).toMatchObject({ status: 'no_transactions', basis: 'balance_delta', runway_months: null });
  await balance('2026-05-20', 6_000);
  expect(await runwayOf()).toMatchObject({
    status: 'no_transactions',
    basis: 'balance_delta',
    net_burn_cents: 2283,
    runway_months: 2.6,
    flags: { low_confidence: true },
  });
});

test('a new account is excluded from the balance delta by name, and the basis stays', async () => {
  await balance('2026-02-19', 680_000);
  await balance('2026-05-20', 600_000);
  await balance('2026-05-19', 1, 'USD', 'new');
  await balance('2026-05-19', 2, 'USD', '');
  // 80 000 in 90 days; the cash of all accounts lasts.
  expect(await runwayOf()).toMatchObject({
    basis: 'balance_delta',
    basis_excluded: [null, 'new'],
    cash_cents: 600_003,
    net_burn_cents: 27_055,
    runway_months: 22.1,
  });
  await balance('2026-05-20', 5, 'EUR', 'other');
  expect(await runwayOf('EUR')).toMatchObject({ basis: null, basis_excluded: [], runway_months: null });
});

test('the newest past cash flow statement counts, not a plan of next year', async () => {
  await balance('2026-05-20', 6_000);
  await cashflow('2026-03-01', '2026-03-31', -9_000);
  await cashflow('2026-04-01', '2026-04-30', -2_000);
  await cashflow('2027-01-01', '2027-12-31', -12_000_000);
  expect(await runwayOf()).toMatchObject({
    basis: 'cash_flow_statement',
    net_burn_cents: 2_000,
    runway_months: 3,
  });
});

test('a series’s balances in another currency are no cash of this one, neither before it changed nor in between', async () => {
  await balance('2026-02-01', 900_000, 'JPY');
  await balance('2026-03-21', 9_000);
  await balance('2026-05-20', 6_000);
  expect(await runwayOf()).toMatchObject({ basis: 'balance_delta', net_burn_cents: 1_522 });
  await balance('2026-01-10', 12_000, 'EUR', 'b');
  await balance('2026-02-10', 900_000, 'JPY', 'b');
  await balance('2026-05-20', 6_000, 'EUR', 'b');
  // 6 000 in 90 days.
  expect(await runwayOf('EUR')).toMatchObject({ basis: 'balance_delta', net_burn_cents: 2_029 });
});
