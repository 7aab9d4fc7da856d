// Risk: the frame around the pages loses the user's place, shows another company than was asked for, or ends in a dead end.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, openDashboard } from './dashboard-fixture.ts';

let dash: Dashboard;
let other: string;
beforeAll(async () => {
  dash = await openDashboard();
  ({ id: other } = await dash.api('POST', '/companies', { name: 'Other', base_currency: 'USD', timezone: 'UTC' }));
});
afterAll(() => dash.close());

const searchOf = (page: Page) => new URL(page.url()).searchParams;

test('who signs out is led back to the page that was left, by an address that names it once', async () => {
  const page = await dash.page();
  await page.goto(`${dash.dashboard_url}/settings/keys?status=active`);
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.getByRole('button', { name: /Local account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(searchOf(page).get('next')).toMatch(/^\/settings\/keys\?status=active/);
  await page.getByLabel('API key').fill(dash.api_key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  expect(searchOf(page).get('status')).toBe('active');
  expect(dash.errors(page)).toEqual([]);
});

test('a start that failed is tried again once the service is back', async () => {
  const page = await dash.page();
  let isDown = true;
  await page.route('**/dashboard/session', (route) =>
    isDown ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
  );
  await page.reload();
  await page.getByRole('alert').waitFor();
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('region', { name: 'Cash on hand' }).waitFor();
});

test('a company that does not exist is named as such; another is shown only when it is chosen', async () => {
  const page = await dash.page();
  await page.goto(`${dash.dashboard_url}/?company=${other}`);
  await page.getByRole('region', { name: 'Cash on hand' }).waitFor();
  for (const wrong of ['co_00000000000000000000000000', 'nonsense']) {
    await page.goto(`${dash.dashboard_url}/transactions?company=${wrong}`);
    await page.getByRole('heading', { name: 'No such company', level: 1 }).waitFor();
    expect(await page.title()).toBe('No such company · finhook');
    expect(await page.evaluate(() => localStorage.getItem('company'))).toBe(other);
  }
  await page.getByLabel('Company').selectOption(dash.company_id);
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
  expect(searchOf(page).get('company')).toBe(dash.company_id);

  await page.goto(`${dash.dashboard_url}/?company=nonsense`);
  await page.getByRole('link', { name: 'see all companies' }).click();
  await page.getByRole('heading', { name: 'Companies', level: 1 }).waitFor();
  expect(searchOf(page).get('company')).toBe(null);
});

test('a company that could not be read for a moment is tried again, and no other takes its place', async () => {
  const page = await dash.page();
  let isDown = true;
  await page.route('**/trpc/**', (route) => (isDown ? route.abort() : route.continue()));
  // Only the read by id fails: the list is answered without the company.
  await page.route(/trpc\/companies\.list/, async (route) => {
    const response = await route.fetch();
    const body = JSON.stringify(await response.json()).replaceAll(other, 'co_hidden');
    await route.fulfill({ response, body });
  });
  await page.goto(`${dash.dashboard_url}/?company=${other}`);
  await page.getByRole('alert').waitFor({ timeout: 20_000 });
  expect(await page.getByRole('region', { name: 'Cash on hand' }).count()).toBe(0);
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('region', { name: 'Cash on hand' }).waitFor();
  expect(await page.getByLabel('Company').inputValue()).toBe(other);
});
