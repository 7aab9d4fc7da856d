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
const pathOf = (page: Page) => new URL(page.url()).pathname;

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
