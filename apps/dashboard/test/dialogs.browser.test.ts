// Risk: a live change closes a dialog or removes a form, and what the user typed is lost.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { navigate, setUpDashboard, startAt } from './dashboard-fixture.ts';
import { createCompany, requestWire } from './records.ts';

let page: Page;
const dash = setUpDashboard();
beforeAll(async () => {
  page = await dash.open('/companies');
});

const go = (path: string) => startAt(page, path);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });

async function cancel(name: string): Promise<void> {
  await dialog(name).getByRole('button', { name: 'Cancel', exact: true }).click();
  await dialog(name).waitFor({ state: 'detached' });
}

test('the dialog of a token stays when the bank is disconnected meanwhile', async () => {
  const { id } = await dash.api('POST', `/companies/${dash.company_id}/bank/connections`, { provider: 'sandbox' });
  await go(`/connections/${id}`);
  await press('Store token');
  const token = dialog('Store token').getByLabel('Provider token');
  await token.fill('sandbox-token-77381');
  await dash.api('POST', `/bank/connections/${id}/disconnect`, {});
  await page.getByText('Reconnect bank').waitFor();
  expect(await token.inputValue()).toBe('sandbox-token-77381');
  await cancel('Store token');
});

test('the dialog that dissolves a company stays when another person dissolves it', async () => {
  const id = await createCompany(dash.api, 'Draco');
  await go(`/companies/${id}`);
  await press('Dissolve company');
  const name = dialog('Dissolve Draco?').getByLabel('Company name');
  await name.fill('Draco');
  await dash.api('POST', `/companies/${id}/dissolve`, {});
  await page.getByText(/This company is dissolved/).waitFor();
  expect(await name.inputValue()).toBe('Draco');
  await cancel('Dissolve Draco?');
});

test('the dialog of a formation step stays when another person completes the step', async () => {
  const id = await createCompany(dash.api, 'Eridanus', {
    status: 'forming',
    entity_type: 'llc',
    jurisdiction: 'US-DE',
  });
  const [step] = (await dash.api('GET', `/companies/${id}`)).formation.steps;
  await go(`/companies/${id}`);
  await press(`Complete ${step.label}`);
  const note = dialog(step.label).getByLabel('Note (optional)');
  await note.fill('Filed on paper');
  await dash.api('POST', `/companies/${id}/formation/steps/${step.key}/complete`, { note: 'Filed online' });
  await page.getByText('Filed online').waitFor();
  expect(await note.inputValue()).toBe('Filed on paper');
  await cancel(step.label);
});

test('a dialog above a record stays when the record changes, and closing it leaves the record open', async () => {
  const { id } = await dash.api('POST', `/companies/${dash.company_id}/directives`, { title: 'Ask first' });
  await go(`/directives?company=${dash.company_id}&open=${id}`);
  await press('Suspend');
  const reason = dialog('Suspend “Ask first”?').getByLabel('Reason (optional)');
  await reason.fill('Until the audit');
  await dash.api('POST', `/directives/${id}/resolve`, { resolution: 'completed' });
  await page.getByText('Resolution', { exact: true }).waitFor();
  expect(await reason.inputValue()).toBe('Until the audit');
  await cancel('Suspend “Ask first”?');
  await dialog('Ask first').waitFor();
});

test('the dialog of a row stays when the row loses its button', async () => {
  const endpoint = await dash.api('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/dialogs' });
  await dash.api('POST', `/companies/${dash.company_id}/cases`, { title: 'To be replayed' });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const replay = await dash.api('POST', `/webhook-endpoints/${endpoint.id}/replay`, { since, only: 'all' });
  await go(`/settings/webhooks/${endpoint.id}?tab=replays`);
  await press('Cancel replay');
  await dash.api('POST', `/replays/${replay.id}/cancel`, {});
  await page.locator('td', { hasText: 'cancelled' }).first().waitFor();
  expect(await dialog('Cancel this replay?').isVisible()).toBe(true);
  await cancel('Cancel this replay?');
});

