// Risk: a figure is stored differently than typed, a filter or an export shows other rows, or a long list has no end.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { exportedFile, setUpDashboard } from './dashboard-fixture.ts';
import { failRead } from './fail-read.ts';
import { createCompany, postBalance, postTransactions } from './records.ts';

const dash = setUpDashboard();

const zone = { timezone: 'America/New_York' };
const post = (id: string, ...rows: readonly object[]) => postTransactions(dash.api, id, ...rows);
const table = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true });

test('a transaction that is added manually is stored to the minor unit, and links to its event', async () => {
  const id = await createCompany(dash.api, 'Manual Inc', zone);
  const page = await dash.open('/transactions', { company: id });
  await page.getByText('No transactions yet').waitFor();
  await page.getByRole('button', { name: 'Add transaction' }).click();
  const form = page.getByRole('dialog', { name: 'Add transaction' });
  await form.getByLabel('Amount (USD)').fill('1.155');
  await form.getByLabel('Description').fill('Stamps');
  await form.getByRole('button', { name: 'Add transaction' }).click();
  await form.getByText('USD has 2 digits after the point').waitFor();
  await form.getByLabel('Amount (USD)').fill('1.15');
  await form.getByRole('button', { name: 'Add transaction' }).click();

  await table(page, 'Transactions').getByRole('link', { name: 'Stamps' }).click();
  const details = page.getByRole('dialog', { name: 'Transaction' });
  await details.getByText('-$1.15').waitFor();
  const { data } = await dash.api('GET', `/companies/${id}/bank/transactions`);
  expect(data).toMatchObject([{ amount_cents: -115, currency: 'USD', description: 'Stamps', source: 'dashboard' }]);
  await details.getByRole('link', { name: 'View event and deliveries' }).click();
  await page.waitForURL(/\/events\/evt_/);
  const event = await dash.api('GET', `/events/${page.url().match(/evt_\w+/)?.[0]}`);
  expect(event.data.transactions[0].id).toBe(data[0].id);
});

test('filters are in the URL, select the same rows in table and export, and are cleared', async () => {
  const id = await createCompany(dash.api, 'Filtered Inc', zone);
  await post(
    id,
    { description: 'Rent', amount_cents: -250_000, category: 'rent' },
    { description: 'Coffee', amount_cents: -450, category: 'meals' },
    { description: 'Sale', amount_cents: 300_000, category: 'sales' },
    { description: 'Sale in yen', amount_cents: 5_000, currency: 'JPY' },
  );
  const page = await dash.open('/transactions', { company: id });
  const rows = table(page, 'Transactions').getByRole('link');
  await page.getByText('4 transactions').waitFor();
  await page.getByLabel('Direction').selectOption('out');
  await page.getByText('More filters').click();
  await page.getByLabel('At most (USD)').fill('-4.51');
  await page.getByText(/^1 transaction$/).waitFor();
  expect(await rows.allInnerTexts()).toEqual(['Rent']);

  await page.reload();
  await page.getByText(/^1 transaction$/).waitFor();
  await page.getByRole('button', { name: 'Remove filter At most (USD): -4.51' }).waitFor();
  await page.getByText('More filters').click();
  expect(await page.getByLabel('At most (USD)').inputValue()).toBe('-4.51');
  const csv = await exportedFile(page, 'Raw CSV');
  expect(csv.trim().split('\r\n')).toHaveLength(2);
  expect(csv).toContain('Rent');

  await page.getByLabel('At most (USD)').fill('4.5.1');
  await page.getByText('The amount filter is invalid').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('4 transactions').waitFor();
  expect(new URL(page.url()).search).not.toContain('direction');
});

