// Risk: paper has the rows of a list that a screen happens to show, and does not say that others are missing.
import { expect, onTestFinished, test } from 'vitest';
import { setUpDashboard } from './dashboard-fixture.ts';
import { postTransactions } from './records.ts';

const PAGE = 100;
const dash = setUpDashboard({
  async seed({ api, company_id }) {
    const rows = Array.from({ length: PAGE + 1 }, (_, i) => ({ description: `Row ${i}`, amount_cents: -100 - i }));
    await postTransactions(api, company_id, ...rows);
  },
});

test('paper has each loaded row of a long list, and says that the list has more', async () => {
  const page = await dash.open('/transactions');
  onTestFinished(() => page.emulateMedia({ media: null }));
  const rows = page.locator('tbody tr[aria-rowindex]');
  await rows.first().waitFor();
  expect(await rows.count()).toBeLessThan(PAGE);
  const onPaper = await page.evaluate(() => {
    dispatchEvent(new Event('beforeprint'));
    const printed = document.querySelectorAll('tbody tr[aria-rowindex]').length;
    dispatchEvent(new Event('afterprint'));
    return printed;
  });
  expect(onPaper).toBe(PAGE);
  await expect.poll(() => rows.count()).toBeLessThan(PAGE);

  await page.emulateMedia({ media: 'print' });
  await page.getByText('100 of 100 loaded rows. The list has more.').waitFor();
  expect(await rows.count()).toBe(PAGE);
  expect(await rows.last().isVisible()).toBe(true);
  // Filters say what a list is of; none that is set says nothing.
  const filters = page.getByRole('search', { name: 'Filter transactions' });
  expect(await filters.isVisible()).toBe(false);
  await page.emulateMedia({ media: null });
  await page.getByLabel('Direction').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Clear filters' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await filters.isVisible()).toBe(true);
  await page.emulateMedia({ media: null });
  await expect.poll(() => rows.count()).toBeLessThan(PAGE);
  expect(await page.getByText('loaded rows').count()).toBe(0);
});
