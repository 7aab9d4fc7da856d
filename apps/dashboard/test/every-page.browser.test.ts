// Risk: a page fails, or is unusable in dark mode, with a screen reader, with a read key or on a phone.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contrastViolationsOf, darken, violationsOf } from './axe.ts';
import { type Dashboard, fitsWidth, navigate, setUpDashboard, startAt } from './dashboard-fixture.ts';
import { day, postTransactions, requestWire } from './records.ts';

const details: Record<string, string> = {};
const dash = setUpDashboard({ firstAccount: true, seed });

async function seed({ runDemo, api, company_id }: Dashboard): Promise<void> {
  await runDemo();
  const company = `/companies/${company_id}`;
  const agent = await api('POST', '/agents', { name: 'Bookkeeper', provider: 'acme', company_id });
  const case_ = await api('POST', `${company}/cases`, { title: 'A missing receipt' });
  await api('POST', `${company}/directives`, { title: 'Pay no invoices above 10 000' });
  await api('POST', `${company}/compliance/resync`, {});
  const connection = await api('POST', `${company}/bank/connections`, { provider: 'sandbox', currency: 'USD' });
  const endpoint = await api('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/hook', events: [] });
  const wire = await requestWire(api, company_id);
  const request = await api('POST', `/agents/${agent.id}/approvals`, {
    company_id,
    title: 'Change the bank details',
    payload: { old_iban: 'DE01', new_iban: 'DE02' },
    options: ['Change them', 'Ask by phone'],
  });
  await seedFindings(api);
  const login = await api('POST', '/device-authorization', { client_name: 'finhook on workstation' });
  const event = await api('GET', '/events?limit=1');
  const delivery = await api('GET', '/deliveries?limit=1');
  Object.assign(details, {
    company: company_id,
    agent: agent.id,
    wire: wire.id,
    request: request.id,
    case: case_.id,
    connection: connection.id,
    endpoint: endpoint.id,
    event: event.data[0].id,
    delivery: delivery.data[0].id,
    code: login.user_code,
  });
}

async function seedFindings(api: Dashboard['api']): Promise<void> {
  const { data } = await api('GET', '/companies?limit=1');
  details['demo'] = data[0].id;
  const row = { amount_cents: -123_456, connection_id: 'operating' };
  await postTransactions(api, data[0].id, row, { amount_cents: 123_456, connection_id: 'savings' });
  await postTransactions(api, data[0].id, { ...row, amount_cents: -123_457 });
  await api('POST', `/companies/${data[0].id}/financials/snapshots`, {
    statement_type: 'balance',
    period_end: day(0),
    currency: 'USD',
    totals: { total_assets: 500, total_liabilities: 100, total_equity: 300 },
  });
}

/** `:name` in a path is the id of that record. A read key is not offered the change, if there is one. */
const pages: ReadonlyArray<readonly [path: string, change: string]> = [
  ['/', ''],
  ['/spending', ''],
  [`/reports/${day(31).slice(0, 7)}`, ''],
  ['/transactions', 'Add transaction'],
  ['/transactions/import', 'Choose file'],
  ['/balances', 'Add balance'],
  ['/financials', 'Post statement'],
  ...['checks', 'stale', 'unexplained', 'duplicates', 'transfers', 'warnings'].map(
    (tab) => [`/data-quality?tab=${tab}`, ''] as const,
  ),
  ['/connections', 'Connect bank'],
  ['/connections/:connection', 'Store token'],
  ['/approvals', 'Record wire'],
  ['/approvals?tab=wires', 'Record wire'],
  ['/approvals/:wire', 'Cancel wire…'],
  ['/approvals/:request', 'Ask by phone…'],
  ['/companies', 'Create company'],
  ['/companies/:company', 'Save settings'],
  ['/compliance', 'Update obligations'],
  ['/compliance?tab=calendar', 'Update obligations'],
  ['/compliance?tab=obligations', 'Update obligations'],
  ['/compliance?tab=filings', 'Create filing'],
  ['/cases', 'Create case'],
  ['/cases/:case', 'Post comment'],
  ['/directives', 'Issue directive'],
  ['/agents', 'Create agent'],
  ['/agents/:agent?tab=companies', 'Attach to company'],
  ['/agents/:agent?tab=actions', 'Log action'],
  ['/agents/:agent?tab=approvals', 'Request approval'],
  ['/agents/:agent?tab=flags', 'Raise flag'],
  ['/settings/webhooks?tab=endpoints', 'Create endpoint'],
  ['/settings/webhooks?tab=deliveries', ''],
  ['/settings/webhooks?delivery=:delivery', ''],
  ['/settings/webhooks/:endpoint', 'Send test event'],
  ['/logs', ''],
  ['/requests', ''],
  ['/events/:event', 'Redeliver'],
  ['/settings/keys', 'Create key'],
  ['/settings/sessions', ''],
  ['/device', ''],
  ['/device?code=:code', 'Allow'],
];
const pathOf = (path: string) => path.replace(/:(\w+)/, (_, name) => details[name] ?? name);
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

