// Risk: a list of many thousand rows skips some, has no end, or fills the memory of the page.
import { chromiumBinary } from '@finhook/testing';
import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { type Json, openDashboard, settled } from './dashboard-fixture.ts';

/** Numbers of the first and last visible rows. */
const seen = (frame: Locator): Promise<[first: number, last: number]> =>
  frame.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll('tbody tr[aria-rowindex]')].filter((row) => {
      const place = row.getBoundingClientRect();
      return place.top < bottom && place.bottom > top + 40;
    });
    const number = (row: Element | undefined): number => Number(row?.getAttribute('aria-rowindex')) - 2;
    return [number(rows[0]), number(rows.at(-1))];
  });

test.runIf(chromiumBinary() !== null)(
  'twenty thousand rows scroll to their end and back by keyboard, with a heap that stays flat',
  {
    timeout: 600_000,
  },
  async () => {
    const { dash } = await openDashboard();
    onTestFinished(() => dash.close());
    const { id }: Json = await dash.api('POST', '/companies', {
      name: 'Long Inc',
      status: 'active',
      timezone: 'UTC',
    });
    const count = 20_250;
    const start = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: Math.min(500, count - from) }, (_, i) => ({
        external_id: `row-${from + i}`,
        amount_cents: -100,
        currency: 'USD',
        posted_at: new Date(start - (from + i) * 60_000).toISOString(),
        description: `Row ${from + i}`,
      }));
      await dash.api('POST', `/companies/${id}/bank/transactions`, { transactions: rows });
    }
    const page = await dash.page();
    await page.goto(`${dash.dashboard_url}/transactions?company=${id}`);
    const frame = page.getByRole('group', { name: 'Transactions', exact: true });
    await frame.getByText('Row 0', { exact: true }).waitFor();
    const heap = (): Promise<number> =>
      page.evaluate(() => Reflect.get(Reflect.get(performance, 'memory'), 'usedJSHeapSize'));
    const first = await heap();
    await frame.focus();
    // While more rows can be read, their number is unknown.
    while ((await frame.getByRole('table').getAttribute('aria-rowcount')) === '-1') {
      await page.keyboard.press('End');
      await settled(page);
    }
    await page.keyboard.press('End');
    await frame.getByText(`Row ${count - 1}`, { exact: true }).waitFor();
    await page.getByRole('status', { name: 'Totals' }).getByText('20,250 transactions', { exact: true }).waitFor();
    expect(await heap()).toBeLessThan(first + 40e6);

    // Scrolling up skips no rows.
    let [top] = await seen(frame);
    while (top > 9_000) {
      await frame.evaluate((element) => {
        element.scrollBy(0, -440 * 44);
        // The rows are rendered in the frame after the scroll event.
        return new Promise<number>((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      });
      const [next, last] = await seen(frame);
      expect(top - next).toBeLessThanOrEqual(441);
      expect(last).toBeGreaterThan(next);
      top = next;
    }
    await frame.getByText(`Row ${top + 2}`, { exact: true }).waitFor();
    await page.keyboard.press('Home');
    await frame.getByText('Row 0', { exact: true }).waitFor();
    expect((await seen(frame))[0]).toBe(0);
  },
);
