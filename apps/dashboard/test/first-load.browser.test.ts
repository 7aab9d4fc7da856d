// Risk: the dashboard opens slowly because it loads an unused library or many small files.
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Dashboard, type Json, settled, setUpDashboard } from './dashboard-fixture.ts';

const budget = 200_000;
const dash = setUpDashboard({ seed });

/** The overview reads the flags of each agent. */
async function seed({ api, company_id }: Dashboard): Promise<void> {
  for (const name of ['Bookkeeper', 'Payables']) {
    const { id } = await api('POST', '/agents', { name, provider: 'acme', company_id });
    await api('POST', `/agents/${id}/flags`, { company_id, severity: 'critical', title: `${name} paid twice` });
  }
}

async function gzippedSize(url: string): Promise<number> {
  const response = await fetch(url);
  return gzipSync(new Uint8Array(await response.arrayBuffer())).length;
}

async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test("a loading text is shown before the scripts load, and while a page's files load", async () => {
  const page = await dash.page({ isolated: true });
  const release = await holdScripts(page);
  await page.goto(dash.dashboard_url, { waitUntil: 'commit' });
  await page.getByText('Loading the dashboard…').waitFor();
  release();
  await page.getByRole('region', { name: 'Cash on hand' }).waitFor();
  expect(await page.getByText('Loading the dashboard…').isVisible()).toBe(false);

  await page.setViewportSize({ width: 390, height: 900 });
  await page.getByRole('button', { name: 'Menu' }).click();
  const link = page.getByRole('link', { name: 'Directives' });
  await link.waitFor();
  const releaseNext = await holdScripts(page);
  await link.click();
  const progress = page.getByRole('status').filter({ hasText: 'Loading the page…' });
  await progress.waitFor();
  releaseNext();
  await page.getByRole('heading', { level: 1, name: 'Directives' }).waitFor();
  await progress.waitFor({ state: 'detached' });
  expect(dash.errors(page)).toEqual([]);
});

test('the overview opens with less than 200 kB of gzipped files, the typeface apart', async () => {
  const balance = { as_of: '2026-03-01', balance_cents: 1, currency: 'USD' };
  await dash.api('POST', `/companies/${dash.company_id}/cash/balances`, balance);
  const page = await dash.page({ isolated: true });
  const asked = new Set<string>();
  page.on('request', (request) => {
    // Static files only: API responses, one of which is the stream, do not count.
    const { pathname } = new URL(request.url());
    if (/^\/dashboard(\/assets\/.*|\/|\/[\w-]*\.\w+)?$/.test(pathname)) asked.add(request.url());
  });
  await page.goto(dash.dashboard_url);
  await page.getByRole('region', { name: 'Cash on hand' }).waitFor();
  await settled(page);
  // Text is shown before the typeface has come.
  const files = [...asked].filter((url) => !url.endsWith('.woff2'));
  const sizes = await Promise.all(files.map(async (url) => [url, await gzippedSize(url)] as const));
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(files.length).toBeGreaterThan(2);
  expect(total, JSON.stringify(sizes)).toBeGreaterThan(50_000);
  expect(total, JSON.stringify(sizes)).toBeLessThan(budget);
});

const maxRequests = 20;

/** The operations of a request with their inputs, of one to tRPC; else its address. */
function readsOf({ href, pathname, searchParams }: URL): string[] {
  const [, paths] = pathname.split('/trpc/');
  if (paths === undefined) return [href];
  const inputs: Json = JSON.parse(searchParams.get('input') ?? '{}');
  const isBatch = searchParams.has('batch');
  return paths.split(',').map((path, i) => `${path} ${JSON.stringify(isBatch ? inputs[i] : inputs)}`);
}

test.each([
  '/',
  '/agents',
  '/spending',
  '/transactions',
  '/financials',
  '/approvals',
  '/compliance',
  '/settings/webhooks',
  '/logs',
  '/requests',
])('a cold %s takes at most 20 requests', async (path) => {
  const page = await dash.page({ isolated: true });
  const asked: string[] = [];
  const known = new Set<string>();
  page.on('request', (request) => {
    // An image in the text of the styles costs none.
    if (request.url().startsWith('data:')) return;
    // A page that takes longer than its reads stay fresh repeats some.
    const reads = readsOf(new URL(request.url()));
    if (reads.some((read) => !known.has(read))) asked.push(request.url());
    for (const read of reads) known.add(read);
  });
  await page.goto(`${dash.dashboard_url}${path}`);
  await settled(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(asked.length, asked.join('\n')).toBeGreaterThan(5);
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(maxRequests);
});
