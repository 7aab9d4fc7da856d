// Risk: the guide explains figures that the service does not compute.
import { readFileSync } from 'node:fs';
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { getCashOnHand } from '../../cash/cash-on-hand.ts';
import { createCompany } from '../../companies/create.ts';
import { getForecast } from './forecast.ts';
import { getRunway } from './get-figures.ts';

const guide = readFileSync(new URL('../../../../../../docs/cash-and-runway.md', import.meta.url), 'utf8');
const { context } = useFixture(createTestClock('2026-11-25T15:00:00Z'));
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Guide Inc', timezone: 'America/New_York' })).id;
});

/** The cells of the table that begins with this column. */
function tableOf(column: string): string[][] {
  const [, rows = ''] = new RegExp(`\\n\\| ${column} \\|.*\\n\\| ---.*\\n((?:\\|.*\\n)+)`).exec(guide) ?? [];
  return rows
    .trimEnd()
    .split('\n')
    .map((row) => row.slice(2, -2).replaceAll('`', '').split(' | '));
}

const centsOf = (amount: string) => Math.round(Number(amount.replaceAll(',', '')) * 100);
const balance = (as_of: string, balance_cents: number, currency = 'USD', connection_id = 'operating') =>
  upsertCashBalance(context, { company_id, as_of, balance_cents, currency, connection_id });
const headline = async () => (await getRunway(context, { company_id })).headline;

test('the balances of the guide have the lines that it shows', async () => {
  for (const [connection, day = '', amount = ''] of tableOf('connection')) {
    const [value = '', currency] = amount.split(' ');
    await balance(day, centsOf(value), currency, connection);
  }
  const [, json = ''] = /```json\n([^`]*)```/.exec(guide) ?? [];
  expect((await getCashOnHand(context, { company_id })).lines).toEqual(JSON.parse(json));
});

/** A history from April on: money in of each month since, and money out of August to October. */
function rowsOf(out: string, moneyIn: string) {
  const row = (month: number, amount: number) => ({
    external_id: `${month} ${amount > 0}`,
    posted_at: `2026-${String(month).padStart(2, '0')}-12T12:00:00Z`,
    amount_cents: amount,
    currency: 'USD',
    connection_id: 'operating',
  });
  const outs = out.split(' ').map((amount, i) => row(8 + i, -centsOf(amount)));
  const ins = Array.from({ length: 6 }, (_, i) => row(5 + i, centsOf(moneyIn)));
  return [row(4, -100), ...outs, ...ins].filter(({ amount_cents }) => amount_cents !== 0);
}

const runways = tableOf('cash');

test('the guide has runways of every status but insufficient_history', () => {
  expect(new Set(runways.map(([, , , status]) => status)).size).toBe(6);
});

test.for(runways)('cash %s, out %s, in %s is %s', async ([cash = '', out = '', moneyIn = '', status, ...figures]) => {
  if (cash !== 'none') await balance('2026-11-25', centsOf(cash));
  if (out !== 'none') await ingestTransactions(context, { company_id, transactions: rowsOf(out, moneyIn) });
  const line = await headline();
  expect(line?.status).toBe(status);
  const computed = [line?.net_burn_cents, line?.runway_months, line?.cash_out_date, line?.text];
  expect(computed.map(String)).toEqual(figures);
});

test('the guide has the net burn and the months of the fallback', async () => {
  await balance('2026-09-26', 16_000_000);
  await balance('2026-11-25', 12_000_000);
  const line = await headline();
  expect(line).toMatchObject({ status: 'no_transactions', basis: 'balance_delta' });
  expect(guide).toContain(`net burn of ${line?.net_burn_cents} and ${line?.runway_months} months`);
});

test('the guide has the cash of each month end of its forecast', async () => {
  await balance('2026-11-25', 120_000_000);
  await ingestTransactions(context, { company_id, transactions: rowsOf('100,000 100,000 100,000', '0') });
  const [, body = ''] = /```json\n([^`]*"changes"[^`]*)```/.exec(guide) ?? [];
  const given: object = JSON.parse(body);
  const forecast = (fields: object) =>
    getForecast(context, operations.financials.forecast.input.parse({ company_id, ...fields }));
  const [planned, plain] = [await forecast(given), await forecast({ months: 5 })];
  const amountOf = (cents: number | null | undefined) =>
    ((cents ?? Number.NaN) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 }).replace('-', '−');
  expect(
    planned.months.map(({ month, change_cents, closing_cents }, i) => [
      month,
      ...[change_cents, closing_cents, plain.months[i]?.closing_cents].map(amountOf),
    ]),
  ).toEqual(tableOf('month'));
  for (const { cash_out_date, raise_by_date } of [planned, plain]) {
    expect(guide).toContain(cash_out_date);
    expect(guide).toContain(raise_by_date);
  }
});