test('selected transactions are added up, classified and voided; one of them makes a rule, which can be removed', async () => {
  const id = await createCompany(dash.api, 'Corrected Inc', zone);
  await post(
    id,
    { description: 'BREX CARD PMT', amount_cents: -1_500_000 },
    { description: 'BREXIT LEGAL', amount_cents: -70_000 },
    { description: 'Refund', amount_cents: 500, currency: 'EUR' },
  );
  const page = await dash.open('/transactions', { company: id });
  const bar = page.getByRole('region', { name: 'Selection' });
  await page.getByLabel('Select BREX CARD PMT').check();
  await page.getByLabel('Select BREXIT LEGAL').check();
  await page.getByLabel('Select Refund').check();
  await bar.getByText('3 transactions').waitFor();
  expect(await bar.getByRole('status').innerText()).toBe('3 transactions · -$15,700.00 · €5.00');
  await bar.getByRole('button', { name: 'Set class' }).click();
  await page.getByRole('menuitem', { name: /^Financing/ }).click();
  await page.getByText('3 transactions changed.').waitFor();
  const stored = async () => (await dash.api('GET', `/companies/${id}/bank/transactions`)).data;
  expect((await stored()).map(({ flow_class }: { flow_class: string }) => flow_class)).toEqual(
    Array.from({ length: 3 }, () => 'financing'),
  );

  await page.getByLabel('Select Refund').check();
  await bar.getByRole('button', { name: 'Void' }).click();
  await page.getByRole('dialog', { name: 'Void 1 transaction?' }).getByRole('button', { name: 'Void' }).click();
  await page.getByText('1 transaction changed.').waitFor();
  const voided = (await stored()).filter((row: { voided_at: string | null }) => row.voided_at !== null);
  expect(voided).toMatchObject([{ description: 'Refund' }]);

  await page.getByLabel('Select BREX CARD PMT').check();
  await bar.getByRole('button', { name: 'Make a rule' }).click();
  const rule = page.getByRole('dialog', { name: 'Make a rule' });
  expect(await rule.getByLabel('Text').inputValue()).toBe('BREX CARD PMT');
  await rule.getByLabel('Text').fill('brex');
  await rule.getByText('2 stored transactions').waitFor();
  await rule.getByLabel('Text').fill('brex card');
  await rule.getByText('1 stored transaction ').waitFor();
  await rule.getByLabel('Class').selectOption('transfer');
  await rule.getByRole('button', { name: 'Save rule' }).click();
  await rule.waitFor({ state: 'detached' });
  const rules = async () => (await dash.api('GET', `/companies/${id}/financials/settings`)).flow_rules;
  expect(await rules()).toEqual([{ contains: 'brex card', direction: 'out', flow_class: 'transfer' }]);
  await page.getByRole('link', { name: 'Companies', exact: true }).click();
  await page.getByRole('link', { name: 'Corrected Inc' }).click();
  await page.getByRole('button', { name: 'Remove the rule for brex card' }).click();
  await page.getByText('No rules yet.').waitFor();
  expect(await rules()).toEqual([]);
  expect(dash.errors(page)).toEqual([]);
});

