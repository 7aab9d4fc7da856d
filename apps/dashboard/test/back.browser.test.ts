// Risk: Back leaves the page when a user means to close the record that fills the screen, above all on a phone.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { navigate, setUpDashboard } from './dashboard-fixture.ts';
import { postTransactions } from './records.ts';

let page: Page;
const dash = setUpDashboard({
  async seed({ api, company_id }) {
    const row = (i: number) => ({
      posted_at: new Date(Date.now() - i * 60_000).toISOString(),
      description: `Row ${i}`,
    });
    await postTransactions(api, company_id, ...Array.from({ length: 60 }, (_, i) => row(i)));
    await api('POST', `/companies/${company_id}/directives`, { title: 'Pay no invoices' });
  },
});
beforeAll(async () => {
  page = await dash.open('/companies', { width: 390 });
});

const path = (): string => new URL(page.url()).pathname.replace('/dashboard', '') || '/';
const dialog = () => page.getByRole('dialog');

test.each([
  ['/transactions', 'Row 0'],
  ['/directives', 'Pay no invoices'],
  ['/settings/keys', /./],
] as const)('on %s Back closes the opened record, and the next one leaves the list', async (list, name) => {
  await navigate(page, '/companies');
  await navigate(page, list);
  const row = page.locator('tbody').getByRole('link', { name }).first();
  for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await row.click();
    await dialog().waitFor();
    await close();
    await dialog().waitFor({ state: 'detached' });
    expect(path()).toBe(list.split('?')[0]);
  }
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('the list stays where it was scrolled when its record is opened and closed', async () => {
  await navigate(page, '/transactions');
  const frame = page.getByRole('group', { name: 'Transactions', exact: true });
  await frame.getByRole('link', { name: 'Row 0' }).waitFor();
  await frame.evaluate((element) => element.scrollTo(0, 30 * 44));
  await frame.getByRole('link', { name: 'Row 32' }).click();
  await dialog().waitFor();
  await page.goBack();
  await dialog().waitFor({ state: 'detached' });
  expect(await frame.evaluate((element) => element.scrollTop)).toBeGreaterThan(20 * 44);
});

test('a record that a link led to is closed to its list', async () => {
  const { data } = await dash.api('GET', `/companies/${dash.company_id}/bank/transactions?limit=1`);
  await page.goto(`${dash.dashboard_url}/transactions?open=${data[0].id}`);
  await dialog().waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  expect(path()).toBe('/transactions');
});
