// Risk: a record is unreachable by its id, or the search opens over typed text, or offers what the key may not do.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { monthAfter } from '../src/lib/periods.ts';
import { contrastViolationsOf, darken, violationsOf } from './axe.ts';
import { type Dashboard, fitsWidth, settled, setUpDashboard, startAt } from './dashboard-fixture.ts';
import { createCompany, day, postTransactions, requestWire } from './records.ts';

const ids: Record<string, string> = {};
const dash = setUpDashboard({ seed });

async function seed({ api, company_id, api_url, api_key }: Dashboard): Promise<void> {
  const company = `/companies/${company_id}`;
  ids['co'] = await createCompany(api, 'Zephyr Labs');
  ids['case'] = (await api('POST', `${company}/cases`, { title: 'A missing receipt' })).id;
  await api('POST', `${company}/filings`, { type: 'other', title: 'Form 941, Q3', due_date: day(-30) });
  await api('POST', `${company}/bank/connections`, { provider: 'mercury', currency: 'USD', account_name: 'Mercury' });
  ids['agent'] = (await api('POST', '/agents', { name: 'Bookkeeper', provider: 'acme', company_id })).id;
  ids['we'] = (await api('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/erp', events: [] })).id;
  ids['apr'] = (await requestWire(api, company_id)).id;
  const lastMonth = `${monthAfter(day(0), -1)}-15T12:00:00Z`;
  await postTransactions(api, company_id, { posted_at: lastMonth, description: 'Licence', category: 'software' });
  const hosting = { external_id: 'hosting', counterparty: 'Wavecrest Hosting', description: 'Cloud hosting' };
  await postTransactions(api, company_id, hosting);
  ids['txn'] = (await api('GET', `${company}/bank/transactions?limit=1`)).data[0].id;
  ids['key'] = (await api('GET', '/api-keys?limit=1')).data[0].id;
  ids['evt'] = (await api('GET', '/events?order=desc&limit=1')).data[0].id;
  const response = await fetch(`${api_url}/api/v1/companies`, { headers: { authorization: `Bearer ${api_key}` } });
  ids['req'] = response.headers.get('x-request-id') ?? '';
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Search', exact: true });
const boxOf = (page: Page) => page.getByRole('combobox', { name: 'Search or paste an ID' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await boxOf(page).fill(text);
}

describe('the search', () => {
  let page: Page;
  beforeAll(async () => {
    page = await dash.open('/companies');
  });

  test('opens with Ctrl+K, Cmd+K, / and its button, and gives the focus back on Escape', async () => {
    await startAt(page, '/companies');
    const link = page.getByRole('link', { name: 'Directives' });
    for (const key of ['Control+k', 'Meta+k', '/']) {
      await link.focus();
      await page.keyboard.press(key);
      await boxOf(page).waitFor();
      await expect.poll(() => boxOf(page).evaluate((box) => box === document.activeElement)).toBe(true);
      expect(await boxOf(page).inputValue()).toBe('');
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'detached' });
      await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await boxOf(page).waitFor();
  });

  test('stays closed on / in a field, and on Ctrl+K over a form, whose text would be lost', async () => {
    await startAt(page, '/companies');
    await page.getByLabel('Search', { exact: true }).focus();
    await page.keyboard.type('a/b');
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('a/b');
    await page.getByRole('button', { name: 'Create company' }).click();
    const form = page.getByRole('dialog', { name: 'Create company' });
    await form.getByRole('textbox').first().fill('Typed');
    await page.keyboard.press('Control+k');
    expect(await form.getByRole('textbox').first().inputValue()).toBe('Typed');
    expect(await dialogOf(page).count()).toBe(0);
  });

  test.each([
    ['evt', '/events/:id'],
    ['req', '/requests?open=:id'],
    ['txn', '/transactions?open=:id'],
    ['we', '/settings/webhooks/:id'],
    ['apr', '/approvals/:id'],
    ['case', '/cases/:id'],
    ['agent', '/agents/:id'],
    ['key', '/settings/keys?open=:id'],
    ['co', '/companies/:id'],
  ])('opens the page of a pasted %s_ id', async (prefix, pattern) => {
    await startAt(page, `/directives?company=${dash.company_id}`);
    const id = ids[prefix] ?? '';
    await search(page, ` ${id} `);
    const [path = '', query] = pattern.replace(':id', id).split('?');
    await page.waitForURL((url) => {
      const isOpen = query === undefined || url.search.includes(query);
      return url.pathname === `/dashboard${path}` && isOpen;
    });
    expect(await dialogOf(page).count()).toBe(0);
    expect(dash.errors(page)).toEqual([]);
  });

  test('finds pages, records and actions by words, pages also by what is on them, and Enter opens the first', async () => {
    await startAt(page, `/companies?company=${dash.company_id}`);
    for (const [text, group, entry] of [
      ['activity', 'Pages', 'Activity log'],
      ['zephyr', 'Companies', 'Zephyr Labs'],
      ['erp', 'Endpoints', 'http://127.0.0.1:9/erp'],
      ['wavecrest', 'Transactions', /^Wavecrest Hosting/],
      ['import', 'Actions', 'Import file'],
      ['form 941', 'Filings', /^Form 941/],
      ['receipt', 'Cases', /^A missing receipt/],
      ['bookkeep', 'Agents', /^Bookkeeper/],
      ['mercury', 'Accounts', /^Mercury/],
      ['software', 'Categories', /^Software/],
      ['runway', 'Pages', /^Overview/],
      ['report', 'Pages', /^Report for/],
      ['rates', 'Pages', /^Settings of/],
    ] as const) {
      await search(page, text);
      await page.getByRole('group', { name: group }).getByRole('option', { name: entry }).waitFor();
      await page.keyboard.press('Escape');
    }
    await search(page, 'wavecrest');
    await option(page, /^Wavecrest Hosting/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Cloud hosting').first().waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe(ids['txn']);
    expect(dash.errors(page)).toEqual([]);
  });

  test('creates an endpoint and sends a test event from any page, without leaving it', async () => {
    await startAt(page, '/cases');
    await search(page, 'create end');
    await option(page, 'Create endpoint').click();
    await page.getByRole('dialog', { name: 'Create endpoint' }).waitFor();
    await page.keyboard.press('Escape');
    await search(page, 'send test erp');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Send test event' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/cases');
  });

  test('says what it covers when it finds nothing', async () => {
    await startAt(page, '/companies');
    await search(page, 'zzzz');
    await dialogOf(page).getByText('Nothing found. Search covers pages, actions, companies,').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
  });

  test('shows what was opened last while it is empty', async () => {
    await startAt(page, '/companies');
    await search(page, 'directives');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/directives**');
    await page.keyboard.press('Control+k');
    const recent = page.getByRole('group', { name: 'Recent' });
    await recent.getByRole('option').first().waitFor();
    expect(await recent.getByRole('option').first().textContent()).toBe('Directives');
    const pages = page.getByRole('group', { name: 'Pages' });
    expect(await pages.getByRole('option').first().textContent()).toBe('Overview');
  });

  test('has no axe violation, also in the dark on a phone, where it is an icon', async () => {
    await startAt(page, '/companies');
    await search(page, 'e');
    await page.getByRole('option').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await fitsWidth(page)).toBe(true);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('option').first().waitFor();
    await darken(page);
    expect(await contrastViolationsOf(page)).toEqual([]);
    expect(await fitsWidth(page)).toBe(true);
    await dialogOf(page).getByRole('button', { name: 'Close', exact: true }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
  });

  test.each([
    ['evt', 'No event with this ID; events are kept 90 days.'],
    ['req', 'No request with this ID; requests are kept 30 days.'],
    ['fil', 'No filing with this ID.'],
    ['cmt', 'No comment with this ID.'],
  ])('says that it knows no such %s_ id', async (prefix, text) => {
    await startAt(page, '/companies');
    await search(page, `${prefix}_00000000000000000000000000`);
    await dialogOf(page).getByText(text).waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
  });
});

