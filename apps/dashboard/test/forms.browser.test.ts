// Risk: a form that was refused once takes the page with it, loses what was typed or shown, or leaves the keyboard behind.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, openDashboard } from './dashboard-fixture.ts';

let dash: Dashboard;
let page: Page;
beforeAll(async () => {
  dash = await openDashboard();
  page = await dash.page();
});
afterAll(() => dash.close());

const go = (path: string) =>
  page.goto(`${dash.dashboard_url}${path}${path.includes('?') ? '&' : '?'}company=${dash.company_id}`);
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
/** Exceptions, which no test here brings about on purpose; a refusal is a line of the console by design. */
const exceptions = () => dash.errors(page).filter((error) => error.startsWith('exception'));

async function createEndpoint(url: string): Promise<void> {
  await dialog('Create endpoint').getByLabel('Address').fill(url);
  await dialog('Create endpoint').getByRole('button', { name: 'Create endpoint' }).click();
}

test('refused, corrected, created: the secret is shown', async () => {
  await go('/settings/webhooks');
  await press('Create endpoint');
  await createEndpoint('ftp://x');
  await dialog('Create endpoint').getByRole('alert').waitFor();
  await createEndpoint('http://127.0.0.1:9/corrected');
  const made = dialog('Endpoint created');
  expect(await made.getByLabel('Signing secret').textContent()).toMatch(/^whsec_/);
  await made.getByRole('button', { name: 'I have stored it' }).click();
  await made.waitFor({ state: 'detached' });
  expect(exceptions()).toEqual([]);
});

test('refused, cancelled: the page stays', async () => {
  await go('/settings/webhooks');
  await press('Create endpoint');
  await createEndpoint('ftp://x');
  await dialog('Create endpoint').getByRole('alert').waitFor();
  await dialog('Create endpoint').getByRole('button', { name: 'Cancel' }).click();
  await dialog('Create endpoint').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  expect(exceptions()).toEqual([]);
});

const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
const focusIsLost = () => page.evaluate(() => document.activeElement === document.body);

/** What closes a window by accident: Escape, and a press beside it. */
async function dismiss(): Promise<void> {
  await page.keyboard.press('Escape');
  await page.mouse.click(3, 3);
}

test('a secret or a key that is shown once is not lost by Escape or a press beside it, and reading begins at its heading', async () => {
  await go('/settings/webhooks');
  await press('Create endpoint');
  await createEndpoint('http://127.0.0.1:9/kept');
  await dialog('Endpoint created').getByLabel('Signing secret').waitFor();
  expect(await focused()).toBe('Endpoint created');
  await dismiss();
  expect(await dialog('Endpoint created').getByLabel('Signing secret').isVisible()).toBe(true);

  await go('/settings/keys');
  await press('Create key');
  await dialog('Create an API key').getByLabel('Name').fill('Kept');
  await dialog('Create an API key').getByRole('button', { name: 'Create key' }).click();
  await dialog('The key “Kept”').getByLabel('API key Kept').waitFor();
  expect(await focused()).toBe('The key “Kept”');
  await dismiss();
  expect(await dialog('The key “Kept”').getByLabel('API key Kept').isVisible()).toBe(true);
});

test('what was typed is not lost by Escape or a press beside the form; an untouched form closes', async () => {
  await go('/directives');
  await press('Issue directive');
  await dialog('Issue a directive').waitFor();
  await page.keyboard.press('Escape');
  await dialog('Issue a directive').waitFor({ state: 'detached' });
  await press('Issue directive');
  await page.getByLabel('What has to be done (optional)').fill('A long text');
  await dismiss();
  expect(await page.getByLabel('What has to be done (optional)').inputValue()).toBe('A long text');
  await dialog('Issue a directive').getByRole('button', { name: 'Cancel' }).click();
  await dialog('Issue a directive').waitFor({ state: 'detached' });
});
