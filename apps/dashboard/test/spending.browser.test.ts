// Risk: the spending page or a month's report shows other figures than the service, opens other rows, or can't be shared.
import { formatMoney } from '@finhook/contracts/currency';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { fitsWidth, type Json, settled, setUpDashboard } from './dashboard-fixture.ts';
import { createCompany, postBalance, postTransactions, requestWire } from './records.ts';

const dash = setUpDashboard();

/** The month so many months before the current one, in UTC. */
const monthBack = (back: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7);
};
const last = monthBack(1);
const money = (cents: number) => formatMoney(cents, 'USD');
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

let company: string;
beforeAll(async () => {
  company = await createCompany(dash.api, 'Spending Inc');
  const rows = [1, 2, 3, 4, 5].flatMap((back) => {
    const row = (day: string, cents: number, fields: object) => ({
      external_id: `${back} ${day}`,
      posted_at: `${monthBack(back)}-${day}T12:00:00Z`,
      amount_cents: cents,
      connection_id: 'operating',
      ...fields,
    });
    return [
      row('03', -2_000_000, { category: 'Payroll', counterparty: 'Payday' }),
      row('05', back === 1 ? -340_000 : -100_000, { category: 'Cloud Hosting', counterparty: 'Example Cloud' }),
      // Another spelling of both, on another account.
      row('04', -5_000, { category: 'cloud hosting', counterparty: 'EXAMPLE CLOUD', connection_id: 'card' }),
      row('07', -1_200, { counterparty: 'Corner shop', connection_id: 'card' }),
      row('08', -500_000, { category: 'internal_transfer' }),
      ...(back === 3 ? [row('06', -800, { category: 'Cloud Hosting', counterparty: 'Example Cloud' })] : []),
      row('09', 900_000, { category: 'sales', counterparty: 'Customer' }),
    ];
  });
  await postTransactions(dash.api, company, ...rows);
  const list = `/companies/${company}/bank/transactions`;
  const { data } = await dash.api('GET', `${list}?external_id=${encodeURIComponent('3 06')}`);
  // Money out of this class counts.
  await dash.api('PATCH', `${list}/${data[0].id}`, { flow_class: 'financing' });
  await postBalance(dash.api, company, 30_000_000);
});

const breakdown = (query: string): Promise<Json> =>
  dash.api('GET', `/companies/${company}/financials/breakdown?${query}`);
const monthly = (): Promise<Json> => dash.api('GET', `/companies/${company}/financials/monthly?months=13`);

const table = (page: Page, by: string) => page.getByRole('table', { name: new RegExp(`^Spending by ${by}`) });
const footer = (page: Page, by: string) => table(page, by).locator('tfoot tr').first();
const texts = async (page: Page, by: string, row: number): Promise<string[]> => {
  const cells = await table(page, by).locator('tbody tr').nth(row).locator('th, td').allInnerTexts();
  return cells.map((text) => text.replaceAll(/\s+/g, ' ').trim());
};

