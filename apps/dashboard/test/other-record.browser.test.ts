// Risk: text that was typed for one record is shown for another, and saved there.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { navigate, setUpDashboard, startAt } from './dashboard-fixture.ts';
import { requestWire } from './records.ts';

let page: Page;
const dash = setUpDashboard();
beforeAll(async () => {
  page = await dash.open('/companies');
});

/** Shows the second record, which makes it known to the page, and then the first. */
async function openFirst(first: string, second: string): Promise<void> {
  await startAt(page, second);
  await navigate(page, first);
}

test('the panel of a filing that follows another one is empty', async () => {
  const create = async (title: string): Promise<string> => {
    const filing = { type: 'other', title, due_date: '2030-03-01' };
    const { id } = await dash.api('POST', `/companies/${dash.company_id}/filings`, filing);
    return `/compliance?company=${dash.company_id}&filing=${id}`;
  };
  const [first, second] = [await create('Annual report'), await create('Franchise tax')];
  await openFirst(first, second);
  const number = page.getByLabel('Confirmation number (optional)');
  await number.fill('DE-1');
  await navigate(page, second);
  await page.getByRole('dialog', { name: 'Franchise tax' }).waitFor();
  expect(await number.inputValue()).toBe('');
});

test('a decision that was begun for one wire is not offered for the next', async () => {
  const of = async (name: string): Promise<string> => {
    const { id } = await requestWire(dash.api, dash.company_id, { beneficiary: { name, account_last4: '4321' } });
    return `/approvals/${id}`;
  };
  const [first, second] = [await of('Landlord'), await of('Notary')];
  await openFirst(first, second);
  await page.getByRole('button', { name: 'Cancel wire…' }).click();
  await page.getByRole('region', { name: 'Cancel this wire' }).waitFor();
  await navigate(page, second);
  await page.getByRole('heading', { name: 'Wire to Notary', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Cancel wire…' }).waitFor();
  expect(await page.getByRole('region', { name: 'Cancel this wire' }).count()).toBe(0);
});

test('the page of a case that follows another one has an empty comment', async () => {
  const create = async (title: string): Promise<string> =>
    `/cases/${(await dash.api('POST', `/companies/${dash.company_id}/cases`, { title })).id}`;
  const [first, second] = [await create('A notice'), await create('A dispute')];
  await openFirst(first, second);
  const comment = page.getByLabel('Comment', { exact: true });
  await comment.fill('For the notice only');
  await navigate(page, second);
  await page.getByRole('heading', { name: 'A dispute', level: 1 }).waitFor();
  expect(await comment.inputValue()).toBe('');
});

test('a choice keeps a value that it no longer offers, and shows its name', async () => {
  const company = { company_id: dash.company_id };
  const agent = await dash.api('POST', '/agents', { name: 'Runner', provider: 'example', ...company });
  await dash.api('PUT', `/agents/${agent.id}/runtime-snapshot`, { runtime: 'r/1', state: 'idle', ...company });
  await dash.api('POST', `/agents/${agent.id}/detach`, company);
  const { name } = await dash.api('GET', `/companies/${dash.company_id}`);
  await startAt(page, `/agents/${agent.id}?tab=runtime`);
  await page.getByRole('button', { name: 'Store checkpoint' }).click();
  const choice = page.getByRole('dialog', { name: 'Store checkpoint' }).getByLabel('Company');
  expect(await choice.inputValue()).toBe(dash.company_id);
  await expect.poll(() => choice.locator('option:checked').textContent()).toBe(name);

  await startAt(page, '/settings/webhooks?tab=deliveries&endpoint_id=we_1');
  const endpoint = page.getByLabel('Endpoint', { exact: true });
  expect(await endpoint.locator('option:checked').textContent()).toBe('we_1 (no longer offered)');
});

test('no page had an error', () => {
  expect(dash.errors(page).filter((error) => !error.includes('404'))).toEqual([]);
});
