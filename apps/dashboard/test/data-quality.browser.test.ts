// Risk: a finding that the overview counts can't be opened, or leads to rows other than its own.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Dashboard, setUpDashboard } from './dashboard-fixture.ts';
import { createCompany, day, postBalance, postTransactions } from './records.ts';

let company: string;
const dash = setUpDashboard({
  async seed({ api }) {
    company = await createCompany(api, 'Findings');
    await seedFindings(api);
  },
});

const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });

async function seedFindings(api: Dashboard['api']): Promise<void> {
  const row = (external_id: string, back: number, amount_cents: number, connection_id = 'operating') => ({
    external_id,
    posted_at: `${day(back)}T12:00:00Z`,
    amount_cents,
    connection_id,
  });
  await postTransactions(
    api,
    company,
    row('before', 15, -100),
    row('between', 10, -5_000),
    row('to-savings', 5, -70_000),
    row('from-operating', 4, 70_000, 'savings'),
  );
  await postTransactions(api, company, row('between', 10, -5_500));
  await postBalance(api, company, 1_000_000, { as_of: day(15) });
  await postBalance(api, company, 999_000, { as_of: day(3) });
  await postBalance(api, company, 999_000);
  await postBalance(api, company, 100, { as_of: day(9), connection_id: 'forgotten' });
  await api('POST', `/companies/${company}/financials/snapshots`, {
    statement_type: 'balance',
    period_end: day(1),
    currency: 'USD',
    totals: { total_assets: 500_00, total_liabilities: 100_00, total_equity: 300_00 },
  });
}

test('an unexplained balance leads from the overview to the compared rows', async () => {
  const page = await dash.open('/', { company });
  await page.getByRole('link', { name: 'View balances' }).click();
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
  await page.getByText('2 transactions').waitFor();
  await page.goBack();
  await row.getByRole('link', { name: 'Balances' }).click();
  await page.getByText('2 rows').waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('each finding names its rows and opens them; the runway drawer links to the suspected transfers', async () => {
  const page = await dash.open('/', { company });
  await page.getByRole('button', { name: 'Why?' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Data quality' }).click();
  const transfer = table(page, 'Suspected transfers').getByRole('row', { name: '$700.00' });
  await page.getByText(/Excluded from burn and runway\./).waitFor();
  const opened = page.getByRole('dialog', { name: 'Transaction' });
  for (const [link, row] of [
    [transfer.getByRole('link').last(), 'from-operating'],
    [transfer.getByRole('link').first(), 'to-savings'],
  ] as const) {
    await link.click();
    await opened.getByText(row).first().waitFor();
    await page.goBack();
  }
  await page.getByRole('tab', { name: /Changed duplicates/ }).click();
  const duplicate = table(page, 'Changed duplicates').getByRole('row', { name: 'between' });
  await duplicate.getByText('amount_cents', { exact: true }).waitFor();
  await duplicate.getByRole('link', { name: 'between' }).click();
  await opened.getByText('-$50.00').waitFor();
  await page.goBack();
  await page.getByRole('tab', { name: /Stale accounts/ }).click();
  const stale = table(page, 'Stale accounts').getByRole('row', { name: 'forgotten' });
  await stale.getByText('Stale', { exact: true }).waitFor();
  await stale.getByText(/^Expected hourly · Balance of .* \(9 days old\)$/).waitFor();
  await page.getByRole('tab', { name: /Failed checks/ }).click();
  const failed = table(page, 'Failed checks').getByRole('row', { name: 'K6' });
  await failed.getByText('$100.00').waitFor();
  await failed.getByRole('link').click();
  await page.getByText('Out of balance').waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('a company without data has an empty page for each kind of finding', async () => {
  const id = await createCompany(dash.api, 'Nothing');
  const page = await dash.open('/data-quality', { company: id });
  for (const [tab, text] of [
    ['Failed checks (0)', 'No failed checks'],
    ['Stale accounts (0)', 'No stale accounts'],
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
