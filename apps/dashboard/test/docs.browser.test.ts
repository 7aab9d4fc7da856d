// Risk: the documentation is unreadable on a phone or in the dark, needs a mouse or a script, or reveals its reader or their key to a third party.
import { operations } from '@finhook/contracts';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { contrastViolationsOf, darken, violationsOf } from './axe.ts';
import { fitsWidth, setUpDashboard } from './dashboard-fixture.ts';

const dash = setUpDashboard();

const upsert = operations.cash.balances.upsert;

let page: Page;
const askedElsewhere: string[] = [];
beforeAll(async () => {
  page = await dash.page({ key: null });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== dash.api_url) askedElsewhere.push(request.url());
  });
});

async function open(path: string, width: number): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${dash.api_url}${path}`);
}

test.each([
  '/docs',
  '/docs/api',
  `/docs/api/${upsert.id}`,
  '/docs/events',
  '/docs/events/bank.balance.updated',
  '/docs/errors',
  '/docs/errors/connection_owned',
  '/docs/receiving-webhooks',
  '/docs/search?q=runway',
])('%s fits a phone and a desk, axe finds nothing in either theme, nobody else is asked', async (path) => {
  await open(path, 1_440);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await fitsWidth(page)).toBe(true);
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await fitsWidth(page)).toBe(true);
  expect(await violationsOf(page)).toEqual([]);
  await darken(page);
  expect(await contrastViolationsOf(page)).toEqual([]);
  expect(dash.errors(page)).toEqual([]);
  expect(askedElsewhere).toEqual([]);
});

test('the address of the service leads to the start page, whose first link skips the navigation', async () => {
  await open('/', 1_440);
  expect(new URL(page.url()).pathname).toBe('/docs');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(new URL(page.url()).hash).toBe('#main');
});

test('on a phone the navigation opens, and leads to an operation', async () => {
  await open(`/docs/api/${operations.cash.onHand.id}`, 390);
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: upsert.summary }).click();
  await page.getByRole('heading', { name: upsert.summary }).waitFor();
});

test('the search finds an operation with the keyboard alone', async () => {
  await open('/docs', 1_440);
  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: 'Search the documentation' });
  await search.pressSequentially('cash balance');
  const option = page.getByRole('option', { name: upsert.summary });
  await option.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  expect(await search.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: upsert.summary }).waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('without a script the search is a page, and code is readable', async () => {
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  const plain = await context?.newPage();
  await plain?.goto(`${dash.api_url}/docs`);
  await plain?.getByRole('searchbox').fill('cash balance');
  await plain?.getByRole('searchbox').press('Enter');
  await plain?.getByRole('link', { name: upsert.summary }).click();
  expect(await plain?.locator('.sample pre').first().isVisible()).toBe(true);
  await context?.close();
});

test('“Try it” opens the very operation, tries it with a key against this service alone, and keeps the key nowhere', async () => {
  const { id, summary } = operations.companies.list;
  await open(`/docs/api/${id}`, 390);
  await page.getByRole('link', { name: 'Try it' }).click();
  const heading = page.getByRole('heading', { name: summary });
  await heading.waitFor();
  await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(400);
  expect(await fitsWidth(page)).toBe(true);

  await page.setViewportSize({ width: 1_440, height: 900 });
  await page
    .getByRole('region', { name: summary })
    .getByRole('button', { name: /^Test Request/ })
    .click();
  const client = page.getByRole('dialog');
  await client.getByPlaceholder('Token').fill(dash.api_key);
  await client.getByRole('button', { name: /^Send/ }).first().click();
  await client.getByText('200 OK').waitFor();
  await client.getByText('"Local account"').waitFor();
  const kept = await page.evaluate(async () =>
    JSON.stringify([history.state, localStorage, sessionStorage, document.cookie, await indexedDB.databases()]),
  );
  expect(kept).toMatch(/,\{\},\{\},"",\[\]\]$/);
  expect(kept).not.toContain(dash.api_key);
  expect(page.url()).not.toContain(dash.api_key);
  expect(dash.errors(page)).toEqual([]);
  expect(askedElsewhere).toEqual([]);

  await page.keyboard.press('Escape');
  const bar = page.getByRole('navigation', { name: 'finhook' });
  expect(await bar.getByRole('link', { name: 'Reference' }).getAttribute('href')).toBe('/docs/api');
  await bar.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
