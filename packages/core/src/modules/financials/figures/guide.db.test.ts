// Risk: the guide documents other figures than the service computes.
import { readFileSync } from 'node:fs';
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { ingestTransactions } from '../../bank/transactions/ingest.ts';
import { updateTransaction } from '../../bank/transactions/update.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { getCashOnHand } from '../../cash/cash-on-hand.ts';
import { createCompany } from '../../companies/create.ts';
import { updateCompany } from '../../companies/update.ts';
import { putFxRates } from '../../fx-rates/fx-rates.ts';
import { getStatements } from '../statements/statements.ts';
import { upsertSnapshot } from '../statements/upsert.ts';
import { listTransactions } from '../transactions/list.ts';
import { getBreakdown } from './breakdown.ts';
import { cardPaymentLabels, financingLabels, ownTransferLabels } from './category-labels.ts';
import { getDataQuality } from './data-quality.ts';
import { getForecast } from './forecast.ts';
import { getBurn, getMonthly, getRunway } from './get-figures.ts';
import { updateSettings } from './settings.ts';

const guide = readFileSync(new URL('../../../../../../docs/cash-and-runway.md', import.meta.url), 'utf8');
const prose = guide.replaceAll(/\s+/g, ' ');
const { context } = useFixture(createTestClock('2026-11-25T15:00:00Z'));
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Guide Inc', timezone: 'America/New_York' })).id;
});

/** The cells of the table whose header begins with `column`. */
function tableOf(column: string): string[][] {
  const [, rows = ''] = new RegExp(`\\n\\| ${column} \\|.*\\n\\| ---.*\\n((?:\\|.*\\n)+)`).exec(guide) ?? [];
  return rows
    .trimEnd()
    .split('\n')
    .map((row) =>
      row
        .slice(1, -1)
        .replaceAll('`', '')
        .split('|')
        .map((cell) => cell.trim()),
    );
}

const centsOf = (amount: string) => Math.round(Number(amount.replaceAll(',', '').replace('−', '-')) * 100);
const balance = (as_of: string, balance_cents: number, currency = 'USD', connection_id = 'operating') =>
  upsertCashBalance(context, { company_id, as_of, balance_cents, currency, connection_id });
