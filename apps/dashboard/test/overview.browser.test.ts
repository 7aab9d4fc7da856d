// Risk: the overview shows an old or a wrong figure, or one failed read breaks the rest of the page.
import { startReceiver } from '@finhook/testing';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { contrastViolationsOf, darken, violationsOf } from './axe.ts';
import { fitsWidth, navigate, setUpDashboard } from './dashboard-fixture.ts';
import { createCompany, day, postBalance, postMonths, postTransactions, requestWire } from './records.ts';

const dash = setUpDashboard();

const tile = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const post = (company: string, cents: number, fields: object = {}) => postBalance(dash.api, company, cents, fields);

test('the list of first steps leads from data to a verified webhook: each is ticked when it is done, and the list goes with the last', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const company = await createCompany(dash.api, 'Beginner');
  const page = await dash.open('/', { company, width: 390 });
  const guide = tile(page, 'Get started');
  await guide.getByText('0 of 4 done').waitFor();
  expect(await fitsWidth(page)).toBe(true);
  expect(await violationsOf(page)).toEqual([]);
  await darken(page);
  expect(await contrastViolationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await page.content()).not.toContain(dash.api_key);

  // The commands of the guide are accepted unchanged, without a warning.
  const commands = await guide.getByText(`companies/${company}/`).allInnerTexts();
  expect(commands).toHaveLength(3);
  for (const command of commands) {
    const [, path = '', body = ''] = /\/api\/v1(\S+) .*-d '(.*)'$/.exec(command) ?? [];
    expect((await dash.api('POST', path, JSON.parse(body))).warnings, command).toEqual([]);
  }
  const isNext = (title: string) => guide.getByText(`Next: ${title}`, { exact: true }).waitFor({ timeout: 20_000 });
  await isNext('Create a webhook endpoint');
  // Once there is data, the steps are a line below the figures.
  const top = async (name: string) => (await tile(page, name).boundingBox())?.y ?? 0;
  expect(await top('Get started')).toBeGreaterThan(await top('Cash on hand'));
  expect(await violationsOf(page)).toEqual([]);
  await dash.api('POST', '/webhook-endpoints', { url: receiver.url, events: [], company_id: company });
  await isNext('Receive an event');
  await post(company, 12_345_679);
  await isNext('Create a key for your provider');
  await guide.getByText('3 of 4 done').waitFor();
  await guide.getByText('Get started', { exact: true }).click();
  await guide.locator('[aria-current="step"]').getByRole('link', { name: 'Create a key' }).click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await isNext('Create a key for your provider');
  await dash.api('POST', '/api-keys', { name: 'Bank sync', scope: 'ingest', company_ids: [company] });
  await guide.waitFor({ state: 'detached' });
  expect(dash.errors(page)).toEqual([]);
});

test('the list of first steps stays away once it is dismissed, and a key that only reads does not see it', async () => {
  const company = await createCompany(dash.api, 'Expert');
  const page = await dash.open('/', { company });
  await tile(page, 'Get started').getByRole('button', { name: 'Dismiss' }).click();
  await tile(page, 'Get started').waitFor({ state: 'detached' });
  await page.reload();
  const { key } = await dash.api('POST', '/api-keys', { name: 'Reader', scope: 'read' });
  for (const look of [page, await dash.open('/', { company, key })]) {
    await tile(look, 'Cash on hand').getByText('No balance yet').waitFor();
    expect(await tile(look, 'Get started').count()).toBe(0);
  }
});

test('the overview of a dissolved company without data offers no post, which would be rejected', async () => {
  const company = await createCompany(dash.api, 'Gone');
  await dash.api('POST', `/companies/${company}/dissolve`, {});
  const page = await dash.open('/', { company });
  await page.getByText('Gone is dissolved and accepts no new data').waitFor();
  await tile(page, 'Cash on hand').getByText('The company is dissolved').waitFor();
  expect(await page.getByText(/Get started|connect a bank|as data arrives/).count()).toBe(0);
  for (const list of ['transactions', 'balances', 'financials']) {
    await navigate(page, `/${list}?company=${company}`);
    await page.getByText('The company is dissolved and accepts no new records.').waitFor();
  }
});

test('an account that is excluded in the settings disappears from the figures at once, and is not called missing', async () => {
  const company = await createCompany(dash.api, 'Settled');
  await post(company, 500);
  await post(company, 700, { connection_id: 'escrow' });
  const page = await dash.open('/', { company });
  const cash = tile(page, 'Cash on hand');
  await cash.getByText('$12.00', { exact: true }).waitFor();
  // By links, because a reload would empty the cache.
  await page.getByRole('link', { name: 'Companies', exact: true }).click();
  await page.getByRole('link', { name: 'Settled' }).click();
  await page.getByRole('group', { name: 'Excluded accounts' }).getByLabel('escrow').check();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved. Figures are recalculated.').waitFor();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await cash.getByText('$5.00', { exact: true }).waitFor();
  expect(await cash.getByText('Excluded in settings: escrow.').isVisible()).toBe(true);
});

