// Risk: a plan is forecast in another currency, or for another company, than it was made in, or its answer is of no forecast.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { fitsWidth, navigate, setUpDashboard } from './dashboard-fixture.ts';
import { createCompany, postBalance, postMonths } from './records.ts';

const dash = setUpDashboard();

const tile = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const post = (company: string, cents: number, fields: object = {}) => postBalance(dash.api, company, cents, fields);

/** The line on top of the forecast. */
const answerOf = (dialog: Locator) => dialog.getByRole('status').filter({ hasText: 'Runway' });

async function addGrant(dialog: Locator, currency: string): Promise<void> {
  await dialog.getByLabel('What changes').fill('A grant');
  await dialog.getByLabel(`Amount (${currency})`).fill('60000');
  await dialog.getByLabel('Direction').selectOption('in');
  await dialog.getByLabel('How often').selectOption('once');
  await dialog.getByRole('button', { name: 'Add change' }).click();
}

test('what if: a change moves the runway, stays in the address when the forecast is closed, and Back opens it again', async () => {
  const company = await createCompany(dash.api, 'Planning');
  await post(company, 12_000_000);
  await postMonths(dash.api, company, 'operating');
  const page = await dash.open('/', { company });
  const runway = tile(page, 'Runway');
  await runway.getByRole('link', { name: 'What if?', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'What if?' });
  await answerOf(dialog).getByText('6.0 months', { exact: true }).waitFor();
  await addGrant(dialog, 'USD');
  const changes = dialog.getByRole('list', { name: 'Changes' });
  await changes.getByText('+$60,000.00').waitFor();
  // 120,000 and 60,000 more at 20,000 a month.
  const answer = /^Runway 6\.0 .* 9\.0 months, cash out \d+ \w+ \d+ .* \d+ \w+ \d+$/;
  await expect.poll(async () => (await answerOf(dialog).innerText()).replaceAll(/\s+/g, ' ')).toMatch(answer);
  const isFocused = () => dialog.getByLabel('What changes').evaluate((field) => field === document.activeElement);
  await expect.poll(isFocused).toBe(true);
  await dialog
    .locator('svg')
    .getByText(/^Cash out \d/)
    .waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText())).searchParams;
  expect([copied.get('company'), copied.get('what_if'), copied.get('changes_in')]).toEqual([company, 'open', 'USD']);
  expect(copied.get('changes')).toContain('A grant');
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 700 });
  await dialog.getByText('Show as table').scrollIntoViewIfNeeded();
  expect((await answerOf(dialog).boundingBox())?.y).toBeGreaterThan(0);
  expect(await fitsWidth(page)).toBe(true);

  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await runway.getByRole('link', { name: 'What if? 1 change' }).waitFor();
  await page.goBack();
  await changes.getByText('A grant').waitFor();
  await page.reload();
  await changes.getByRole('button', { name: 'Remove A grant' }).click();
  await changes.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await runway.getByRole('link', { name: 'What if?', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.has('changes')).toBe(false);
  expect(dash.errors(page)).toEqual([]);
});

test('without exchange rates each currency has its runway in one size, the first to run out leads, and a plan is made in either', async () => {
  const company = await createCompany(dash.api, 'Two homes');
  await post(company, 12_000_000, { connection_id: 'Home' });
  await post(company, 3_000_000, { connection_id: 'Berlin', currency: 'EUR' });
  await postMonths(dash.api, company, 'Home');
  await postMonths(dash.api, company, 'Berlin', { currency: 'EUR' });
  const page = await dash.open('/', { company });
  const runway = tile(page, 'Runway');
  await runway.getByText('6.0 months').waitFor();
  const text = (await runway.innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('1.5 months EUR (Berlin), which runs out first 6.0 months USD (Home)');
  const sizeOf = (figure: string) => runway.getByText(figure).evaluate((shown) => getComputedStyle(shown).fontSize);
  expect(await sizeOf('6.0 months')).toBe(await sizeOf('1.5 months'));
  await tile(page, 'Last 12 months').waitFor();
  expect(await page.getByText('No total: a current exchange rate is missing').count()).toBe(1);
  expect(await violationsOf(page)).toEqual([]);

  await runway.getByRole('link', { name: 'What if?' }).click();
  const dialog = page.getByRole('dialog', { name: 'What if?' });
  await dialog.getByLabel('Currency').selectOption('USD');
  await addGrant(dialog, 'USD');
  await expect.poll(() => answerOf(dialog).innerText()).toMatch(/^USD: Runway 6\.0 [^]* 9\.0 months/);
  expect(await dialog.getByLabel('Currency').isDisabled()).toBe(true);
  expect(dash.errors(page)).toEqual([]);
});

const hires = JSON.stringify([['Two engineers', -4_500_000, 'month', '2027-01']]);

test('changes stay with the company that they were made for, and with their currency', async () => {
  const [home, abroad] = [
    await createCompany(dash.api, 'Home'),
    await createCompany(dash.api, 'Abroad', { base_currency: 'GBP' }),
  ];
  await post(home, 12_000_000);
  await postMonths(dash.api, home, 'operating');
  await post(abroad, 12_000_000, { currency: 'GBP' });
  await postMonths(dash.api, abroad, 'operating', { currency: 'GBP' });
  const plan = new URLSearchParams({ changes: hires, changes_in: 'USD' });
  const page = await dash.open(`/?${plan}`, { company: home });
  const runway = tile(page, 'Runway');
  await runway.getByRole('link', { name: 'What if? 1 change' }).waitFor();
  await page.getByLabel('Company').selectOption(abroad);
  await runway.getByRole('link', { name: 'What if?', exact: true }).waitFor();
  expect([...new URL(page.url()).searchParams]).toEqual([['company', abroad]]);

  await navigate(page, `/?${plan}&what_if=open&company=${abroad}`);
  const dialog = page.getByRole('dialog', { name: 'What if?' });
  await dialog.getByText('The changes of this address are in USD').waitFor();
  await answerOf(dialog).getByText('6.0 months', { exact: true }).waitFor();
  expect(await dialog.getByRole('list', { name: 'Changes' }).count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
});

test('a forecast that fails has no answer, because that of the plan without changes is another', async () => {
  const company = await createCompany(dash.api, 'Failing');
  await post(company, 12_000_000);
  await postMonths(dash.api, company, 'operating');
  const page = await dash.page();
  let isBroken = true;
  await page.route('**/trpc/**', async (route) => {
    const isPlan = route.request().postData()?.includes('Two engineers') === true;
    if (isBroken && isPlan) await route.abort();
    else await route.continue();
  });
  const plan = new URLSearchParams({ company, what_if: 'open', changes: hires, changes_in: 'USD' });
  await page.goto(`${dash.dashboard_url}/?${plan}`);
  const dialog = page.getByRole('dialog', { name: 'What if?' });
  await dialog.getByRole('alert').waitFor({ timeout: 20_000 });
  expect(await answerOf(dialog).count()).toBe(0);
  isBroken = false;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await answerOf(dialog).getByText('becomes').first().waitFor({ state: 'attached' });
});