/** `1,234.50` */
const shown = (cents: number | null | undefined) =>
  ((cents ?? Number.NaN) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
const whole = (cents: number | null | undefined) => shown(cents).replace('.00', '');
const headline = async () => (await getRunway(context, { company_id })).headline;

test('the balances of the guide have the lines that it shows, and are owed, restricted or cash as it says', async () => {
  for (const [connection_id, account_type, as_of, amount = ''] of tableOf('connection')) {
    const [value = '', currency] = amount.split(' ');
    const posted = { company_id, as_of, balance_cents: centsOf(value), currency, connection_id, account_type };
    await upsertCashBalance(context, operations.cash.balances.upsert.input.parse(posted));
  }
  const [, json = ''] = /```json\n([^`]*)```/.exec(guide) ?? [];
  const { lines, excluded } = await getCashOnHand(context, { company_id });
  expect(lines).toEqual(JSON.parse(json));
  const [owed, restricted] = ['credit_card', 'restricted'].map((reason) =>
    excluded.find((one) => one.reason === reason),
  );
  expect(prose).toContain(`cash is ${shown(lines[0]?.balance_cents)} USD, of it ${shown(lines[0]?.investment_cents)}`);
  expect(prose).toContain(`${shown(owed?.owed_cents)} USD are owed on the card`);
  expect(prose).toContain(`${shown(restricted?.balance_cents)} USD are restricted`);
});

test('the guide lists each category that decides, and none of the words that decide nothing', () => {
  const labelsAfter = (start: string) => {
    const [, text = ''] = new RegExp(`\\n- ${start}[^:]*:([^.]*)\\.`).exec(guide) ?? [];
    return [...text.matchAll(/`(\w+)`/g)].map(([, label]) => label);
  };
  expect(labelsAfter('Transfers between own accounts')).toEqual(ownTransferLabels);
  expect(labelsAfter('Payments of a credit card')).toEqual(cardPaymentLabels);
  expect(labelsAfter('Financing')).toEqual(financingLabels);
  const undecided = labelsAfter('Nothing is decided');
  expect(undecided).toHaveLength(13);
  const labels = [...ownTransferLabels, ...cardPaymentLabels, ...financingLabels];
  expect(undecided.filter((word) => labels.includes(word ?? ''))).toEqual([]);
});

test('the rows of October count in the guide as the service counts them', async () => {
  const posted = tableOf('row').map(([description = '', connection_id = '', category = '', amount = ''], i) => ({
    description,
    connection_id,
    amount_cents: centsOf(amount),
    currency: 'USD',
    ...(category === '' ? {} : { category }),
    external_id: `row ${i}`,
    posted_at: `2026-10-${String(i + 3).padStart(2, '0')}T12:00:00Z`,
  }));
  const usual = ['05', '06', '07', '08', '09'].flatMap((month) =>
    posted.slice(0, 3).map((row) => ({
      ...row,
      external_id: `${month} ${row.external_id}`,
      posted_at: row.posted_at.replace('-10-', `-${month}-`),
    })),
  );
  const [, rules = ''] = /```json\n([^`]*"contains"[^`]*)```/.exec(guide) ?? [];
  await updateSettings(context, {
    company_id,
    accounts: [
      { connection_id: 'card', account_type: 'credit_card' },
      { connection_id: 'brokerage', account_type: 'investment' },
    ],
    flow_rules: JSON.parse(rules),
  });
  await ingestTransactions(context, { company_id, transactions: [...usual, ...posted] });
  const { data } = await listTransactions(
    context,
    operations.bank.transactions.list.input.parse({ company_id, month: '2026-10' }),
  );
  const classes = data.map(({ description, connection_id, category, amount_cents, counted_as }) => [
    description,
    connection_id,
    category ?? '',
    whole(amount_cents).replace('-', '−'),
    counted_as?.flow_class,
    counted_as?.flow_reason,
  ]);
  expect(classes.toReversed()).toEqual(tableOf('row'));
  const { window, lines } = await getBurn(context, { company_id });
  const [line] = lines;
  expect(window).toEqual(['2026-08', '2026-09', '2026-10']);
  const [before, , october] = (line?.months ?? []).map(({ gross_burn_cents, net_burn_cents }) =>
    [(gross_burn_cents ?? 0) - (net_burn_cents ?? 0), gross_burn_cents].map(shown),
  );
  expect(prose).toContain(`October's money in is ${october?.join(' and its money out ')}.`);
  expect(prose).toContain(`these were ${before?.join(' and ')}`);
  expect(prose).toContain(`gross burn is ${shown(line?.gross_burn_cents)} and net burn ${shown(line?.net_burn_cents)}`);
  const wire = data.find(({ counted_as }) => counted_as?.flow_reason === 'large_inflow')?.id ?? '';
  await updateTransaction(context, { company_id, transaction_id: wire, flow_class: 'counted' });
  const [answered] = (await getBurn(context, { company_id })).lines;
  expect(prose).toContain(`to \`counted\`, and net burn is ${shown(answered?.net_burn_cents).replace('-', '−')}.`);
});

test('the guide has the burn and the runway of a main account that is known since September', async () => {
  const row = (connection_id: string, month: string, amount: number) => ({
    external_id: month,
    posted_at: `${month}-01T12:00:00Z`,
    amount_cents: -amount * 100,
    currency: 'USD',
    connection_id,
  });
  const months = ['2025-12', ...Array.from({ length: 10 }, (_, i) => `2026-${String(i + 1).padStart(2, '0')}`)];
  const transactions = [
    ...months.map((month) => row('petty', month, 1_000)),
    ...months.slice(-2).map((month) => row('main', month, 200_000)),
  ];
  await ingestTransactions(context, { company_id, transactions });
  await balance('2026-11-25', 60_000_000);
  const line = await headline();
  expect(line?.window).toEqual(['2026-10']);
  expect(prose).toContain(`burn is ${whole(line?.net_burn_cents)}, and a cash of 600,000 lasts`);
  expect(prose).toContain(`${line?.runway_months} months. Counting August`);
});