test('currencies are separate, the base currency is first, amounts are exact beyond 2^53, and stale cash is named', async () => {
  const company = await createCompany(dash.api, 'Mixed', { base_currency: 'KWD' });
  await post(company, Number.MAX_SAFE_INTEGER, { connection_id: 'a' });
  await post(company, Number.MAX_SAFE_INTEGER, { connection_id: 'b' });
  await post(company, 1_000_000, { currency: 'JPY', connection_id: 'c', as_of: day(9) });
  await post(company, 12_345, { currency: 'KWD', connection_id: 'd' });
  const page = await dash.open('/', { company, width: 375 });
  const cash = tile(page, 'Cash on hand');
  await cash.getByText('KWD 12.345').first().waitFor();
  const text = (await cash.innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/^Cash on hand KWD 12\.345 .*¥1,000,000.*\$180,143,985,094,819\.82/);
  await tile(page, 'Needs you').getByText('No total: a current exchange rate is missing for JPY, USD').waitFor();
  expect(text).toContain('c is 9 days old.');
  expect(await fitsWidth(page)).toBe(true);
});

test('the runway explains itself: the formula with its months, the exclusions, and a replaced connection', async () => {
  const company = await createCompany(dash.api, 'Burning');
  const connect = (fields: object) =>
    dash.api('POST', `/companies/${company}/bank/connections`, { provider: 'ledger', currency: 'USD', ...fields });
  const { id: old } = await connect({ account_name: 'Old login' });
  await postMonths(dash.api, company, old);
  await dash.api('DELETE', `/bank/connections/${old}`);
  const { id: fresh } = await connect({ account_name: 'New login', replaces: old });
  await post(company, 12_000_000, { connection_id: fresh });
  await postMonths(dash.api, company, fresh);
  const page = await dash.open('/', { company });
  const runway = tile(page, 'Runway');
  await runway.getByText('6.0 months').waitFor();
  await runway.getByRole('button', { name: 'Why?' }).click();
  const drawer = page.getByRole('dialog', { name: 'How runway is calculated' });
  await drawer.getByText('$120,000.00 ÷ $20,000.00 per month = 6.0 months').waitFor();
  await expect.poll(() => drawer.getByRole('table').getByRole('row').count()).toBe(4);
  await drawer.getByText('internal transfer, internal transfers', { exact: false }).first().waitFor();
  await drawer.getByText(/^Old login: 4 transactions since .+, replaced by New login$/).waitFor();
  await drawer.getByText('Excluded from burn and runway.').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await tile(page, 'Net burn').getByText('$20,000.00').first().waitFor();
  await runway.getByText('(in use)').waitFor();
  // A figure opens the rows of its months that count: those of the replaced connection do not.
  await tile(page, 'Net burn').getByRole('link', { name: '$20,000.00' }).first().click();
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
  await page.getByText(/^3 transactions/).waitFor();
  await page.getByRole('columnheader', { name: 'Counted as' }).waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('an account that two connections send is answered for: the older one is excluded, and cash counts it once', async () => {
  const company = await createCompany(dash.api, 'Doubled');
  const rows = (connection_id: string, back: number) =>
    Array.from({ length: 40 }, (_, i) => ({
      external_id: `${connection_id} ${i}`,
      posted_at: `${day(back + i)}T12:00:00Z`,
      amount_cents: -1_000 - i,
      connection_id,
    }));
  await postTransactions(dash.api, company, ...rows('new login', 1));
  await postTransactions(dash.api, company, ...rows('old login', 1).slice(2));
  await post(company, 500, { connection_id: 'new login' });
  await post(company, 500, { connection_id: 'old login' });
  const page = await dash.open('/', { company });
  const questions = tile(page, 'Needs an answer');
  await questions.getByText('old login has the same transactions as new login').waitFor();
  await questions.getByRole('button', { name: 'Same account' }).click();
  await tile(page, 'Cash on hand').getByText('$5.00', { exact: true }).waitFor();
  await questions.getByText('old login has').waitFor({ state: 'detached' });
  expect((await dash.api('GET', `/companies/${company}/financials/settings`)).excluded_connections).toEqual([
    'old login',
  ]);
  expect(dash.errors(page)).toEqual([]);
});

test('what waits for a person stands above the figures, a line with a button each, which leads to its page', async () => {
  const company = await createCompany(dash.api, 'Busy');
  await post(company, 500, { as_of: day(9), connection_id: 'Berlin' });
  const { id } = await requestWire(dash.api, company);
  const filing = { type: 'other', title: 'Form 941', due_date: day(26) };
  await dash.api('POST', `/companies/${company}/filings`, filing);
  const page = await dash.open('/', { company, key: await dash.createPerson('Approver') });
  const strip = tile(page, 'Needs you');
  await strip.getByText(/^Wire of \$2,000,000.00 to Landlord expires in/).waitFor();
  const lines = await strip.getByRole('listitem').getByRole('link').allTextContents();
  expect(lines).toEqual(['Review', 'Open', 'View']);
  await strip.getByText('Form 941 is 26 days overdue').waitFor();
  await strip.getByText('Berlin: the balance is 9 days old').waitFor();
  const top = async (name: string) => (await tile(page, name).boundingBox())?.y ?? 0;
  expect(await top('Needs you')).toBeLessThan(await top('Cash on hand'));
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  await expect.poll(() => fitsWidth(page)).toBe(true);

  await strip.getByRole('link', { name: /^Open: Form 941/ }).click();
  await page.getByRole('dialog', { name: 'Form 941' }).waitFor();
  await navigate(page, `/?company=${company}`);
  await strip.getByRole('link', { name: /^View: Berlin/ }).click();
  await page.getByRole('heading', { name: 'Data quality', level: 1 }).waitFor();
  await navigate(page, `/?company=${company}`);
  await strip.getByRole('link', { name: /^Review: Wire/ }).click();
  await page.getByRole('button', { name: 'Approve…' }).click();
  await page.getByRole('button', { name: 'Approve wire' }).click();
  await page.getByText('Approved. Decisions are final.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/dashboard/approvals/${id}`);
  await navigate(page, `/?company=${company}`);
  await strip.getByText('Form 941 is 26 days overdue').waitFor();
  expect(await strip.getByText(/^Wire of/).count()).toBe(0);
  expect(dash.errors(page)).toEqual([]);
});

test('a large inflow is answered for once and for all like it: it stays out of income, and a rule is stored', async () => {
  const company = await createCompany(dash.api, 'Funded');
  await post(company, 500_000_000);
  await postMonths(dash.api, company, 'operating');
  const raise = { external_id: 'raise', posted_at: `${day(40)}T12:00:00Z`, amount_cents: 400_000_000 };
  await postTransactions(dash.api, company, {
    ...raise,
    counterparty: 'Sequence Partners',
    connection_id: 'operating',
  });
  const page = await dash.open('/', { company });
  await tile(page, 'Runway').getByText('Notes').click();
  await tile(page, 'Runway').getByRole('listitem').first().waitFor();
  const questions = tile(page, 'Needs an answer');
  await questions.getByText('$4,000,000.00').waitFor();
  await questions.getByLabel('Always for “Sequence Partners”').check();
  expect(await violationsOf(page)).toEqual([]);
  await questions.getByRole('button', { name: 'Financing' }).click();
  await questions.getByText('$4,000,000.00').waitFor({ state: 'detached' });
  const [row] = (await dash.api('GET', `/companies/${company}/bank/transactions?external_id=raise`)).data;
  expect(row.flow_class).toBe('financing');
  const settings = () => dash.api('GET', `/companies/${company}/financials/settings`);
  await expect
    .poll(async () => (await settings()).flow_rules)
    .toEqual([{ contains: 'Sequence Partners', direction: 'in', flow_class: 'financing' }]);
  expect(dash.errors(page)).toEqual([]);
});

test('arrow keys move between the months of a chart, whose figures are read out, and Enter opens the transactions', async () => {
  const company = await createCompany(dash.api, 'Keyboard');
  const before = day(40);
  await postTransactions(
    dash.api,
    company,
    { amount_cents: -300_00 },
    { amount_cents: -700_00, posted_at: `${before}T12:00:00Z` },
  );
  const page = await dash.open('/', { company });
  const chart = tile(page, 'Last 12 months');
  const months = chart.getByRole('slider', { name: /money in and out/ });
  const read = () => months.getAttribute('aria-valuetext');
  await months.focus();
  expect(await read()).toMatch(/to date: In \$0.00, Out \$300.00/);
  await page.keyboard.press('ArrowLeft');
  expect(await read()).not.toContain('to date');
  await page.keyboard.press('Home');
  expect(await read()).toContain('Out $700.00');
  await chart.getByText('$700.00').first().waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get('month')).toBe(before.slice(0, 7));
});

test('a failed query affects only its own tile, which offers to try again', async () => {
  const company = await createCompany(dash.api, 'Half');
  await post(company, 700);
  const page = await dash.page();
  let broken = true;
  await page.route('**/trpc/**', async (route) => {
    if (broken && route.request().url().includes('cash.onHand')) await route.abort();
    else await route.continue();
  });
  await page.goto(`${dash.dashboard_url}/?company=${company}`);
  const cash = tile(page, 'Cash on hand');
  await cash.getByRole('alert').waitFor({ timeout: 20_000 });
  await tile(page, 'Net burn').getByText('Requires one full month').waitFor();
  broken = false;
  await cash.getByRole('button', { name: 'Try again' }).click();
  await cash.getByText('$7.00', { exact: true }).waitFor();
  expect(await cash.getByRole('alert').count()).toBe(0);
});
