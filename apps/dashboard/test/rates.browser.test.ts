// Risk: an exchange rate is stored upside down or of another day, or nobody finds where to enter it.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { setUpDashboard, startAt } from './dashboard-fixture.ts';
import { createCompany, day, postBalance, postTransactions } from './records.ts';

let page: Page;
const dash = setUpDashboard();
beforeAll(async () => {
  page = await dash.open('/companies');
});

const go = (path: string) => startAt(page, path);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('the overview leads to the exchange rate that is missing, which is asked for as it is published', async () => {
  const company = await createCompany(dash.api, 'Two homes');
  await postBalance(dash.api, company, 700);
  await postBalance(dash.api, company, 500, { currency: 'EUR', connection_id: 'Berlin' });
  await go(`/?company=${company}`);
  await page.getByRole('link', { name: /^Enter rates/ }).click();
  const rate = page.getByRole('region', { name: 'Exchange rates' }).getByLabel('1 EUR in USD');
  await expect.poll(() => rate.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('1.0842');
  await page.keyboard.press('Enter');
  await page.getByText('Rates saved. Totals are recalculated.').waitFor();
  const stored = await dash.api('GET', '/fx-rates');
  expect(stored).toMatchObject({ base: 'EUR', rates: { USD: '1.0842' } });
  // The day may end during the test.
  expect([day(0), day(1)]).toContain(stored.as_of);
  await go(`/?company=${company}`);
  await page.getByText('$12.42').first().waitFor();
  expect(await page.getByText('No total').count()).toBe(0);
});

test('exchange rates are entered one per line, and an invalid one is named', async () => {
  await go(`/companies/${dash.company_id}`);
  const panel = page.getByRole('region', { name: 'Exchange rates' });
  const today = new Date().toISOString().slice(0, 10);
  await panel.getByLabel('Base currency').fill('EUR');
  await panel.getByLabel('Day of the rates').fill(today);
  await panel.getByLabel('Rates', { exact: true }).fill('USD: 1.0842\nJPY: a lot');
  await press('Save rates');
  await panel
    .getByText(/must be a decimal number above zero/)
    .first()
    .waitFor();
  await panel.getByLabel('Rates', { exact: true }).fill('USD: 1.0842\nJPY: 162.50');
  await press('Save rates');
  await page.getByText('Rates saved. Totals are recalculated.').waitFor();
  expect(await dash.api('GET', '/fx-rates')).toMatchObject({
    base: 'EUR',
    as_of: today,
    rates: { USD: '1.0842', JPY: '162.50' },
    source: null,
  });
});

test('rates that are too old are entered again under today, also for flows of a currency without cash', async () => {
  await dash.api('PUT', '/fx-rates', { base: 'EUR', as_of: day(30), rates: { USD: '1.0500' } });
  const company = await createCompany(dash.api, 'Left Berlin');
  await postBalance(dash.api, company, 700);
  await postTransactions(dash.api, company, {
    posted_at: `${day(240)}T12:00:00Z`,
    currency: 'EUR',
    connection_id: 'Berlin',
  });
  // Rates that change outside of the dashboard are not in its cache.
  await page.goto(`${dash.dashboard_url}/?company=${company}`);
  await page.getByRole('link', { name: /^Enter rates: .*EUR$/ }).click();
  const panel = page.getByRole('region', { name: 'Exchange rates' });
  const rates = panel.getByLabel('Rates', { exact: true });
  await expect.poll(() => rates.evaluate((field) => field === document.activeElement)).toBe(true);
  await rates.fill('USD: 1.0842');
  await press('Save rates');
  await page.getByText('Rates saved. Totals are recalculated.').waitFor();
  expect([day(0), day(1)]).toContain((await dash.api('GET', '/fx-rates')).as_of);
  await go(`/?company=${company}`);
  await page.getByLabel('Currency').getByText('All, in USD').waitFor({ state: 'attached' });
  expect(await page.getByText('No total').count()).toBe(0);
});
