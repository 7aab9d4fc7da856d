// Risk: a filter, a sum or a column shows other rows than the table says.
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { exportedFile, fitsWidth, settled, setUpDashboard } from './dashboard-fixture.ts';
import { createCompany, day, postTransactions } from './records.ts';

const dash = setUpDashboard();
let id: string;
beforeEach(async () => {
  id = await createCompany(dash.api, 'Tabled Inc', { timezone: 'America/New_York' });
  await postTransactions(
    dash.api,
    id,
    {
      description: 'Model usage',
      counterparty: 'Anthropic',
      amount_cents: -40_000,
      category: 'software',
      connection_id: 'card',
    },
    {
      description: 'Tokens',
      counterparty: 'Anthropic',
      amount_cents: -2_000,
      category: 'software',
      connection_id: 'card',
    },
    {
      description: 'Flight',
      counterparty: 'Airline',
      amount_cents: -64_033,
      category: 'travel',
      connection_id: 'card',
    },
    { description: 'Sale', amount_cents: 300_000, category: 'sales', connection_id: 'operating' },
    { description: 'Interest', amount_cents: 1_250, currency: 'EUR', posted_at: `${day(800)}T12:00:00Z` },
  );
});

const open = (path = '/transactions') => dash.open(path, { company: id });
const rowsOf = (page: Page): Locator =>
  page.getByRole('group', { name: 'Transactions', exact: true }).locator('.row-link');
const names = (page: Page) => rowsOf(page).allInnerTexts();
const totals = async (page: Page): Promise<string[]> =>
  (await page.getByRole('status', { name: 'Totals' }).innerText()).split('\n').filter((line) => line !== '');
const stored = async (): Promise<Record<string, string>[]> =>
  (await dash.api('GET', `/companies/${id}/bank/transactions?order=asc`)).data;