describe('each page', () => {
  let page: Page;
  beforeAll(async () => {
    page = await dash.open('/companies', { company: details['demo'] ?? '' });
  });

  test.each(pages)(
    '%s has its title, no error, and nothing that axe finds, also in the dark on a phone',
    async (path, change) => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await navigate(page, pathOf(path));
      const title = await page.getByRole('heading', { level: 1 }).textContent();
      expect(title).not.toMatch(/not found|couldn’t/);
      expect((await page.title()).replace(/^\(\d+\) /, '')).toBe(`${title} · finhook`);
      if (change !== '') expect(await button(page, change).count()).toBeGreaterThan(0);
      expect(await violationsOf(page)).toEqual([]);
      // The rows of every list but that of the sessions open something.
      const lists = page.locator('[role="group"]:has(table[aria-rowcount] tbody td):not(:has(.row-link))');
      expect(await lists.count()).toBe(path === '/settings/sessions' ? 1 : 0);
      await page.setViewportSize({ width: 375, height: 900 });
      // Charts render again.
      await expect.poll(() => fitsWidth(page)).toBe(true);
      await startAt(page, pathOf(path));
      await expect.poll(() => fitsWidth(page)).toBe(true);
      await darken(page);
      expect(await contrastViolationsOf(page)).toEqual([]);
      expect(dash.errors(page)).toEqual([]);
    },
  );
});

describe('a read key is offered no change', () => {
  let page: Page;
  beforeAll(async () => {
    const { key } = await dash.api('POST', '/api-keys', { name: 'Reader', scope: 'read' });
    page = await dash.open('/companies', { key });
    await page.getByText('Viewer').waitFor();
  });
  afterAll(() => page.context().close());

  test.each(pages.filter(([, change]) => change !== ''))('on %s', async (path, change) => {
    await navigate(page, pathOf(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await button(page, change).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(dash.errors(page)).toEqual([]);
  });
});

test('an open menu and a message are in landmarks and have names', async () => {
  const page = await dash.open(`/cases/${details['case']}`);
  await page.getByRole('button', { name: 'Mark as waiting' }).click();
  await page.getByRole('dialog', { name: 'Notification' }).waitFor();
  await page.getByRole('button', { name: /Local account/ }).click();
  await page.getByRole('menu').waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

describe('a row', () => {
  let page: Page;
  const firstRow = (name: string) =>
    page.getByRole('group', { name }).last().locator('tbody tr:not([aria-hidden])').first();
  const background = (row: Locator) => row.evaluate((element) => getComputedStyle(element).backgroundColor);
  beforeAll(async () => {
    page = await dash.open('/companies', { width: 1440 });
  });

  /** Lists whose rows open a page, and one whose rows open a dialog. */
  test.each([
    ['/companies', 'Companies'],
    ['/directives', 'Directives'],
    ['/approvals?tab=wires', 'Wires'],
  ])('of %s is highlighted under the pointer, and opens on a press anywhere in it and on Enter', async (path, name) => {
    await navigate(page, `${path}${path.includes('?') ? '&' : '?'}company=${dash.company_id}`);
    const row = firstRow(name);
    const link = row.getByRole('link').or(row.getByRole('button')).first();
    await link.waitFor();
    const calm = await background(row);
    const box = await row.locator('td').last().boundingBox();
    if (!box) throw new Error('The row has no cell.');
    await page.mouse.move(box.x + 3, box.y + 3);
    await expect.poll(() => background(row)).not.toBe(calm);
    const before = page.url();
    await page.mouse.click(box.x + 3, box.y + 3);
    await expect.poll(() => page.url()).not.toBe(before);
    await page.goBack();
    await link.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).not.toBe(before);
  });

  test('that opens nothing is not highlighted', async () => {
    await navigate(page, '/settings/sessions');
    const row = firstRow('Sessions');
    await row.waitFor();
    const calm = await background(row);
    await row.hover();
    expect(await background(row)).toBe(calm);
  });
});
