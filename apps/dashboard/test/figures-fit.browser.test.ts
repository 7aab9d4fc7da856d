// Risk: the end of an amount or day is cut off: $12,500,00… may be twelve or a hundred and twenty-five million.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Dashboard, fitsWidth, setUpDashboard } from './dashboard-fixture.ts';
import { createCompany, day, postBalance, postTransactions, requestWire } from './records.ts';

let company: string;
const dash = setUpDashboard({
  async seed({ api }) {
    company = await seed(api);
  },
});

const sums = [
  { amount_cents: 150_000_000_000, currency: 'IDR' },
  { amount_cents: 1_250_000_000, currency: 'USD' },
  { amount_cents: Number.MAX_SAFE_INTEGER, currency: 'USD' },
];

async function seed(api: Dashboard['api']): Promise<string> {
  const id = await createCompany(api, 'Long Figures Inc', { timezone: 'Pacific/Auckland' });
  const description = 'Rent of the whole of next year';
  const beneficiary = { name: 'Landlord with a long name', account_last4: '4321' };
  for (const [i, { amount_cents, currency }] of sums.entries()) {
    await requestWire(api, id, { amount_cents, currency, beneficiary, memo: description });
    const connection_id = `operating account number ${i}`;
    await postBalance(api, id, amount_cents, { as_of: '2026-01-22', currency, connection_id });
  }
  // In the current month and in whole months before it, so that every tile has figures.
  const rows = [0, 40, 70].flatMap((back) =>
    sums.map(({ amount_cents, currency }) => ({
      posted_at: `${day(back)}T00:00:00Z`,
      amount_cents: -amount_cents,
      currency,
      description,
    })),
  );
  await postTransactions(api, id, ...rows);
  await api('POST', `/companies/${id}/financials/snapshots`, {
    statement_type: 'income',
    period_start: '2026-01-01',
    period_end: '2026-01-31',
    currency: 'USD',
    totals: { revenue: Number.MAX_SAFE_INTEGER, net_income: Number.MAX_SAFE_INTEGER },
  });
  return id;
}

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
    return cut.map(({ textContent }) => textContent);
  });
}

test.each([
  '/',
  '/spending?period=last_12_months',
  '/transactions',
  '/approvals',
  '/approvals?tab=wires',
  '/financials',
])('no sum, day or time of %s is cut off, and nothing scrolls sideways, at any width', async (path) => {
  const page = await dash.open(path, { company });
  await page.locator('main time:visible, main .tabular-nums:visible').first().waitFor();
  for (const width of [1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    // Charts render again.
    await expect.poll(() => cutOff(page), { message: `${width} px` }).toEqual([]);
    await expect.poll(() => fitsWidth(page), { message: `${width} px` }).toBe(true);
  }
});
