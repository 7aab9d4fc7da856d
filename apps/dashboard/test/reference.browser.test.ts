// Risk: the API reference stays empty under its CSP, or reveals its reader or their key to a third party.
import { operations } from '@finhook/contracts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, openDashboard } from './dashboard-fixture.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await openDashboard();
});
afterAll(() => dash.close());

const { summary } = operations.companies.create;

/** Opens the reference at the service's URL; also returns the page's requests to other hosts. */
async function openReference(width: number): Promise<{ page: Page; askedElsewhere: readonly string[] }> {
  const page = await dash.page({ key: null, width });
  const askedElsewhere: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== dash.api_url) askedElsewhere.push(request.url());
  });
  await page.goto(dash.api_url);
  expect(new URL(page.url()).pathname).toBe('/docs');
  await page.getByRole('heading', { name: 'finhook', exact: true }).waitFor();
  return { page, askedElsewhere };
}

test.each([390, 1440])(
  'at %i px every operation is found by its group and read, and nobody else is asked',
  async (width) => {
    const { page, askedElsewhere } = await openReference(width);
    if (width < 1_000) await page.getByRole('button', { name: 'Open Menu' }).click();
    await page.getByRole('button', { name: 'Open Group - Companies', exact: true }).click();
    await dash.screenshot(page, `reference-menu-${width}`, { fullPage: false });
    await page.getByRole('link', { name: summary }).first().click();
    const heading = page.getByRole('heading', { name: summary });
    await heading.waitFor();
    await page.getByText('a forming company gets the formation steps of its entity type').waitFor();
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(400);
    await dash.screenshot(page, `reference-${width}`, { fullPage: false });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await page.getByText('Loading the API reference…').isVisible()).toBe(false);
    expect(dash.errors(page)).toEqual([]);
    expect(askedElsewhere).toEqual([]);
  },
);

test('a request is tried with a key against this service alone, and the key is kept nowhere', async () => {
  const { page, askedElsewhere } = await openReference(1_440);
  await page
    .getByRole('button', { name: /^Test Request/ })
    .first()
    .click();
  const client = page.getByRole('dialog');
  await client.getByPlaceholder('Token').fill(dash.api_key);
  await client.getByRole('button', { name: /^Send/ }).first().click();
  await client.getByText('200 OK').waitFor();
  await client.getByText('"Local account"').waitFor();
  await dash.screenshot(page, 'reference-tried', { fullPage: false });
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

test('the API reference leads to the dashboard', async () => {
  const { page } = await openReference(390);
  await page.getByRole('navigation', { name: 'finhook' }).getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in');
});
