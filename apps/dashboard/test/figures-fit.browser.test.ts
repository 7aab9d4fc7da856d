// Risk: the end of an amount or day is cut off: $12,500,00… may be twelve or a hundred and twenty-five million.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Dashboard, openDashboard } from './dashboard-fixture.ts';

let dash: Dashboard;
let company: string;
beforeAll(async () => {
  dash = await openDashboard();
  company = await seed();
});
afterAll(() => dash.close());

const DAY_MS = 86_400_000;
const now = new Date();
const sums = [
  { amount_cents: 150_000_000_000, currency: 'IDR' },
  { amount_cents: 1_250_000_000, currency: 'USD' },
  { amount_cents: Number.MAX_SAFE_INTEGER, currency: 'USD' },
];

async function seed(): Promise<string> {
  const { id } = await dash.api('POST', '/companies', {
    name: 'Long Figures Inc',
    status: 'active',
    timezone: 'Pacific/Auckland',
  });
  for (const sum of sums)
    await dash.api('POST', `/companies/${id}/bank/wires`, {
      ...sum,
      beneficiary: { name: 'Landlord with a long name', account_last4: '4321' },
      memo: 'Rent of the whole of next year',
    });
  // In the current month and in whole months before it, so that every tile has figures.
  const transactions = [0, 40, 70].flatMap((back) =>
    sums.map(({ amount_cents, currency }, i) => ({
      external_id: `t${back}-${i}`,
      posted_at: new Date(now.getTime() - back * DAY_MS).toISOString(),
      amount_cents: -amount_cents,
      currency,
      description: 'Rent of the whole of next year',
    })),
  );
  await dash.api('POST', `/companies/${id}/bank/transactions`, { transactions });
  for (const [i, { amount_cents, currency }] of sums.entries())
    await dash.api('POST', `/companies/${id}/cash/balances`, {
      as_of: '2026-01-22',
      balance_cents: amount_cents,
      currency,
      connection_id: `operating account number ${i}`,
    });
  await dash.api('POST', `/companies/${id}/compliance/resync`, {});
  await dash.api('POST', `/companies/${id}/financials/snapshots`, {
    statement_type: 'income',
    period_start: '2026-01-01',
    period_end: '2026-01-31',
    currency: 'USD',
    totals: { revenue: Number.MAX_SAFE_INTEGER, net_income: Number.MAX_SAFE_INTEGER },
  });
  return id;
}

const pages = [
  ['overview', '/'],
  ['transactions', '/transactions'],
  ['balances', '/balances'],
  ['approvals', '/approvals'],
  ['wires', '/approvals?tab=wires'],
  ['filings', '/compliance?tab=filings'],
  ['financials', '/financials'],
  ['logs', '/logs'],
  ['requests', '/requests'],
] as const;

/** Elements that are clipped, or make the page wider than the window. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut = [...document.querySelectorAll('main time, main .tabular-nums')].filter((figure) => {
      const { left, right, width } = figure.getBoundingClientRect();
      // Skips text for screen readers, and short tables, which scroll.
      if (width <= 1 || figure.closest('.overflow-x-auto') !== null) return false;
      const { display } = getComputedStyle(figure);
      if (display !== 'inline' && figure.scrollWidth > figure.clientWidth) return true;
      for (let box = figure.parentElement; box !== null && box.tagName !== 'MAIN'; box = box.parentElement) {
        const edge = box.getBoundingClientRect();
        const ends = box.tagName === 'SECTION' || getComputedStyle(box).overflowX !== 'visible';
        if (ends && (right > edge.right + 1 || left < edge.left - 1)) return true;
      }
      return false;
    });
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...cut.map(({ textContent }) => textContent),
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : []),
    ];
  });
}

describe.each([390, 1024, 1280])('at %d px', (width) => {
  let page: Page;
  beforeAll(async () => {
    page = await dash.page({ width });
  });

  test.each(pages)('no sum, day or time of %s is cut off, and nothing scrolls sideways', async (name, path) => {
    await page.goto(`${dash.dashboard_url}${path}${path.includes('?') ? '&' : '?'}company=${company}`);
    await page.locator('main time:visible, main .tabular-nums:visible').first().waitFor();
    await expect.poll(() => page.getByRole('status', { name: /loading/i }).count()).toBe(0);
    await dash.screenshot(page, `figures-${name}-${width}`);
    expect(await cutOff(page)).toEqual([]);
  });
});
