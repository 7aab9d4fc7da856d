// Risk: the shell loses the user's position, shows a company other than the requested one, or ends in a dead end.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fitsWidth, navigate, setUpDashboard } from './dashboard-fixture.ts';
import { createCompany, postBalance } from './records.ts';

let other: string;
const dash = setUpDashboard({
  async seed({ api }) {
    other = await createCompany(api, 'Other');
  },
});

const searchOf = (page: Page) => new URL(page.url()).searchParams;

test('a failed start is retried once the service is back', async () => {
  const page = await dash.page();
  let isDown = true;
  await page.route('**/dashboard/session', (route) =>
    isDown ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
  );
  await page.goto(dash.dashboard_url);
  await page.getByRole('alert').waitFor();
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('region', { name: 'Cash on hand' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('an unknown company is reported; another is shown only when it is chosen', async () => {
  const page = await dash.open('/', { company: other });
  for (const wrong of ['co_00000000000000000000000000', 'nonsense']) {
    await navigate(page, `/transactions?company=${wrong}`);
    await page.getByRole('heading', { name: 'Company not found', level: 1 }).waitFor();
    expect(await page.title()).toBe('Company not found · finhook');
    expect(await page.evaluate(() => localStorage.getItem('company'))).toBe(other);
  }
  await page.getByLabel('Company').selectOption(dash.company_id);
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
  expect(searchOf(page).get('company')).toBe(dash.company_id);

  await navigate(page, '/?company=nonsense');
  await page.getByRole('link', { name: 'see all companies' }).click();
  await page.getByRole('heading', { name: 'Companies', level: 1 }).waitFor();
  await expect.poll(() => searchOf(page).get('company')).toBe(dash.company_id);
});

test('a first visit opens the company whose data arrived last, its address names it, and the next visit keeps it', async () => {
  // Other tabs of a browser store the company that they show.
  const early = await dash.page({ isolated: true });
  await early.goto(`${dash.dashboard_url}/cases`);
  const shownOn = (tab: Page) => tab.getByLabel('Company').inputValue();
  // Neither has data: the oldest.
  await expect.poll(() => shownOn(early)).toBe(dash.company_id);
  await expect.poll(() => searchOf(early).get('company')).toBe(dash.company_id);
  await postBalance(dash.api, other, 1_000_00);
  await createCompany(dash.api, 'Newest');
  const page = await dash.page({ isolated: true });
  const shown = () => shownOn(page);
  await page.goto(`${dash.dashboard_url}/cases?status=open`);
  await expect.poll(shown).toBe(other);
  await expect.poll(() => searchOf(page).toString()).toBe(`status=open&company=${other}`);

  await page.getByLabel('Company').selectOption(dash.company_id);
  await expect.poll(() => searchOf(page).get('company')).toBe(dash.company_id);
  await page.goto(dash.dashboard_url);
  await expect.poll(shown).toBe(dash.company_id);
  expect(dash.errors(page)).toEqual([]);
});

test('an address without a company gets one, and keeps the part of the page that it leads to', async () => {
  const page = await dash.page();
  await page.goto(`${dash.dashboard_url}/companies/${dash.company_id}#exchange-rates`);
  await page.waitForURL((url) => url.searchParams.has('company'));
  expect(new URL(page.url()).hash).toBe('#exchange-rates');
});

test('a company that failed to load is retried, and no other replaces it', async () => {
  const page = await dash.page();
  let isDown = true;
  await page.route('**/trpc/**', (route) => (isDown ? route.abort() : route.continue()));
  // Only the read by id fails: the list returns without the company.
  await page.route(/trpc\/companies\.list/, async (route) => {
    const response = await route.fetch();
    const body = JSON.stringify(await response.json()).replaceAll(other, 'co_hidden');
    await route.fulfill({ response, body });
  });
  await page.goto(`${dash.dashboard_url}/?company=${other}`);
  await page.getByRole('alert').waitFor({ timeout: 20_000 });
  expect(await page.getByRole('region', { name: 'Cash on hand' }).count()).toBe(0);
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('region', { name: 'Cash on hand' }).waitFor();
  expect(await page.getByLabel('Company').inputValue()).toBe(other);
});

test('an unknown path keeps the navigation, and an unknown record names its page and links to the list', async () => {
  const page = await dash.open('/nope/at/all');
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  for (const [path, title, list] of [
    ['/companies/co_none', 'Company', 'All companies'],
    ['/cases/case_none', 'Case', 'All cases'],
  ] as const) {
    await navigate(page, path);
    await page.getByRole('alert').waitFor();
    expect(await page.title()).toBe(`${title} · finhook`);
    await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor();
    await page.getByRole('link', { name: list }).waitFor();
  }
  await navigate(page, '/settings/webhooks?tab=replay');
  await page.getByRole('tab', { name: 'Endpoints', selected: true }).waitFor();
  expect(await page.getByRole('tabpanel').count()).toBe(1);
});

test('text in a URL stays text, even if it looks like a number', async () => {
  const page = await dash.open('/companies');
  for (const q of ['12.50', '12345678901234567890', '{"a":1}', 'a b+c&d']) {
    await navigate(page, `/companies?q=${encodeURIComponent(q)}`);
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe(q);
    await page.getByLabel('Status').selectOption('active');
    await page.waitForURL((url) => url.searchParams.get('status') === 'active');
    expect(searchOf(page).get('q')).toBe(q);
  }
});

test('choosing another company closes a record of the first one', async () => {
  const { id } = await dash.api('POST', `/companies/${dash.company_id}/cases`, { title: 'Of the first company' });
  const page = await dash.open(`/cases/${id}`, { company: dash.company_id });
  await page.getByRole('heading', { name: 'Of the first company' }).waitFor();
  await page.getByLabel('Company').selectOption(other);
  await page.getByText('No cases yet').waitFor();
  expect(new URL(page.url()).pathname).toBe('/dashboard/cases');
  expect(searchOf(page).get('company')).toBe(other);
});

test("a page that can't load offline says so, and opens once the connection is back", async () => {
  const page = await dash.open('/companies', { isolated: true });
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Directives' }).click();
  await page.getByText('The service did not respond. Check the connection and try again.').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Directives', level: 1 }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a page with a missing file reloads once and then says so; hovering its link loses nothing', async () => {
  const page = await dash.page();
  const { id } = await dash.api('POST', `/companies/${dash.company_id}/cases`, { title: 'Typed in' });
  await page.route('**/assets/directives-page*', (route) => route.fulfill({ status: 404 }));
  await page.goto(`${dash.dashboard_url}/cases/${id}`);
  const comment = page.getByRole('textbox', { name: 'Comment' });
  await comment.fill('Not lost');
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  const missed = page.waitForResponse('**/assets/directives-page*');
  await page.getByRole('link', { name: 'Directives' }).hover();
  await missed;
  await page.evaluate(() => fetch('/dashboard/session').then(({ status }) => status));
  expect([loads, await comment.inputValue()]).toEqual([0, 'Not lost']);
  await page.goto(`${dash.dashboard_url}/directives`);
  await page.getByText('couldn’t be loaded').waitFor();
  // The visit, and one reload for a new build.
  expect(loads).toBe(2);
});

test('with reduced motion, nothing moves forever while a page waits', async () => {
  const page = await dash.page();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.route('**/trpc/**', () => undefined);
  await page.goto(`${dash.dashboard_url}/companies`);
  await page.locator('.animate-pulse').first().waitFor();
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('a long word wraps: no page scrolls sideways and no button leaves the view', async () => {
  const long = 'Donaudampfschiff'.repeat(12);
  const company = await createCompany(dash.api, long);
  const agent = await dash.api('POST', '/agents', { name: 'Clerk', provider: 'acme', company_id: company });
  const due_date = `${new Date().toISOString().slice(0, 7)}-28`;
  await dash.api('POST', `/companies/${company}/filings`, { type: 'other', title: long, due_date });
  const page = await dash.open('/compliance', { company, width: 390 });
  await page.getByRole('main').getByRole('link', { name: long }).waitFor();
  expect(await fitsWidth(page)).toBe(true);
  await navigate(page, '/');
  await page.getByRole('main').getByText(long).waitFor();
  expect(await fitsWidth(page)).toBe(true);
  await page.setViewportSize({ width: 1280, height: 900 });
  await navigate(page, `/agents/${agent.id}?tab=companies`);
  const detach = page.getByRole('button', { name: /^Detach/ });
  await detach.waitFor();
  expect(await detach.evaluate((button) => button.getBoundingClientRect().right <= innerWidth)).toBe(true);
});

test('a choice says if there are more companies than it offers, and an older one shows its name', async () => {
  const agent = await dash.api('POST', '/agents', { name: 'Clerk', provider: 'acme', company_id: other });
  const action = { company_id: other, type: 'bill.pay', summary: 'Paid a bill', status: 'completed' };
  const { id } = await dash.api('POST', `/agents/${agent.id}/actions`, action);
  const page = await dash.page();
  // As if 200 newer companies stood before this one.
  await page.route(/trpc\/companies\.list/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replaceAll(other, 'co_newer')
      .replaceAll('"has_more":false', '"has_more":true');
    await route.fulfill({ response, body });
  });
  await page.goto(`${dash.dashboard_url}/agents/${agent.id}?tab=actions&open=${id}&company=${dash.company_id}`);
  await page.getByRole('dialog').getByText('Other', { exact: true }).waitFor();
  const choices = await page.getByLabel('Company', { exact: true }).locator('option').allTextContents();
  expect(choices).toContain('Shows the newest 200. Find older ones under Companies.');
});

test('the operators’ console refreshes in place: a selection and the focus stay', async () => {
  const page = await dash.page({ key: null });
  await page.clock.install();
  await page.goto(dash.ops_url);
  await page.getByLabel('Operator password').fill(dash.ops_password);
  await page.keyboard.press('Enter');
  const asOf = page.locator('main time').first();
  await asOf.waitFor();
  const next = async (): Promise<void> => {
    const answered = page.waitForResponse(dash.ops_url);
    await page.clock.runFor(5_000);
    await answered;
  };
  const pause = page.getByRole('link', { name: 'Stop refreshing' });
  await pause.focus();
  const before = await asOf.getAttribute('datetime');
  await next();
  await expect.poll(() => asOf.getAttribute('datetime')).not.toBe(before);
  expect(await pause.evaluate((link) => link === document.activeElement)).toBe(true);

  const selection = () => page.evaluate(() => getSelection()?.toString().trim());
  await page.getByRole('rowheader').first().selectText();
  const selected = await selection();
  expect(selected).not.toBe('');
  await page.clock.runFor(30_000);
  expect(await selection()).toBe(selected);

  await page.evaluate(() => getSelection()?.removeAllRanges());
  await page.route(dash.ops_url, (route) => route.abort());
  await page.clock.runFor(5_000);
  await page.getByText('The service is unreachable.').waitFor();
  await page.unroute(dash.ops_url);
  await next();
  await page.getByText('The service is unreachable.').waitFor({ state: 'hidden' });
});
