// Risk: a page fails, or is unusable in dark mode, with a screen reader or on a phone.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { type Dashboard, openDashboard } from './dashboard-fixture.ts';

let dash: Dashboard;
const details: Record<string, string> = {};

beforeAll(async () => {
  dash = await openDashboard({ firstAccount: true });
  await dash.run('demo.ts');
  await seedDetails();
}, 120_000);
afterAll(() => dash.close());

async function seedDetails(): Promise<void> {
  const company = `/companies/${dash.company_id}`;
  const agent = await dash.api('POST', '/agents', {
    name: 'Bookkeeper',
    provider: 'acme',
    company_id: dash.company_id,
  });
  const case_ = await dash.api('POST', `${company}/cases`, { title: 'A missing receipt' });
  await dash.api('POST', `${company}/directives`, { title: 'Pay no invoices above 10 000' });
  await dash.api('POST', `${company}/compliance/resync`, {});
  const connection = await dash.api('POST', `${company}/bank/connections`, { provider: 'sandbox', currency: 'USD' });
  const endpoint = await dash.api('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/hook', events: [] });
  await dash.api('POST', `${company}/bank/wires`, {
    amount_cents: 2_000_000_00,
    currency: 'USD',
    beneficiary: { name: 'Landlord', account_last4: '4321' },
  });
  await seedFindings();
  const login = await dash.api('POST', '/device-authorization', { client_name: 'finhook on workstation' });
  const event = await dash.api('GET', '/events?limit=1');
  Object.assign(details, {
    company: dash.company_id,
    agent: agent.id,
    case: case_.id,
    connection: connection.id,
    endpoint: endpoint.id,
    event: event.data[0].id,
    code: login.user_code,
  });
}

async function seedFindings(): Promise<void> {
  const { data } = await dash.api('GET', '/companies?limit=1');
  const company = `/companies/${data[0].id}`;
  const posted_at = new Date().toISOString();
  const row = { external_id: 'out', posted_at, amount_cents: -123_456, currency: 'USD', connection_id: 'operating' };
  const into = { ...row, external_id: 'in', amount_cents: 123_456, connection_id: 'savings' };
  await dash.api('POST', `${company}/bank/transactions`, { transactions: [row, into] });
  await dash.api('POST', `${company}/bank/transactions`, { ...row, amount_cents: -123_457 });
  await dash.api('POST', `${company}/financials/snapshots`, {
    statement_type: 'balance',
    period_end: posted_at.slice(0, 10),
    currency: 'USD',
    totals: { total_assets: 500, total_liabilities: 100, total_equity: 300 },
  });
}

const pages: ReadonlyArray<readonly [name: string, path: string | (() => string)]> = [
  ['overview', ''],
  ['transactions', '/transactions'],
  ['import', '/transactions/import'],
  ['balances', '/balances'],
  ['financials', '/financials'],
  ['data-quality', '/data-quality'],
  ...['stale', 'unexplained', 'duplicates', 'transfers', 'warnings'].map(
    (tab) => [`data-quality-${tab}`, `/data-quality?tab=${tab}`] as const,
  ),
  ['connections', '/connections'],
  ['connection', () => `/connections/${details['connection']}`],
  ['approvals', '/approvals'],
  ['companies', '/companies'],
  ['company', () => `/companies/${details['company']}`],
  ['compliance', '/compliance'],
  ['cases', '/cases'],
  ['case', () => `/cases/${details['case']}`],
  ['directives', '/directives'],
  ['agents', '/agents'],
  ['agent', () => `/agents/${details['agent']}`],
  ['webhooks', '/settings/webhooks'],
  ['endpoint', () => `/settings/webhooks/${details['endpoint']}`],
  ['logs', '/logs'],
  ['requests', '/requests'],
  ['event', () => `/events/${details['event']}`],
  ['keys', '/settings/keys'],
  ['sessions', '/settings/sessions'],
  ['device-code', '/device'],
  ['device', () => `/device?code=${details['code']}`],
];