async function choose(page: Page, filter: string, ...values: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${filter}`) }).click();
  for (const value of values) await page.getByRole('listbox').getByRole('option', { name: value, exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
}

test('categories and accounts are chosen among those that rows have, stay in the URL, and the sums are those of the rows', async () => {
  const page = await open();
  await expect
    .poll(() => totals(page))
    .toEqual([
      '5 transactions',
      'EUR in €12.50 · out €0.00 · net €12.50',
      'USD in $3,000.00 · out $1,060.33 · net $1,939.67',
    ]);
  await choose(page, 'Category', 'travel', 'software');
  await expect.poll(() => names(page)).toHaveLength(3);
  await expect.poll(() => totals(page)).toEqual(['3 transactions', 'USD in $0.00 · out $1,060.33 · net -$1,060.33']);
  // Where the keyboard goes on.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('2 selected');
  await page.reload();
  await expect.poll(() => names(page)).toHaveLength(3);
  await choose(page, 'Category', 'software');
  await expect.poll(() => names(page)).toEqual(['Flight']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await choose(page, 'Account', 'Unassigned', 'operating');
  await expect.poll(() => names(page)).toEqual(['Sale', 'Interest']);
  expect((await exportedFile(page, 'NDJSON')).trim().split('\n')).toHaveLength(2);
  const sheet = await exportedFile(page, 'CSV for Excel');
  expect(sheet.trim().split('\r\n')).toHaveLength(3);
  expect(sheet).toContain(',3000.00,USD,');
});

test('a period is chosen by its name, the order is turned by the header, and times have their zone in it', async () => {
  const page = await open();
  await expect.poll(() => names(page)).toHaveLength(5);
  const posted = page.getByRole('columnheader', { name: /^Posted/ });
  expect([await posted.getAttribute('aria-sort'), await posted.innerText()]).toEqual([
    'descending',
    expect.stringMatching(/New York$/),
  ]);
  await posted.getByRole('button').click();
  await expect.poll(async () => (await names(page))[0]).toBe('Interest');
  expect(await posted.getAttribute('aria-sort')).toBe('ascending');
  const times = page.locator('tbody time');
  expect(await times.first().innerText()).toMatch(/^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d$/);
  await page.getByLabel('Period').selectOption('Year to date');
  await expect.poll(() => names(page)).not.toContain('Interest');
  await page.reload();
  await settled(page);
  expect(await page.getByLabel('Period').inputValue()).toBe('year_to_date');
  await page.getByLabel('Period').selectOption('Custom');
  await page.getByLabel('From').fill(day(801));
  await page.getByLabel('To', { exact: true }).fill(day(799));
  await expect.poll(() => names(page)).toEqual(['Interest']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => names(page)).toHaveLength(5);
  expect(await posted.getAttribute('aria-sort')).toBe('ascending');
});

test('the header of the amounts sorts by them with the keyboard, a third press by time again, and the address keeps it', async () => {
  const page = await open();
  await expect.poll(() => names(page)).toHaveLength(5);
  const orders = () =>
    Promise.all(
      [/^Posted/, /^Amount/].map((name) => page.getByRole('columnheader', { name }).getAttribute('aria-sort')),
    );
  const byTime = await names(page);
  const byAmount = ['Flight', 'Model usage', 'Tokens', 'Interest', 'Sale'];
  const amount = page.getByRole('columnheader', { name: /^Amount/ }).getByRole('button');
  await amount.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => names(page)).toEqual(byAmount.toReversed());
  expect(await orders()).toEqual([null, 'descending']);
  await page.keyboard.press('Enter');
  await expect.poll(() => names(page)).toEqual(byAmount);
  expect(new URL(page.url()).search).toContain('sort=amount_cents');
  await page.reload();
  await expect.poll(() => names(page)).toEqual(byAmount);
  expect(await orders()).toEqual([null, 'ascending']);
  expect(await violationsOf(page)).toEqual([]);
  // A file has the default order.
  const file = (await exportedFile(page, 'NDJSON')).trim().split('\n');
  expect(file.map((line) => JSON.parse(line).description)).toEqual(byTime);
  await amount.press('Space');
  await expect.poll(() => names(page)).toEqual(byTime);
  expect(await orders()).toEqual(['descending', null]);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toMatch(/^Amount/);
  await choose(page, 'Category', 'travel');
  await expect.poll(() => names(page)).toEqual(['Flight']);
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect.poll(() => names(page)).toEqual(byTime);
  expect(await focused()).not.toMatch(/^Amount/);
});

test('an open list of values, of columns and of categories has nothing that axe finds', async () => {
  const page = await open();
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('option', { name: 'operating' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Source' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Flight' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'software' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

test('columns are hidden and shown, and the browser remembers which', async () => {
  const page = await open();
  const titles = async () =>
    (await page.getByRole('columnheader').allInnerTexts()).map((title) => title.split(/\s/)[0]);
  await expect.poll(titles).toEqual(['Select', 'Posted', 'Description', 'Vendor', 'Category', 'Account', 'Amount']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Vendor' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Source' }).click();
  await page.keyboard.press('Escape');
  const chosen = ['Select', 'Posted', 'Description', 'Category', 'Account', 'Source', 'Amount'];
  await expect.poll(titles).toEqual(chosen);
  await page.reload();
  await expect.poll(titles).toEqual(chosen);
});

test('filters behind “More filters” are chips, which the keyboard removes, and the title says what is selected', async () => {
  const page = await open(
    `/transactions?month=${day(0).slice(0, 7)}&counts=true&counterparty_key=anthropic&source=api`,
  );
  await page.getByRole('heading', { name: /^\w+ \d{4} · Anthropic · counted in the figures · source api$/ }).waitFor();
  const chips = page.getByRole('list', { name: 'Set filters' }).getByRole('button');
  const texts = ['Counts in the figures: Yes', 'Vendor: Anthropic', 'Source: api'].map(
    (text) => `Remove filter ${text}`,
  );
  expect((await chips.allTextContents()).map((text) => text.replace('×', ''))).toEqual(texts);
  expect(await page.getByLabel('Source', { exact: true }).isVisible()).toBe(false);
  expect(await page.getByLabel('Period').locator('option:checked').innerText()).toMatch(/^Months: \w{3} \d{4}$/);
  expect(await violationsOf(page)).toEqual([]);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await chips.nth(1).focus();
  await page.keyboard.press('Enter');
  await expect.poll(focused).toContain('Source: api');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toContain('Counts in the figures');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('More filters');
  await expect.poll(() => chips.count()).toBe(0);
  await page.getByLabel('Period').selectOption('Any time');
  await page.getByRole('heading', { name: 'All transactions' }).waitFor();
  expect([...new URL(page.url()).searchParams.keys()]).toEqual(['company']);
});

test('what the figures count is cleared with its month, and the focus goes to a chip that stays', async () => {
  const path = '/transactions?month=2026-03&month_to=2026-04&counts=true&counted_as=transfer';
  const inAddress = (page: Page) => [...new URL(page.url()).searchParams.keys()];
  const page = await open(path);
  await page.getByText('More filters').click();
  await page.getByLabel('Counted in month').fill('');
  await expect.poll(() => inAddress(page)).toEqual(['company']);
  await page.getByLabel('Counted in month').fill('2026-03');
  await page.getByRole('heading', { name: 'March 2026', exact: true }).waitFor();

  const chipped = await open(`${path}&posted_from=2026-03-02&source=api`);
  await chipped.getByRole('button', { name: /^Remove filter Counted in/ }).press('Enter');
  await expect.poll(() => inAddress(chipped)).toEqual(['posted_from', 'source', 'company']);
  expect(await chipped.evaluate(() => document.activeElement?.textContent)).toContain('Source: api');
});

test('days begin as the months that were shown, and the totals say how much of them are transfers', async () => {
  const pair = { posted_at: '2026-03-10T12:00:00Z', category: 'internal_transfer' };
  await postTransactions(
    dash.api,
    id,
    { ...pair, external_id: 'p1', amount_cents: -5_000, connection_id: 'operating' },
    { ...pair, external_id: 'p2', amount_cents: 5_000, connection_id: 'card' },
    { posted_at: '2026-04-10T12:00:00Z', external_id: 'p3', amount_cents: -300 },
  );
  const page = await open('/transactions?month=2026-03&month_to=2026-04');
  await page.getByRole('heading', { name: 'March to April 2026' }).waitFor();
  await expect
    .poll(() => totals(page))
    .toEqual([
      '3 transactions',
      'USD in $50.00 · out $53.00 · net -$3.00 · average a month -$1.50 · of which transfers in $50.00, out $50.00',
    ]);
  await page.getByLabel('Period').selectOption('Custom');
  await page.getByRole('heading', { name: '1 Mar 2026 to 30 Apr 2026' }).waitFor();
  await expect
    .poll(() => totals(page))
    .toEqual(['3 transactions', 'USD in $50.00 · out $53.00 · net -$3.00 · of which transfers in $50.00, out $50.00']);
});

test('a search that finds nothing says where it looked, and an exact filter that upper and lower case matter', async () => {
  const page = await open('/transactions?q=evt_unknown');
  await page.getByText('The search “evt_unknown” looks in descriptions, vendors and external IDs.').waitFor();
  expect(await page.getByText('upper and lower case').count()).toBe(0);
  const exact = await open('/transactions?counterparty=anthropic');
  await exact.getByText('Vendor, source and external ID must match exactly, including upper and lower case.').waitFor();
});

test('a record that a link has opened leaves the focus in its row, and one that a row has opened in it', async () => {
  const [first] = await stored();
  const page = await open(`/transactions?open=${first?.['id'] ?? ''}`);
  const drawer = page.getByRole('dialog', { name: 'Transaction' });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await drawer.getByText('Received').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('Interest');
  await rowsOf(page).first().press('Enter');
  await drawer.getByText('Received').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  const [row] = await names(page);
  await expect.poll(focused).toBe(row);
});

test('a row of a short table opens its record on a press anywhere in it', async () => {
  await postTransactions(dash.api, id, {
    description: 'Flight',
    amount_cents: -5,
    connection_id: 'card',
    external_id: 't2',
  });
  const page = await open('/data-quality?tab=duplicates');
  const row = page.getByRole('table', { name: 'Changed duplicates' }).locator('tbody tr').first();
  await row.waitFor();
  const calm = await row.evaluate((element) => getComputedStyle(element).backgroundColor);
  const box = await row.locator('td').last().boundingBox();
  if (!box) throw new Error('The row has no cell.');
  await page.mouse.move(box.x + box.width - 4, box.y + 4);
  await expect.poll(() => row.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe(calm);
  await page.mouse.click(box.x + box.width - 4, box.y + 4);
  await page.getByRole('dialog', { name: 'Transaction' }).getByText('t2', { exact: true }).waitFor();
});

test.each([1024, 390])('at %i pixels each row names its account, and no cell is wider than the page', async (width) => {
  const page = await dash.open('/transactions', { company: id, width });
  await expect.poll(() => names(page)).toHaveLength(5);
  const row = rowsOf(page).filter({ hasText: 'Sale' }).locator('xpath=ancestor::tr');
  expect(await row.innerText()).toContain('operating');
  expect(await fitsWidth(page)).toBe(true);
});