test('the table has the figures of the service, beside those of the month before', async () => {
  const page = await dash.open('/spending', { company, width: 1440 });
  const { rows, left_out } = await breakdown(`from=${last}&to=${last}`);
  expect(rows.map(({ key }: Json) => key)).toEqual(['payroll', 'cloud_hosting', null]);
  await table(page, 'category').waitFor();
  // The months arrive after the table.
  await expect
    .poll(() => texts(page, 'category', 1))
    .toEqual([
      'Cloud hosting',
      expect.stringMatching(/^Lowest \$\d.* highest \$3,450\.00 in /),
      money(345_000),
      '14.7 %',
      money(105_000),
      `+${money(240_000)} +229 %`,
      '2',
    ]);
  const amounts = await table(page, 'category').locator('tbody tr td:nth-child(3)').allInnerTexts();
  expect(amounts).toEqual(rows.map(({ total_cents }: Json) => money(total_cents)));
  const notCounted = table(page, 'category').getByRole('row', { name: 'Not counted: transfers' });
  expect(await notCounted.innerText()).toContain(money(left_out.transfer_cents));
  await page.getByText(`Example Cloud grew by $2,400 (+229 %).`).waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test.each([
  [1, ''],
  [12, 'period=last_12_months'],
  [3, `period=custom&from=${monthBack(3)}&to=${last}`],
])('by category, vendor and account the footer is the gross burn of the same months (%i)', async (count, search) => {
  const page = await dash.open(`/spending?${search}`, { company });
  const { months } = await monthly();
  const out = months
    .slice(-1 - count, -1)
    .map(({ flows }: Json) => flows.find((one: Json) => one.currency === 'USD')?.money_out_cents ?? 0);
  for (const [tab, by] of [
    ['Category', 'category'],
    ['Vendor', 'vendor'],
    ['Account', 'account'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await expect.poll(() => footer(page, by).innerText(), { message: by }).toContain(money(sumOf(out)));
  }
});

test('a press anywhere on a row opens the transactions that the line consists of, in any spelling', async () => {
  const page = await dash.open(`/spending?period=custom&from=${monthBack(3)}&to=${last}`, { company, width: 1440 });
  const line = table(page, 'category').getByRole('row', { name: /^Cloud hosting/ });
  const box = await line.locator('td').last().boundingBox();
  if (box === null) throw new Error('The row has no cell.');
  await page.mouse.click(box.x + 3, box.y + 3);
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor();
  await page.getByText(/^7 transactions/).waitFor();
  const search = new URL(page.url()).searchParams;
  expect(Object.fromEntries(search)).toMatchObject({
    month: monthBack(3),
    month_to: last,
    counts: 'true',
    category_key: 'cloud_hosting',
    direction: 'out',
    currency: 'USD',
  });
  search.delete('company');
  const { data } = await dash.api('GET', `/companies/${company}/bank/transactions?${search}`);
  const { rows } = await breakdown(`from=${monthBack(3)}&to=${last}`);
  const own = rows.find(({ key }: Json) => key === 'cloud_hosting');
  expect(-sumOf(data.map(({ amount_cents }: Json) => amount_cents))).toBe(own.total_cents);
  const totals = await page.getByRole('status', { name: 'Totals' }).innerText();
  expect(totals).toContain(`out ${money(own.total_cents)}`);
  expect(totals).toContain(`average a month -${money(Math.round(own.total_cents / 3))}`);
  expect(dash.errors(page)).toEqual([]);
});

test('Enter opens the transactions of a vendor, and what is not counted opens its own', async () => {
  const search = `period=custom&from=${monthBack(3)}&to=${last}&by=counterparty`;
  const page = await dash.open(`/spending?${search}`, { company, width: 1440 });
  await table(page, 'vendor').getByRole('link', { name: 'Example Cloud' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^7 transactions/).waitFor();
  await page.goBack();
  await table(page, 'vendor').getByRole('link', { name: 'Not counted: transfers' }).click();
  await page.getByText(/^3 transactions/).waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('the address keeps period, comparison, account, tab and order: a reload shows the same', async () => {
  const page = await dash.open('/spending', { company, width: 1440 });
  await page.getByLabel('Period').selectOption('last_12_months');
  await page.getByLabel('Compare with').selectOption('none');
  await page.getByLabel('Account').selectOption('card');
  await page.getByRole('tab', { name: 'Vendor' }).click();
  await table(page, 'vendor').getByRole('button', { name: 'Vendor' }).click();
  const search = () => Object.fromEntries(new URL(page.url()).searchParams);
  const chosen = { period: 'last_12_months', compare: 'none', account: 'card', by: 'counterparty', sort: 'name' };
  await expect.poll(search).toMatchObject(chosen);
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    await settled(page);
    const names = table(page, 'vendor').locator('tbody th');
    await expect.poll(() => names.allInnerTexts()).toEqual(['Corner shop', 'EXAMPLE CLOUD']);
    await page.getByRole('columnheader', { name: 'Vendor' }).and(page.locator('[aria-sort="ascending"]')).waitFor();
    expect(await page.getByLabel('Period').inputValue()).toBe('last_12_months');
    expect(await page.getByLabel('Compare with').inputValue()).toBe('none');
    expect(await page.getByRole('columnheader', { name: 'Change' }).count()).toBe(0);
    expect(await footer(page, 'vendor').innerText()).toContain('Total of the account');
  }
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Biggest change' }).click();
  await expect.poll(search).toMatchObject({ sort: 'change', by: 'counterparty' });
  await expect
    .poll(() => table(page, 'vendor').locator('tbody th').allInnerTexts())
    .toEqual(['Example Cloud', 'Payday', 'Corner shop']);
  await page.getByRole('button', { name: 'Biggest change', pressed: true }).click();
  await expect.poll(async () => (await texts(page, 'vendor', 0))[0]).toBe('Payday');
  expect(dash.errors(page)).toEqual([]);
});

test('a period without money says so, and an invalid one says what is allowed', async () => {
  const page = await dash.open('/spending?period=this_month&compare=none', { company, width: 390 });
  await page.getByText('No money has gone out so far').waitFor();
  await page.getByText('No money went out in these months').waitFor();
  expect(await fitsWidth(page)).toBe(true);
  const wrong = await dash.open(`/spending?period=custom&from=${last}&to=${monthBack(3)}`, { company });
  await wrong
    .getByText(/must not be after/)
    .first()
    .waitFor();
  await wrong.getByLabel('First month').fill(monthBack(3));
  await wrong.getByLabel('Last month').fill(last);
  await table(wrong, 'category').waitFor();
});

test('the currencies that the sum leaves out are those of its months, however old, and are not told of one account', async () => {
  const id = await createCompany(dash.api, 'Old Euros');
  const at = { posted_at: `${monthBack(20)}-05T12:00:00Z`, counterparty: 'Shop' };
  await postTransactions(
    dash.api,
    id,
    { ...at, external_id: 'eur', amount_cents: -900, currency: 'EUR', connection_id: 'euros' },
    { ...at, external_id: 'usd', amount_cents: -500, connection_id: 'dollars' },
  );
  const period = `period=custom&from=${monthBack(20)}&to=${monthBack(20)}&compare=none`;
  const page = await dash.open(`/spending?${period}`, { company: id });
  const headline = page.getByText(/^You spent \$5\.00 /);
  await headline.getByText('Money out in EUR is not included.').waitFor();
  await page.getByLabel('Account').selectOption('dollars');
  await expect.poll(() => headline.innerText()).not.toContain('not included');
  const later = await dash.open('/spending', { company: id });
  await settled(later);
  expect(await later.getByText('not included').count()).toBe(0);
});

test('the report of a month has the figures of the service', async () => {
  const page = await dash.open('/', { company, width: 1440 });
  await page.getByRole('link', { name: /^Report for / }).click();
  await page.getByRole('heading', { name: /^Report for /, level: 1 }).waitFor();
  await settled(page);
  expect(new URL(page.url()).pathname).toBe(`/dashboard/reports/${last}`);
  const { months } = await monthly();
  const flows = months.find((one: Json) => one.month === last).flows.find((one: Json) => one.currency === 'USD');
  const figures = page.getByRole('table', { name: /^Cash and burn/ });
  const figure = async (name: string) => (await figures.getByRole('row', { name }).innerText()).split(/\t/).at(-1);
  expect(await figure('Money in')).toBe(money(flows.money_in_cents));
  expect(await figure('Money out')).toBe(money(flows.money_out_cents));
  expect(await figure('Net (in − out)')).toBe(money(flows.net_cents));
  expect(await figure('Net burn')).toBe(money(flows.net_burn_3m_cents));
  const vendor = page.getByRole('table', { name: 'Vendors' }).getByRole('row', { name: /^Example Cloud/ });
  await vendor.getByText(money(345_000)).waitFor();
  await page.getByText('No wire was requested').waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('the copied link of a report is its address; that of the current month says so and has its wires', async () => {
  const wire = await requestWire(dash.api, company);
  const page = await dash.open(`/reports/${monthBack(0)}`, { company, width: 390 });
  await page.getByRole('row', { name: 'Cash now' }).getByText('$300,000.00').waitFor();
  expect(await fitsWidth(page)).toBe(true);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${dash.dashboard_url}/reports/${monthBack(0)}?company=${company}`);
  await page.getByRole('link', { name: wire.beneficiary.name }).click();
  await page.waitForURL(new RegExp(wire.id));
});

test('a month that is none has no report', async () => {
  const page = await dash.open('/reports/2026-13', { company });
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await page.getByRole('link', { name: 'Go to the overview' }).count()).toBe(1);
});

test('paper has the content without navigation, bars and first steps', async () => {
  const page = await dash.open('/', { company, width: 1440 });
  onTestFinished(() => page.emulateMedia({ media: null }));
  const screenOnly = [
    page.getByRole('navigation', { name: 'Main' }),
    page.getByRole('banner'),
    page.getByRole('region', { name: 'Get started' }),
    page.getByRole('link', { name: /^Report for / }),
  ];
  for (const part of screenOnly) expect(await part.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'print' });
  for (const part of screenOnly) await expect.poll(() => part.isVisible()).toBe(false);
  expect(await page.getByRole('region', { name: 'Cash on hand' }).isVisible()).toBe(true);
  const stuck = await page.evaluate(
    () =>
      [...document.querySelectorAll('body *')].filter((element) => {
        const { position } = getComputedStyle(element);
        return ['fixed', 'sticky'].includes(position) && element.getBoundingClientRect().height > 1;
      }).length,
  );
  expect(stuck).toBe(0);
});
