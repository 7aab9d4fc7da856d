// Risk: saving a form silently replaces what somebody else saved since the form was opened.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { setUpDashboard, startAt } from './dashboard-fixture.ts';
import { createCompany, day, postBalance } from './records.ts';

let page: Page;
let colleague: string;
const dash = setUpDashboard();
beforeAll(async () => {
  colleague = await dash.createPerson('Maria');
  page = await dash.open('/companies');
});

const go = (path: string) => startAt(page, path);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('rates that somebody else stored meanwhile are shown, and are replaced or kept as the user decides', async () => {
  const store = (USD: string) =>
    dash.api('PUT', '/fx-rates', { base: 'EUR', as_of: day(0), rates: { USD }, source: 'ECB' }, colleague);
  const stored = async () => (await dash.api('GET', '/fx-rates')).rates;
  await go(`/companies/${dash.company_id}`);
  const panel = page.getByRole('region', { name: 'Exchange rates' });
  const rates = panel.getByLabel('Rates', { exact: true });
  const conflict = panel.getByRole('alert');
  // The form began without any rates.
  await panel.getByLabel('Base currency').fill('EUR');
  await panel.getByLabel('Day of the rates').fill(day(0));
  await rates.fill('USD: 1.10');
  await store('1.08');
  await press('Save rates');
  await conflict.getByText('Maria changed this while you edited it').waitFor();
  expect(await conflict.locator('dd').allTextContents()).toEqual(['USD: 1.08', 'ECB']);
  expect(await stored()).toEqual({ USD: '1.08' });
  expect(await rates.inputValue()).toBe('USD: 1.10');
  // What is stored after the question is another change.
  await store('1.09');
  await press('Save mine instead');
  await conflict.getByText('USD: 1.09').waitFor();
  expect(await stored()).toEqual({ USD: '1.09' });
  await press('Save mine instead');
  await page.getByText('Rates saved. Totals are recalculated.').first().waitFor();
  expect(await stored()).toEqual({ USD: '1.10' });
  await expect.poll(() => conflict.count()).toBe(0);

  await rates.fill('USD: 1.20');
  await store('1.11');
  await press('Save rates');
  await press('Discard mine');
  await expect.poll(() => rates.inputValue()).toBe('USD: 1.11');
  expect(await conflict.count()).toBe(0);
  expect(await stored()).toEqual({ USD: '1.11' });
});

test('a save whose response was lost is no change by others', async () => {
  await go(`/companies/${dash.company_id}`);
  const panel = page.getByRole('region', { name: 'Exchange rates' });
  await panel.getByLabel('Rates', { exact: true }).fill('USD: 1.30');
  const problem = { code: 'unavailable', status: 503, detail: 'It may or may not have been stored.', retryable: true };
  const error = { message: problem.detail, code: -32603, data: { problem } };
  await page.route(
    '**/trpc/fxRates.put',
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 503, json: { error } });
    },
    { times: 1 },
  );
  await press('Save rates');
  await panel.getByText(problem.detail).waitFor();
  await press('Save rates');
  await expect.poll(() => panel.getByRole('alert').count()).toBe(0);
  expect((await dash.api('GET', '/fx-rates')).rates).toEqual({ USD: '1.30' });
});

test('an edited field that somebody else changed is a conflict, another field is none', async () => {
  const id = await createCompany(dash.api, 'Lyra');
  const dialog = page.getByRole('dialog', { name: 'Edit Lyra' });
  await go(`/companies/${id}`);
  await press('Edit company');
  await dialog.getByLabel('Legal name').fill('Lyra Inc');
  await dash.api('PATCH', `/companies/${id}`, { legal_name: 'Lyra LLC', tax_id_last4: '1234' }, colleague);
  await press('Save company');
  const conflict = dialog.getByRole('alert');
  await conflict.getByText('Maria changed this while you edited it').waitFor();
  expect(await conflict.locator('dt, dd').allTextContents()).toEqual(['Legal name', 'Lyra LLC']);
  await press('Discard mine');
  await dialog.waitFor({ state: 'detached' });
  expect(await dash.api('GET', `/companies/${id}`)).toMatchObject({ legal_name: 'Lyra LLC', tax_id_last4: '1234' });
});

test('a balance that was posted again while it was being corrected is shown as an amount', async () => {
  const id = await createCompany(dash.api, 'Vela');
  await postBalance(dash.api, id, 1_000_00);
  await go(`/balances?company=${id}`);
  await page.getByRole('table').getByRole('link').first().click();
  await press('Correct balance');
  const dialog = page.getByRole('dialog', { name: 'Correct balance' });
  await dialog.getByLabel('Balance (USD)').fill('1200');
  await postBalance(dash.api, id, 1_100_00);
  await dialog.getByRole('button', { name: 'Correct balance' }).click();
  await dialog.getByRole('alert').getByText('1100.00').waitFor();
  await press('Save mine instead');
  await dialog.waitFor({ state: 'detached' });
  const [balance] = (await dash.api('GET', `/companies/${id}/cash/balances`)).data;
  expect(balance.balance_cents).toBe(1_200_00);
});

test('a correction of a statement does not replace a newer revision unseen', async () => {
  const id = await createCompany(dash.api, 'Pavo');
  const post = (revenue: number) =>
    dash.api('POST', `/companies/${id}/financials/snapshots`, {
      statement_type: 'income',
      period_start: '2026-02-01',
      period_end: '2026-02-28',
      currency: 'USD',
      totals: { revenue },
    });
  await post(100);
  await go(`/financials?company=${id}`);
  await press('Correct statement');
  const dialog = page.getByRole('dialog', { name: 'Correct statement' });
  const text = dialog.getByLabel('Statement as JSON');
  await text.fill((await text.inputValue()).replace('"revenue": 100', '"revenue": 300'));
  const { id: snapshot } = await post(200);
  await dialog.getByRole('button', { name: 'Correct statement' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/"revenue": 200|revenue: 200/)
    .waitFor();
  await press('Save mine instead');
  await dialog.getByText('Correction posted.', { exact: false }).waitFor();
  const now = await dash.api('GET', `/companies/${id}/financials/snapshots/${snapshot}`);
  expect([now.revision, now.totals.revenue]).toEqual([3, 300]);
});

test('a rule that is removed leaves a rule that somebody else has just added', async () => {
  const id = await createCompany(dash.api, 'Norma');
  const settings = `/companies/${id}/financials/settings`;
  const rule = (contains: string) => ({ contains, flow_class: 'transfer' });
  await dash.api('PATCH', settings, { flow_rules: [rule('acme')] });
  await go(`/companies/${id}`);
  const remove = page.getByRole('button', { name: 'Remove the rule for acme' });
  await remove.waitFor();
  await dash.api('PATCH', settings, { flow_rules: [rule('acme'), rule('brex')] }, colleague);
  await remove.click();
  await page.getByRole('button', { name: 'Remove the rule for brex' }).waitFor();
  expect((await dash.api('GET', settings)).flow_rules).toEqual([rule('brex')]);
});