test('a void that fails says so in its dialog, which stays with the selection until it succeeds', async () => {
  const id = await createCompany(dash.api, 'Voided Inc', zone);
  await post(id, { description: 'Fee', amount_cents: -100 });
  const page = await dash.open('/transactions', { company: id });
  await page.getByLabel('Select Fee').check();
  await page.getByRole('button', { name: 'Void' }).click();
  const dialog = page.getByRole('dialog', { name: 'Void 1 transaction?' });
  const problem = { code: 'unavailable', status: 503, detail: 'The database is away.', retryable: true };
  const error = { message: problem.detail, code: -32603, data: { problem } };
  const fail = { status: 503, json: { error } };
  await page.route('**/trpc/bank.transactions.update', (route) => route.fulfill(fail), { times: 1 });
  await dialog.getByRole('button', { name: 'Void' }).click();
  await dialog.getByRole('alert').getByText(problem.detail).waitFor();
  expect(await page.getByLabel('Select Fee').isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Void' }).click();
  await dialog.waitFor({ state: 'detached' });
  const [row] = (await dash.api('GET', `/companies/${id}/bank/transactions`)).data;
  expect(row.voided_at).not.toBe(null);
});

test('an open record stays visible when it can’t be refetched', async () => {
  const id = await createCompany(dash.api, 'Kept Inc', zone);
  await post(id, { description: 'Rent' });
  const directive = await dash.api('POST', `/companies/${id}/directives`, { title: 'Ask first' });
  const rows = await dash.open('/transactions', { company: id });
  await rows.getByRole('link', { name: 'Rent' }).click();
  const directives = await dash.open(`/directives?open=${directive.id}`, { company: id });
  const problem = { code: 'unavailable', status: 403, detail: 'It can’t be read now.', retryable: false };
  for (const [page, read, shown, change] of [
    [rows, 'bank.transactions.get', 'Received', () => post(id, { external_id: 'other', description: 'Power' })],
    [directives, 'directives.get', 'Issued by', () => dash.api('POST', `/directives/${directive.id}/suspend`, {})],
  ] as const) {
    const dialog = page.getByRole('dialog');
    await dialog.getByText(shown).waitFor();
    const { failures } = await failRead(page, read, problem);
    await change();
    await expect.poll(failures).toBeGreaterThan(0);
    await page
      .locator('tbody')
      .getByText(read === 'directives.get' ? 'Suspended' : 'Power')
      .first()
      .waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
    expect(await dialog.getByText(shown).count()).toBe(1);
  }
});

test('a balance is added and corrected, and the latest of each account is shown alone', async () => {
  const id = await createCompany(dash.api, 'Balanced Inc', zone);
  await postBalance(dash.api, id, 100, { as_of: '2026-01-31' });
  await postBalance(dash.api, id, 200, { as_of: '2026-02-28' });
  const page = await dash.open('/balances', { company: id });
  await page.getByText('2 rows').waitFor();
  await page.getByRole('button', { name: 'Add balance' }).click();
  const form = page.getByRole('dialog', { name: 'Add balance' });
  await form.getByLabel('As of').fill('2026-03-01');
  await form.getByLabel('Account id').fill('savings');
  await form.getByLabel('Currency').fill('kwd');
  await form.getByLabel('Balance (KWD)').fill('-0.005');
  await form.getByRole('button', { name: 'Add balance' }).click();
  await page.getByText('3 rows').waitFor();

  await page.getByLabel('Latest balance per account only').check();
  await page
    .getByRole('status', { name: 'Totals' })
    .filter({ hasText: '2 accounts · Cash KWD -KWD 0.005 · USD $2.00' })
    .waitFor();
  await page.getByRole('link', { name: '28 Feb 2026' }).click();
  await page.getByRole('button', { name: 'Correct balance' }).click();
  const correction = page.getByRole('dialog', { name: 'Correct balance' });
  expect(await correction.getByLabel('Balance (USD)').inputValue()).toBe('2.00');
  await correction.getByLabel('Balance (USD)').fill('2.29');
  await correction.getByRole('button', { name: 'Correct balance' }).click();
  await page.getByRole('dialog', { name: 'Balance', exact: true }).getByText('$2.29').waitFor();
  const { data } = await dash.api('GET', `/companies/${id}/cash/balances?latest=true`);
  expect(data).toMatchObject([
    { as_of: '2026-03-01', balance_cents: -5, currency: 'KWD', connection_id: 'savings' },
    { as_of: '2026-02-28', balance_cents: 229, currency: 'USD', connection_id: 'operating' },
  ]);
});

test('a statement is posted as JSON: errors at their lines, then the sheet, its checks and the changes of a correction', async () => {
  const id = await createCompany(dash.api, 'Booked Inc', zone);
  const page = await dash.open('/financials?type=balance', { company: id });
  await page.getByText('No balance sheet yet').waitFor();
  await page.getByRole('button', { name: 'Post statement' }).click();
  const form = page.getByRole('dialog', { name: 'Post statement' });
  const example = await form.getByLabel('Statement as JSON').inputValue();
  await form.getByRole('button', { name: 'Post statement' }).click();
  await form.getByText('contains the example figures').waitFor();
  await form.getByLabel('Statement as JSON').fill('');
  await form.getByRole('button', { name: 'Post statement' }).click();
  await form.getByText('Enter a single JSON object.').waitFor();
  expect((await dash.api('GET', `/companies/${id}/financials/snapshots`)).data).toEqual([]);
  const text = example.replaceAll('41250000', '41350000').replaceAll('1250000', '1350000');
  await form.getByLabel('Statement as JSON').fill(text.replace('2026-02-28', '2026-02-30'));
  await form.getByRole('button', { name: 'Post statement' }).click();
  await form.getByText('/period_end').waitFor();
  await form.getByRole('button', { name: 'Line 3' }).waitFor();
  await form.getByLabel('Statement as JSON').fill(text);
  await form.getByRole('button', { name: 'Post statement' }).click();
  await form.getByRole('button', { name: 'View statement' }).click();
  await page.getByText('Assets = liabilities + equity').waitFor();
  await page
    .getByRole('table', { name: /: assets$/ })
    .getByText('413,500.00')
    .first()
    .waitFor();

  await page.getByRole('button', { name: 'Correct statement' }).click();
  const correction = page.getByRole('dialog', { name: 'Correct statement' });
  const before = await correction.getByLabel('Statement as JSON').inputValue();
  await correction.getByLabel('Statement as JSON').fill(before.replace('40000000', '39000000'));
  await correction.getByRole('button', { name: 'Correct statement' }).click();
  await correction.getByText('Current version: 2').waitFor();
  await correction.getByRole('button', { name: 'View statement' }).click();
  await table(page, 'Version 1 compared with version 2').getByText('-$10,000.00').waitFor();
  await page.getByText('1 of 6 lines changed.').waitFor();
  await page
    .getByText(/\d failed/)
    .first()
    .waitFor();
  const { data } = await dash.api('GET', `/companies/${id}/financials/snapshots`);
  expect(data).toMatchObject([{ statement_type: 'balance', revision: 2, source: 'dashboard' }]);
  // The browser itself logs the rejected post.
  expect(dash.errors(page).filter((error) => !error.includes('status of 422'))).toEqual([]);
});