test('the guide has the total of two currencies, and the runway without rates', async () => {
  await balance('2026-11-25', 1_000_000_000);
  await balance('2026-11-25', 500_000, 'EUR', 'berlin');
  const rows = ['USD', 'EUR'].flatMap((currency) =>
    ['07', '08', '09', '10'].map((month) => ({
      external_id: `${month} ${currency}`,
      posted_at: `2026-${month}-10T12:00:00Z`,
      amount_cents: -5_000_000,
      currency,
      connection_id: currency === 'EUR' ? 'berlin' : 'operating',
    })),
  );
  await ingestTransactions(context, { company_id, transactions: rows });
  const alone = await headline();
  expect(prose).toContain(`runs out first: ${alone?.currency}, with ${alone?.runway_months} months`);
  await putFxRates(context, { base: 'EUR', as_of: '2026-11-25', rates: { USD: '1.0842' } });
  const total = await headline();
  const { total: cash } = await getCashOnHand(context, { company_id });
  expect(prose).toContain(`5,000 EUR is ${whole(cash?.balance_cents)} USD`);
  expect(prose).toContain(`in each is ${whole(total?.net_burn_cents)} a month`);
  expect(prose).toContain(`the runway is ${total?.runway_months?.toFixed(1)} months`);
});

/** History since April: money in of each month, and money out of August to October. */
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
  expect(prose).toContain(`net burn of ${line?.net_burn_cents} and ${line?.runway_months} months`);
});

/** Spending of the months up to October 2026, in whole units, after a row in the month before. */
async function spend(amounts: readonly number[]): Promise<void> {
  const transactions = [0.01, ...amounts].map((amount, i) => ({
    external_id: String(i),
    posted_at: new Date(Date.UTC(2026, 9 - amounts.length + i, 12, 12)).toISOString(),
    amount_cents: -Math.round(amount * 100),
    currency: 'USD',
    connection_id: 'operating',
  }));
  await ingestTransactions(context, { company_id, transactions });
}

const monthly = async () => getMonthly(context, operations.financials.monthly.input.parse({ company_id, months: 12 }));

test('the guide has the windows of a burn that rose three months ago', async () => {
  await balance('2026-11-25', 90_000);
  await spend([...Array.from({ length: 9 }, () => 60), 90, 90, 90]);
  const { windows } = await monthly();
  const cells = windows.map(({ months, net_burn_cents, runway_months }) =>
    [months, (net_burn_cents ?? 0) / 100, runway_months?.toFixed(1)].map(String),
  );
  expect(cells).toEqual(tableOf('months'));
});

test('the guide has the three-month burn and the runway at the end of October', async () => {
  await balance('2026-10-31', 34_000);
  await spend([50, 50, 80]);
  const { months } = await monthly();
  const { total } = months.find(({ month }) => month === '2026-10') ?? {};
  const mean = (total?.net_burn_3m_cents ?? 0) / 100;
  expect(prose).toContain(`October has a mean of ${mean} and a runway of ${total?.runway_months} months.`);
});

test('the guide has the unexplained amount of a missing row, and the tolerance', async () => {
  await balance('2026-10-20', 1_000_000_000);
  await balance('2026-11-20', 981_000_000);
  const row = { amount_cents: -10_000_000, currency: 'USD', connection_id: 'operating' };
  const transactions = ['2026-10-02', '2026-11-02'].map((day) => ({
    ...row,
    external_id: day,
    posted_at: `${day}T12:00:00Z`,
  }));
  await ingestTransactions(context, { company_id, transactions });
  const [found] = (await getDataQuality(context, { company_id })).reconciliation;
  expect(found?.status).toBe('warn');
  const unexplained = whole(found?.unexplained_cents).replace('-', '');
  expect(prose).toContain(`${unexplained} are unexplained and ${whole(found?.threshold_cents)} are tolerated`);
});

