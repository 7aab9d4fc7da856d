// Risk: a dashboard that is slow to open because the charts, or a library nobody asked for, come along with it.
import { gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, openDashboard } from './dashboard-fixture.ts';

const budget = 200_000;

let dash: Dashboard;
beforeAll(async () => {
  dash = await openDashboard();
});
afterAll(() => dash.close());

test('the overview opens with less than 200 kB of gzipped files, the charts apart', async () => {
  const page = await dash.page();
  const answers: Response[] = [];
  page.on('response', (response) => void answers.push(response));
  await page.goto(dash.dashboard_url);
  await page.getByRole('region', { name: 'Cash on hand' }).waitFor();
  await page.waitForTimeout(1_000);
  const files = answers.filter(
    (answer) => answer.status() === 200 && /\/dashboard\/(assets\/|$|[\w.]+$)/.test(new URL(answer.url()).pathname),
  );
  const sizes = await Promise.all(
    files.map(async (answer) => [new URL(answer.url()).pathname, gzipSync(await answer.body()).length] as const),
  );
  const plots = sizes.filter(([path]) => /plot|chart/i.test(path));
  const first = sizes.filter(([path]) => !/plot|chart/i.test(path));
  const total = first.reduce((sum, [, size]) => sum + size, 0);
  expect(total, JSON.stringify(sizes)).toBeLessThan(budget);
  expect(first.length).toBeGreaterThan(2);
  expect(plots.length).toBeGreaterThan(0);
});
