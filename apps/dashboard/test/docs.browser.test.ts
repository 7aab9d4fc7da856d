// Risk: the documentation is unreadable on a phone or in the dark, needs a mouse or a script, or reveals its reader or their key to a third party.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { contrastViolationsOf, darken, violationsOf } from './axe.ts';
import { fitsWidth, setUpDashboard } from './dashboard-fixture.ts';

const dash = setUpDashboard();

const upsert = operations.cash.balances.upsert;

/** A page without a sign-in; also returns its requests to other hosts. */
async function openPage(path: string, options: { width: number }) {
  const page = await dash.page({ key: null, ...options });
  const askedElsewhere: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== dash.api_url) askedElsewhere.push(request.url());
  });
  await page.goto(`${dash.api_url}${path}`);
  return { page, askedElsewhere };
}

/** One page of each template. */
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
  const { page, askedElsewhere } = await openPage(path, { width: 1_440 });
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
  const { page } = await openPage('/', { width: 1_440 });
  expect(new URL(page.url()).pathname).toBe('/docs');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(new URL(page.url()).hash).toBe('#main');
});

test('on a phone the navigation opens, and leads to an operation', async () => {
  const { page } = await openPage(`/docs/api/${operations.cash.onHand.id}`, { width: 390 });
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: upsert.summary }).click();
  await page.getByRole('heading', { name: upsert.summary }).waitFor();
});

test('the search finds an operation with the keyboard alone', async () => {
  const { page } = await openPage('/docs', { width: 1_440 });
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
  const context = await (await dash.page({ key: null })).context().browser()?.newContext({ javaScriptEnabled: false });
  const page = await context?.newPage();
  await page?.goto(`${dash.api_url}/docs`);
  await page?.getByRole('searchbox').fill('cash balance');
  await page?.getByRole('searchbox').press('Enter');
  await page?.getByRole('link', { name: upsert.summary }).click();
  expect(await page?.locator('.sample pre').first().isVisible()).toBe(true);
  await context?.close();
});

test('an operation is tried with a key against this service alone, and the key is kept nowhere', async () => {
  const { page, askedElsewhere } = await openPage(`/docs/api/${operations.me.get.id}`, { width: 1_440 });
  await page.getByRole('link', { name: 'Try it' }).click();
  const heading = page.getByRole('heading', { name: operations.me.get.summary });
  await heading.waitFor();
  await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(400);
  await page
    .getByRole('button', { name: /^Test Request/ })
    .first()
    .click();
  const client = page.getByRole('dialog');
  await client.getByPlaceholder('Token').fill(dash.api_key);
  await client.getByRole('button', { name: /^Send/ }).first().click();
  await client.getByText('200 OK').waitFor();
  await client.getByText('"Local account"').waitFor();
  const kept = await page.evaluate(async () =>
    JSON.stringify([localStorage, sessionStorage, document.cookie, await indexedDB.databases()]),
  );
  expect(kept).toBe('[{},{},"",[]]');
  expect(page.url()).not.toContain(dash.api_key);
  await page.reload();
  await page.getByPlaceholder('Token').first().waitFor();
  expect(await page.getByPlaceholder('Token').first().inputValue()).toBe('');
  expect(dash.errors(page)).toEqual([]);
  expect(askedElsewhere).toEqual([]);
});

test('on a phone “Try it” opens the very operation, and the console leads back', async () => {
  const { page } = await openPage(`/docs/api/${operations.companies.dissolve.id}`, { width: 390 });
  await page.getByRole('link', { name: 'Try it' }).click();
  const heading = page.getByRole('heading', { name: operations.companies.dissolve.summary });
  await heading.waitFor();
  await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(400);
  expect(await fitsWidth(page)).toBe(true);
  expect(dash.errors(page)).toEqual([]);
  const bar = page.getByRole('navigation', { name: 'finhook' });
  expect(await bar.getByRole('link', { name: 'Reference' }).getAttribute('href')).toBe('/docs/api');
  await bar.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
