// Risk: a small screen hides what matters: rows below filters, the end of names, buttons, and the bars that figures describe.
import { expect, test } from 'vitest';
import { setUpDashboard } from './dashboard-fixture.ts';
import { createCompany, day, postTransactions, requestWire } from './records.ts';

const dash = setUpDashboard();

test('on a phone, filters are behind one button with the count of those that are set', async () => {
  const page = await dash.open('/requests', { width: 390 });
  const button = page.getByRole('search', { name: 'Filter requests' }).getByRole('button', { name: /^Filters/ });
  const outcome = page.getByLabel('Outcome');
  expect(await button.getAttribute('aria-expanded')).toBe('false');
  expect(await outcome.isVisible()).toBe(false);
  await button.focus();
  await page.keyboard.press('Enter');
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  await outcome.selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Filters 1 active', exact: true }).waitFor();
  await button.click();
  expect(await outcome.isVisible()).toBe(false);
  expect(new URL(page.url()).searchParams.has('outcome')).toBe(true);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect([await button.isVisible(), await outcome.isVisible()]).toEqual([false, true]);
});

test.each([390, 1024])('at %i pixels a long name takes two lines and is not cut', async (width) => {
  await requestWire(dash.api, dash.company_id, {
    beneficiary: { name: 'Studio Marlow Interior Design', account_last4: '8841' },
  });
  const page = await dash.open('/approvals?tab=wires', { width });
  const name = page.getByRole('link', { name: 'Studio Marlow Interior Design' }).first();
  await name.waitFor();
  const isWhole = await name.evaluate((link) => {
    const cell = link.closest('td > *');
    return cell !== null && cell.scrollWidth <= cell.clientWidth && cell.scrollHeight <= cell.clientHeight;
  });
  expect(isWhole).toBe(true);
});

test('on a phone, the actions of a row are in view', async () => {
  const agent = await dash.api('POST', '/agents', {
    name: 'Clerk',
    provider: 'acme',
    company_id: dash.company_id,
  });
  const page = await dash.open(`/agents/${agent.id}?tab=companies`, { width: 390 });
  const detach = page.getByRole('button', { name: /^Detach/ });
  await detach.waitFor();
  expect(await detach.evaluate((button) => button.getBoundingClientRect().right <= innerWidth)).toBe(true);
});

test('a page that describes a record has no name without a value', async () => {
  const { id } = await dash.api('POST', `/companies/${dash.company_id}/bank/connections`, {
    provider: 'example_bank',
    currency: 'USD',
  });
  const page = await dash.open(`/connections/${id}`, { width: 390 });
  const values = page.getByRole('definition');
  await values.first().waitFor();
  expect((await values.allTextContents()).filter((text) => text.trim() === '')).toEqual([]);
});

test('on a phone, the figures of a month do not cover its bars', async () => {
  await postTransactions(dash.api, dash.company_id, { amount_cents: -12_345 });
  const page = await dash.open('/', { width: 390 });
  const slider = page.getByRole('slider', { name: /money in and out/ });
  await slider.focus();
  const chart = slider.locator('..');
  const figures = chart.locator('dl');
  await figures.waitFor();
  const [top, bottom] = await Promise.all([
    figures.evaluate((list) => list.getBoundingClientRect().top),
    chart
      .locator('svg')
      .first()
      .evaluate((plot) => plot.getBoundingClientRect().bottom),
  ]);
  expect(top).toBeGreaterThanOrEqual(bottom);
});

test('on a phone, the first tap on a month shows its figures, and the second opens its transactions', async () => {
  const company = await createCompany(dash.api, 'Tapped');
  const before = { amount_cents: -9000, posted_at: `${day(40)}T12:00:00Z` };
  await postTransactions(dash.api, company, { amount_cents: -12_345 }, before);
  const page = await dash.open('/', { company, width: 390, touch: true });
  const chart = page.getByRole('slider', { name: /money in and out/ }).locator('..');
  // Those of money out.
  const bars = chart.locator('g.cursor-pointer').last().locator('rect');
  await bars.first().waitFor();
  const figures = chart.locator('dl');
  await bars.last().tap();
  await figures.getByText('$123.45').first().waitFor();
  await bars.first().tap();
  await figures.getByText('$90.00').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/dashboard/');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).tap();
  await figures.waitFor({ state: 'detached' });
  await bars.first().tap();
  await figures.waitFor();
  await bars.first().tap();
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get('month')).toBe(day(40).slice(0, 7));
});

test('on a phone, what a figure opens has title, totals and the first row on the first screen', async () => {
  await postTransactions(dash.api, dash.company_id, {
    external_id: 'hosting',
    posted_at: `${day(40)}T12:00:00Z`,
    description: 'Hosting',
    category: 'cloud_hosting',
  });
  const month = day(40).slice(0, 7);
  const search = `month=${month}&month_to=${month}&counts=true&category_key=cloud_hosting&direction=out&currency=USD`;
  const page = await dash.open(`/transactions?${search}`, { width: 390 });
  const totals = page.getByRole('status', { name: 'Totals' });
  await totals.getByText('1 transaction', { exact: true }).waitFor();
  const parts = [
    page.getByRole('heading', { name: / · Cloud hosting · money out · counted in the figures · USD$/ }),
    totals,
    page.getByRole('link', { name: 'Hosting' }),
  ];
  const ends = await Promise.all(parts.map((part) => part.boundingBox()));
  const bottoms = ends.map((box) => (box ? box.y + box.height : Number.NaN));
  expect(bottoms).toEqual(bottoms.toSorted((one, other) => one - other));
  expect(bottoms.at(-1)).toBeLessThanOrEqual(844);
  // The category has no column on a phone.
  expect(await page.getByRole('row').filter({ hasText: 'Hosting' }).innerText()).toContain('cloud_hosting');
});