const postIncome = (month: string, totals: Record<string, number>) =>
  upsertSnapshot(context, {
    company_id,
    statement_type: 'income',
    period_start: `2026-${month}-01`,
    period_end: new Date(Date.UTC(2026, Number(month), 0)).toISOString().slice(0, 10),
    currency: 'USD',
    totals,
    line_items: [],
  });

test('the guide has the margin and the change of two income statements', async () => {
  await postIncome('09', { revenue: 8_000_000 });
  const { derived } = await postIncome('10', { revenue: 9_000_000, gross_profit: 6_525_000 });
  const { gross_margin_percent: margin, revenue_change_percent: change } = derived ?? {};
  expect(prose).toContain(`a margin of ${margin} % and a change of ${change} %`);
});

test('the guide has the year to date of ten months, by both fiscal years', async () => {
  for (let month = 1; month <= 10; month++) await postIncome(String(month).padStart(2, '0'), { revenue: 1_000 });
  const yearToDate = async () => {
    const input = { company_id, statement_type: 'income', months: 12 };
    const { rows } = await getStatements(context, operations.financials.statements.input.parse(input));
    return (rows[0]?.year_to_date_cents ?? 0) / 100;
  };
  const calendar = await yearToDate();
  await updateCompany(context, { company_id, fiscal_year_end: '06-30' });
  expect(prose).toContain(`it is ${calendar}, and ${await yearToDate()} if the year ends on 06-30`);
});

test('the guide has the cash of each month end of its forecast', async () => {
  await balance('2026-11-25', 120_000_000);
  await ingestTransactions(context, { company_id, transactions: rowsOf('100,000 100,000 100,000', '0') });
  const [, body = ''] = /```json\n([^`]*"changes"[^`]*)```/.exec(guide) ?? [];
  const given: object = JSON.parse(body);
  const forecast = (fields: object) =>
    getForecast(context, operations.financials.forecast.input.parse({ company_id, ...fields }));
  const [planned, plain] = [await forecast(given), await forecast({ months: 5 })];
  const amountOf = (cents: number | null | undefined) => shown(cents).replace('-', '−');
  expect(
    planned.months.map(({ month, change_cents, closing_cents }, i) => [
      month,
      ...[change_cents, closing_cents, plain.months[i]?.closing_cents].map(amountOf),
    ]),
  ).toEqual(tableOf('month'));
  for (const { cash_out_date, runway_months, raise_by_date } of [planned, plain]) {
    expect(prose).toContain(`${cash_out_date}, after ${runway_months?.toFixed(1)} months`);
    expect(prose).toContain(raise_by_date);
  }
});

test('the guide has the spending by category of three months', async () => {
  const table = tableOf('`key`');
  const paid = table.flatMap(([category = '', ...amounts]) =>
    ['2026-08', '2026-09', '2026-10'].map((month, i) => ({
      external_id: `${month} ${category}`,
      posted_at: `${month}-12T12:00:00Z`,
      amount_cents: -centsOf(amounts[i] ?? ''),
      currency: 'USD',
      category,
    })),
  );
  const transactions = paid.filter(({ amount_cents }) => amount_cents !== 0);
  await ingestTransactions(context, { company_id, transactions });
  const { rows } = await getBreakdown(context, operations.financials.breakdown.input.parse({ company_id }));
  const cells = rows.map(({ key, months, total_cents }) => [
    key,
    ...months.map(({ amount_cents }) => whole(amount_cents)),
    whole(total_cents),
  ]);
  expect(cells).toEqual(table);
});
