// Risk: a new attempt removes what a developer reads or has typed about a delivery.
import { type Receiver, startReceiver } from '@finhook/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { navigate, setUpDashboard, startAt } from './dashboard-fixture.ts';
import { postBalance } from './records.ts';

let receiver: Receiver;
let page: Page;
const dash = setUpDashboard();
beforeAll(async () => {
  receiver = await startReceiver();
  page = await dash.open('/companies');
});
afterAll(() => receiver.close());

/** Posts a balance and returns the delivery of its event to a new endpoint. */
async function deliver(path: string): Promise<string> {
  const endpoint = { url: receiver.url + path, events: ['bank.balance.updated'], retry_schedule: [3_600] };
  const { id } = await dash.api('POST', '/webhook-endpoints', endpoint);
  await postBalance(dash.api, dash.company_id, 100, { connection_id: path.slice(1) });
  await receiver.waitFor((all) => all.some((request) => request.path === path));
  return (await dash.api('GET', `/deliveries?endpoint_id=${id}`)).data[0].id;
}

test('an open attempt stays open when a newer one arrives', async () => {
  receiver.script('/read', { status: 500, body: 'Not now' });
  const id = await deliver('/read');
  await startAt(page, `/settings/webhooks?tab=deliveries&delivery=${id}`);
  const first = page.getByRole('group').filter({ hasText: 'Attempt 1' });
  await first.getByText('Failed: 500').waitFor();
  expect(await first.getAttribute('open')).not.toBe(null);
  await dash.api('POST', `/deliveries/${id}/retry`, {});
  await page.getByText('Attempts (2)').waitFor();
  expect(await first.getAttribute('open')).not.toBe(null);
  expect(await page.getByLabel('Response body of attempt 1').isVisible()).toBe(true);
});

test('typed headers stay in the signature checker when the first attempt ends', async () => {
  receiver.script('/held', { status: 200, held: true });
  const id = await deliver('/held');
  await startAt(page, `/settings/webhooks?tab=check&check=${id}`);
  const headers = page.getByLabel('Headers', { exact: true });
  await headers.fill('webhook-id: evt_typed');
  receiver.release('/held');
  await expect.poll(async () => (await dash.api('GET', `/deliveries/${id}`)).attempts.length).toBe(1);
  const refetched = page.waitForResponse(
    async (response) => response.url().includes('deliveries.get') && (await response.text()).includes('"attempts":[{'),
  );
  // Attempts emit no event.
  await postBalance(dash.api, dash.company_id, 200, { connection_id: 'another' });
  await refetched;
  await navigate(page, `/settings/webhooks?tab=check&check=${id}`);
  expect(await headers.inputValue()).toBe('webhook-id: evt_typed');
});

test('no page had an error', () => {
  expect(dash.errors(page)).toEqual([]);
});