test('a dialog does what its button said, even if another person did it first', async () => {
  const company = { company_id: dash.company_id };
  const { id } = await dash.api('POST', '/agents', { name: 'Clerk', provider: 'example', ...company });
  await go(`/agents/${id}`);
  await press('Pause agent');
  await dash.api('POST', `/agents/${id}/pause`, { reason: 'Already under review' });
  await page.getByText('Already under review').waitFor();
  await dialog('Pause Clerk?').getByRole('button', { name: 'Pause agent' }).click();
  await dialog('Pause Clerk?').waitFor({ state: 'detached' });
  expect(await dash.api('GET', `/agents/${id}`)).toMatchObject({ status: 'paused' });
});

test('typed text of a form in a record stays when another person submits the record', async () => {
  const filing = await dash.api('POST', `/companies/${dash.company_id}/filings`, {
    type: 'other',
    title: 'Annual report',
    due_date: '2030-03-01',
  });
  await go(`/compliance?company=${dash.company_id}&filing=${filing.id}`);
  const record = dialog('Annual report');
  const number = record.getByLabel('Confirmation number (optional)');
  await number.fill('DE-2');
  await dash.api('POST', `/filings/${filing.id}/submit`, { confirmation_number: 'DE-1' });
  await record.getByText('DE-1').waitFor();
  expect(await number.inputValue()).toBe('DE-2');
  await record.getByRole('button', { name: 'Mark as submitted' }).click();
  await number.waitFor({ state: 'detached' });
  // Only a submission of one's own can be undone.
  await page.getByText('Annual report was already submitted.').waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
});

test('a comment on a wire stays while the wire is cancelled, until its form is closed', async () => {
  const wire = await requestWire(dash.api, dash.company_id);
  const other = await dash.open(`/approvals/${wire.id}`, { key: await dash.createPerson('Reviewer') });
  await other.getByRole('button', { name: 'Approve…' }).click();
  const comment = other.getByLabel('Comment');
  await comment.fill('Matches the order');
  await dash.api('POST', `/bank/approvals/${wire.id}/cancel`, {});
  await other.getByText('Cancelled', { exact: true }).waitFor();
  expect(await comment.inputValue()).toBe('Matches the order');
  await other.getByRole('button', { name: 'Cancel', exact: true }).click();
  await other.getByText(/Cancelled. Record/).waitFor();
  expect(await comment.count()).toBe(0);
});

test('Back to another page of the same kind closes the dialog', async () => {
  const [first, second] = [await createCompany(dash.api, 'Fornax'), await createCompany(dash.api, 'Grus')];
  await go(`/companies/${first}`);
  await navigate(page, `/companies/${second}`);
  await press('Edit company');
  await dialog('Edit Grus').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Fornax', level: 1 }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('a late answer of a closed dialog does not close the next one', async () => {
  const id = await createCompany(dash.api, 'Hydra');
  await go(`/companies/${id}`);
  const [sent, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    '**/trpc/companies.update',
    async (route) => {
      sent.resolve();
      await answer.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await press('Edit company');
  await dialog('Edit Hydra').getByLabel('Name', { exact: true }).fill('Hydrus');
  await dialog('Edit Hydra').locator('[type=submit]').click();
  await sent.promise;
  await cancel('Edit Hydra');
  await press('Dissolve company');
  const name = dialog(/^Dissolve/).getByLabel('Company name');
  await name.fill('Hyd');
  answer.resolve();
  await page.getByRole('heading', { name: 'Hydrus', level: 1, includeHidden: true }).waitFor({ state: 'attached' });
  expect(await name.inputValue()).toBe('Hyd');
  await cancel('Dissolve Hydra?');
});

test('a dialog closes when Back chooses another company on the same page', async () => {
  const other = await createCompany(dash.api, 'Indus');
  await go(`/transactions?company=${dash.company_id}`);
  await navigate(page, `/transactions?company=${other}`);
  await press('Add transaction');
  await dialog('Add transaction').waitFor();
  await page.goBack();
  await dialog('Add transaction').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('company')).toBe(dash.company_id);
});

test('a dialog closes when Back shows another tab', async () => {
  const { id } = await dash.api('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/tabs' });
  await go(`/settings/webhooks/${id}`);
  await navigate(page, `/settings/webhooks/${id}?tab=replays`);
  await press('Edit');
  await dialog('Edit endpoint').waitFor();
  await page.goBack();
  await dialog('Edit endpoint').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.has('tab')).toBe(false);
});

test('no page had an error', () => {
  expect(dash.errors(page)).toEqual([]);
});
