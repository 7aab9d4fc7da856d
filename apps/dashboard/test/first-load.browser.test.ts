// Risk: a dashboard that is slow to open because the charts, or a library nobody asked for, come along with it.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, openDashboard } from './dashboard-fixture.ts';

const budget = 200_000;

let dash: Dashboard;
beforeAll(async () => {
  dash = await openDashboard();
});
afterAll(() => dash.close());

async function gzippedSize(url: string): Promise<number> {
  const response = await fetch(url);
  return gzipSync(new Uint8Array(await response.arrayBuffer())).length;
}

test('the overview opens with less than 200 kB of gzipped files, the charts apart', async () => {
  const page = await dash.page();
  const asked = new Set<string>();
  page.on('request', (request) => {
    // What the service serves as files; its answers to calls, of which one is the stream, are none.
    const { pathname } = new URL(request.url());
    if (/^\/dashboard(\/assets\/.*|\/|\/[\w-]*\.\w+)?$/.test(pathname)) asked.add(request.url());
  });
  await page.goto(dash.dashboard_url);
  await page.getByRole('region', { name: 'Cash on hand' }).waitFor();
  await expect.poll(() => [...asked].some((url) => /plot/.test(url)), { timeout: 10_000 }).toBe(true);
  const files = [...asked].filter((url) => !/plot/.test(url));
  const sizes = await Promise.all(files.map(async (url) => [url, await gzippedSize(url)] as const));
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(files.length).toBeGreaterThan(2);
  expect(total, JSON.stringify(sizes)).toBeGreaterThan(50_000);
  expect(total, JSON.stringify(sizes)).toBeLessThan(budget);
});
