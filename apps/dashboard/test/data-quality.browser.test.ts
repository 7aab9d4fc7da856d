// Risk: a finding that the overview counts can't be opened, or leads to rows other than its own.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Dashboard, setUpDashboard } from './dashboard-fixture.ts';

let company: string;
const dash = setUpDashboard({
  async seed({ api }) {
    company = await createCompany('Findings', api);
    await seedFindings(api);
  },
});

const DAY_MS = 86_400_000;
const day = (back: number): string => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });

async function createCompany(name: string, api = dash.api): Promise<string> {
  const { id } = await api('POST', '/companies', { name, base_currency: 'USD', timezone: 'UTC' });
  return id;
}

async function seedFindings(api: Dashboard['api']): Promise<void> {
  const root = `/companies/${company}`;
  const row = (external_id: string, back: number, amount_cents: number, connection_id = 'operating') => ({
    external_id,
    posted_at: `${day(back)}T12:00:00Z`,
    amount_cents,
    currency: 'USD',
    connection_id,
  });
  const transactions = [
    row('before', 15, -100),
    row('between', 10, -5_000),
    row('to-savings', 5, -70_000),
    row('from-operating', 4, 70_000, 'savings'),
  ];
  await api('POST', `${root}/bank/transactions`, { transactions });
  await api('POST', `${root}/bank/transactions`, row('between', 10, -5_500));
  const balance = (back: number, balance_cents: number, connection_id = 'operating') =>
    api('POST', `${root}/cash/balances`, { as_of: day(back), balance_cents, currency: 'USD', connection_id });
  await balance(15, 1_000_000);
  await balance(0, 999_000);
  await balance(9, 100, 'forgotten');
  await api('POST', `${root}/financials/snapshots`, {
    statement_type: 'balance',
    period_end: day(1),
    currency: 'USD',
    totals: { total_assets: 500_00, total_liabilities: 100_00, total_equity: 300_00 },
  });
}

test('an unexplained balance leads from the overview to the compared rows', async () => {
  const page = await dash.open('/', { company });
  await page.getByRole('link', { name: 'Unexplained balances' }).click();
  await page.getByRole('tab', { name: 'Unexplained balances (1)', selected: true }).waitFor();
  const row = table(page, 'Unexplained balances').getByRole('row', { name: 'operating' });
  expect((await row.getByRole('cell').allInnerTexts()).map((text) => text.split('\n')[0]?.trim())).toEqual([
    'operating',
    '$10,000.00',
    '-$750.00',
    '$9,990.00',
    '$740.00',
    'Balances',
  ]);
  await row.getByText('Unexplained', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'Transactions' }).click();
  await page.getByText('2 rows').waitFor();
  await page.goBack();
  await row.getByRole('link', { name: 'Balances' }).click();
  await page.getByText('2 rows').waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('a changed duplicate names its changed fields and opens the stored transaction', async () => {
  const page = await dash.open('/data-quality?tab=duplicates', { company });
  const row = table(page, 'Changed duplicates').getByRole('row', { name: 'between' });
  await row.getByText('amount_cents', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'between' }).click();
  await page.getByRole('dialog', { name: 'Transaction' }).getByText('-$50.00').waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('a suspected transfer opens either of its rows, and the runway drawer links to it', async () => {
  const page = await dash.open('/', { company });
  await page.getByRole('button', { name: 'Why?' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Data quality' }).click();
  const row = table(page, 'Suspected transfers').getByRole('row', { name: '$700.00' });
  await page
    .getByText(/Counted as money out and money in, except transactions whose category \(.*\) is excluded\./)
    .waitFor();
  await row.getByRole('link').last().click();
  await page.getByRole('dialog', { name: 'Transaction' }).getByText('from-operating').first().waitFor();
  await page.goBack();
  await row.getByRole('link').first().click();
  await page.getByRole('dialog', { name: 'Transaction' }).getByText('to-savings').first().waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('failed checks lead to their statement, and a stale connection has its reason', async () => {
  const page = await dash.open('/data-quality?tab=stale', { company });
  const stale = table(page, 'Stale connections').getByRole('row', { name: 'forgotten' });
  await stale.getByText('Stale', { exact: true }).waitFor();
  await page.getByRole('tab', { name: /Failed checks/ }).click();
  const failed = table(page, 'Failed checks').getByRole('row', { name: 'K6' });
  await failed.getByText('$100.00').waitFor();
  await failed.getByRole('link').click();
  await page.getByText('Out of balance').waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('an account that two connections deliver has both figures on the overview, and a link to where one is excluded', async () => {
  const id = await createCompany('Twice');
  for (const connection_id of ['item_A', 'item_B']) {
    const transactions = Array.from({ length: 24 }, (_, i) => ({
      external_id: String(i),
      posted_at: `${day(i * 3)}T12:00:00Z`,
      amount_cents: -1_000 - i,
      currency: 'USD',
      connection_id,
    }));
    await dash.api('POST', `/companies/${id}/bank/transactions`, { transactions });
    const balance = { as_of: day(0), balance_cents: 100_000, currency: 'USD', connection_id };
    await dash.api('POST', `/companies/${id}/cash/balances`, balance);
  }
  const page = await dash.open('/', { company: id });
  const note = page.getByText(/Counted twice\? item_B repeats item_A; cash is \$2,000\.00, counted once \$1,000\.00/);
  await note.waitFor();
  await note.getByRole('link', { name: 'company settings' }).click();
  await page.getByLabel('Excluded connections').fill('item_B');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved.').waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('Excluded in settings: 1 connection.').waitFor();
  await note.waitFor({ state: 'detached' });
  expect(dash.errors(page)).toEqual([]);
});

test('a company without data has an empty page for each kind of finding', async () => {
  const id = await createCompany('Nothing');
  const page = await dash.open('/data-quality', { company: id });
  for (const [tab, text] of [
    ['Failed checks (0)', 'No failed checks'],
    ['Stale connections (0)', 'No stale connections'],
    ['Unexplained balances (0)', 'Nothing to compare yet'],
    ['Changed duplicates (0)', 'No changed duplicates'],
    ['Suspected transfers (0)', 'No suspected transfers'],
    ['Warnings (0)', 'No warnings'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByText(text, { exact: true }).waitFor();
  }
  expect(dash.errors(page)).toEqual([]);
});

test('an uncategorised inflow is named on the runway tile and listed among the warnings', async () => {
  const id = await createCompany('Round');
  const month = (back: number): string => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 15)).toISOString();
  };
  const row = (posted_at: string, amount_cents: number) => ({
    external_id: `${posted_at} ${amount_cents}`,
    posted_at,
    amount_cents,
    currency: 'USD',
  });
  const spent = [4, 3, 2, 1].map((back) => row(month(back), -10_000_000));
  const transactions = [...spent, row(month(2), 500_000_000)];
  await dash.api('POST', `/companies/${id}/bank/transactions`, { transactions });
  const cash = { as_of: day(0), balance_cents: 300_000_000, currency: 'USD' };
  await dash.api('POST', `/companies/${id}/cash/balances`, cash);
  const page = await dash.open('/', { company: id });
  const runway = page.getByRole('region', { name: 'Runway', exact: true });
  await runway.getByText('Cash-flow positive (low confidence)').waitFor();
  await runway.getByText('it may be no income').waitFor();
  await page.getByRole('link', { name: 'Warnings', exact: true }).click();
  await table(page, 'Warnings').getByText('$5,000,000.00 came in on').waitFor();
  expect(dash.errors(page)).toEqual([]);
});