async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('status', { name: /loading/i }).count(), { timeout: 10_000 }).toBe(0);
  // The stream keeps the network busy, so this waits for a fixed time instead.
  await page.waitForTimeout(700);
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  let page: Page;
  beforeAll(async () => {
    page = await dash.page({ theme });
  });

  test.each(pages)('%s renders without an error, and axe finds nothing', async (name, path) => {
    await page.goto(`${dash.dashboard_url}${typeof path === 'string' ? path : path()}`);
    await settled(page);
    await dash.screenshot(page, `${name}-${theme}`);
    expect(dash.errors(page)).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
  });
});

test('U-18: an open menu and a message stand in landmarks and have names', async () => {
  const page = await dash.page();
  await page.goto(`${dash.dashboard_url}/cases/${details['case']}`);
  await page.getByRole('button', { name: 'Mark as waiting' }).click();
  await page.getByRole('dialog', { name: 'Notification' }).waitFor();
  await page.getByRole('button', { name: /Local account/ }).click();
  await page.getByRole('menu').waitFor();
  await settled(page);
  expect(await violationsOf(page)).toEqual([]);
});

/** Every table whose rows open a page or a dialog. */
const lists: ReadonlyArray<readonly [path: string, name: string]> = [
  ['/transactions', 'Transactions'],
  ['/balances', 'Balances'],
  ['/financials', 'Statements'],
  ['/connections', 'Bank connections'],
  ['/approvals', 'Wire approvals'],
  ['/companies', 'Companies'],
  ['/compliance?tab=filings', 'Filings'],
  ['/cases', 'Cases'],
  ['/directives', 'Directives'],
  ['/agents', 'Agents'],
  ['/agents/:agent?tab=actions', 'Actions'],
  ['/agents/:agent?tab=approvals', 'Approvals'],
  ['/agents/:agent?tab=flags', 'Flags'],
  ['/settings/webhooks?tab=deliveries', 'Deliveries'],
  ['/logs', 'Log entries'],
  ['/requests', 'Requests'],
  ['/settings/keys', 'API keys'],
];

describe('U-7: a row that is highlighted opens', () => {
  let page: Page;
  const firstRow = (name: string) =>
    page.getByRole('group', { name }).last().locator('tbody tr:not([aria-hidden])').first();
  const background = (row: Locator) => row.evaluate((element) => getComputedStyle(element).backgroundColor);
  beforeAll(async () => {
    const work = `/agents/${details['agent']}`;
    const place = { company_id: dash.company_id, title: 'A row' };
    await dash.api('POST', `${work}/actions`, { ...place, type: 'email.send' });
    await dash.api('POST', `${work}/approvals`, place);
    await dash.api('POST', `${work}/flags`, { ...place, severity: 'info' });
    page = await dash.page({ width: 1440 });
  });

  test.each(lists)('%s', async (path, name) => {
    const company = path === '/transactions' || path === '/balances' || path === '/financials' ? '' : dash.company_id;
    const url = new URL(`${dash.dashboard_url}${path.replace(':agent', details['agent'] ?? '')}`);
    if (company !== '') url.searchParams.set('company', company);
    await page.goto(url.href);
    const row = firstRow(name);
    const link = row.getByRole('link').or(row.getByRole('button')).first();
    await link.waitFor();
    const calm = await background(row);
    const box = await row.locator('td').last().boundingBox();
    if (!box) throw new Error('The row has no cell.');
    await page.mouse.move(box.x + 3, box.y + 3);
    expect(await background(row)).not.toBe(calm);
    const before = page.url();
    await page.mouse.click(box.x + 3, box.y + 3);
    await expect.poll(() => page.url()).not.toBe(before);
    await page.goBack();
    await link.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).not.toBe(before);
  });

  test('a row that opens nothing is not highlighted', async () => {
    await page.goto(`${dash.dashboard_url}/settings/sessions`);
    const row = firstRow('Sessions');
    await row.waitFor();
    const calm = await background(row);
    await row.hover();
    expect(await background(row)).toBe(calm);
  });
});

describe('on a phone', () => {
  let page: Page;
  beforeAll(async () => {
    page = await dash.page({ width: 375 });
  });

  test.each(pages)('%s needs no sideways scrolling', async (name, path) => {
    await page.goto(`${dash.dashboard_url}${typeof path === 'string' ? path : path()}`);
    await settled(page);
    await dash.screenshot(page, `${name}-phone`);
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(beyond).toBeLessThanOrEqual(0);
    expect(dash.errors(page)).toEqual([]);
  });
});