test('keeps what is typed and pasted while its code is on the way, and no key reaches the page below', async () => {
  const page = await dash.page({ isolated: true });
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/palette-.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${dash.dashboard_url}/companies`);
  await settled(page);
  await page.getByRole('button', { name: 'Create company' }).focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('act /');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await page.getByRole('status', { name: 'Opening the search' }).getByText('act', { exact: true }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  resolve();
  await option(page, 'Activity log').waitFor();
  expect(await boxOf(page).inputValue()).toBe('act');
  // The caret is after what was typed.
  await page.keyboard.type('ivity');
  expect(await boxOf(page).inputValue()).toBe('activity');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Activity log', level: 1 }).waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('the lists of requests and of the activity open what a pasted id names, and say what is no id', async () => {
  const page = await dash.open('/requests');
  const field = page.getByLabel('Request ID', { exact: true });
  await field.fill('req_1');
  await page.getByText('A request ID is req_ and 26 characters.').waitFor();
  await field.fill(ids['req'] ?? '');
  await page.getByRole('dialog', { name: 'companies.list' }).waitFor();
  expect(new URL(page.url()).searchParams.get('open')).toBe(ids['req']);
  await startAt(page, '/logs');
  await page.getByLabel('Record ID', { exact: true }).fill(ids['case'] ?? '');
  await page.getByRole('group', { name: 'Log entries' }).getByRole('link', { name: 'cases.create' }).waitFor();
  await page.getByLabel('Record ID', { exact: true }).fill(ids['evt'] ?? '');
  await page.waitForURL(`**/events/${ids['evt']}**`);
  expect(dash.errors(page)).toEqual([]);
});

test('a read key is offered no actions', async () => {
  const { key } = await dash.api('POST', '/api-keys', { name: 'Reader', scope: 'read' });
  const page = await dash.open('/companies', { key });
  await page.keyboard.press('Control+k');
  await page.getByRole('group', { name: 'Pages' }).waitFor();
  expect(await page.getByRole('group', { name: 'Actions' }).count()).toBe(0);
});
