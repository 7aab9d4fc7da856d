// Risk: a developer can't find why an event did not arrive, or loses the place while reading its attempts.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { navigate, settled, setUpDashboard, setUpReceiver, startAt } from './dashboard-fixture.ts';
import { failRead } from './fail-read.ts';
import { postBalance } from './records.ts';

let page: Page;
const dash = setUpDashboard();
const receiver = setUpReceiver();
beforeAll(async () => {
  page = await dash.open('/companies');
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const pane = () => page.getByRole('region', { name: 'Delivery', exact: true });
const showing = (id = '') => pane().getByText(id, { exact: true }).waitFor();
const rows = () => page.getByRole('group', { name: 'Deliveries', exact: true }).locator('a[data-delivery]');
const shownId = () => new URL(page.url()).searchParams.get('delivery');
const idsIn = () => rows().evaluateAll((links) => links.map((link) => link.dataset['delivery']));

async function createEndpoint(path: string, options: object = {}): Promise<string> {
  const endpoint = { url: receiver.url + path, events: ['bank.balance.updated'], retry_schedule: [3_600], ...options };
  return (await dash.api('POST', '/webhook-endpoints', endpoint)).id;
}

/** Posts balances, and returns the deliveries of their events to the endpoint, newest first, once each has an attempt. */
async function deliver(endpoint: string, ...connections: string[]): Promise<{ id: string; event_id: string }[]> {
  const list = async () => (await dash.api('GET', `/deliveries?endpoint_id=${endpoint}`)).data;
  const before = (await list()).length;
  for (const connection_id of connections) await postBalance(dash.api, dash.company_id, 100, { connection_id });
  const arrived = async () => (await list()).filter((one: { attempt_count: number }) => one.attempt_count > 0).length;
  await expect.poll(arrived).toBe(before + connections.length);
  return list();
}

/** A delivery with one failed attempt. */
async function deliverOne(path: string): Promise<string> {
  const [delivery] = await deliver(await createEndpoint(path), path.slice(1));
  return delivery?.id ?? '';
}

test('an event id in the box shows its deliveries, a delivery id opens one, and other text is an error', async () => {
  const first = await createEndpoint('/one');
  const second = await createEndpoint('/two');
  await deliver(first, 'a', 'b');
  const [delivery] = await deliver(second, 'c');
  const { event_id = '', id = '' } = delivery ?? {};
  await startAt(page, '/settings/webhooks?tab=deliveries');
  const box = page.getByLabel('ID', { exact: true });
  await box.fill(` ${event_id}`);
  await expect.poll(() => rows().count()).toBe(2);
  await page.getByText('Deliveries of this event').waitFor();
  expect(new URL(page.url()).searchParams.get('id')).toBe(event_id);
  await page
    .getByRole('row', { name: /Balance · c/ })
    .first()
    .waitFor();

  const balance = (await dash.api('GET', `/events/${event_id}`)).data.id;
  await box.fill(balance);
  await page.getByText('Deliveries of events about this record').waitFor();
  await expect.poll(() => rows().count()).toBe(2);

  await box.fill(id);
  await pane().getByText('Attempts (1)').waitFor();
  expect(shownId()).toBe(id);
  await box.fill('the one of yesterday');
  await page.getByText('Enter an ID, such as').waitFor();
  await button('Clear filters').click();
  await expect.poll(() => rows().count()).toBeGreaterThan(2);
});

test('the brush selects hours by keys and by pointer, and the list follows it', async () => {
  const [delivery] = await deliver(await createEndpoint('/brushed'), 'brushed');
  await startAt(page, `/settings/webhooks?tab=deliveries&range=day&id=${delivery?.event_id}`);
  await expect.poll(() => rows().count()).toBeGreaterThan(0);
  const until = page.getByRole('slider', { name: 'To hour' });
  expect(await until.getAttribute('aria-valuetext')).toContain('succeeded');
  await until.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.getByText('No deliveries match the filters').waitFor();
  expect(new URL(page.url()).searchParams.get('to')).toMatch(/:00:00\.000Z$/);
  await page.keyboard.press('End');
  await expect.poll(() => rows().count()).toBeGreaterThan(0);
  expect(new URL(page.url()).searchParams.get('to')).toBe(null);

  const box = await page.getByRole('img', { name: /^Deliveries per hour/ }).boundingBox();
  if (!box) throw new Error('There is no chart.');
  await page.mouse.move(box.x + box.width * 0.2, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.getByText('No deliveries match the filters').waitFor();
  await button('Show all hours').click();
  await expect.poll(() => rows().count()).toBeGreaterThan(0);
});

test('arrow keys move along the list and the pane follows; Escape closes it and the focus returns to the row', async () => {
  await deliver(await createEndpoint('/walked'), 'w1', 'w2', 'w3');
  await startAt(page, '/settings/webhooks?tab=deliveries&event_type=bank.balance.updated');
  await rows().nth(2).waitFor();
  const ids = await idsIn();
  await rows().nth(0).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await showing(ids[1]);
  await page.keyboard.press('ArrowDown');
  await showing(ids[2]);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await showing(ids[0]);
  expect(await rows().nth(0).getAttribute('aria-current')).not.toBe(null);
  await pane().getByRole('button', { name: 'Next delivery' }).click();
  await showing(ids[1]);
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await pane().waitFor({ state: 'detached' });
  const focused = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['delivery']);
  await expect.poll(focused).toBe(ids[1]);

  await rows().nth(2).click();
  await pane().waitFor();
  await page.goBack();
  await pane().waitFor({ state: 'detached' });
  await expect.poll(focused).toBe(ids[2]);
});

test('on a phone the delivery fills the screen', async () => {
  const id = await deliverOne('/small');
  await page.setViewportSize({ width: 390, height: 900 });
  await startAt(page, `/settings/webhooks?tab=deliveries&delivery=${id}`);
  const dialog = page.getByRole('dialog', { name: 'Delivery' });
  await dialog.getByText('Attempts (1)').waitFor();
  expect((await dialog.boundingBox())?.width).toBe(390);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('on a phone the list shows the code of the last response, and the event says why it did not arrive', async () => {
  receiver.script('/coded', { status: 503 });
  const id = await createEndpoint('/coded');
  const [delivery] = await deliver(id, 'coded');
  await page.setViewportSize({ width: 390, height: 900 });
  await startAt(page, `/settings/webhooks?tab=deliveries&endpoint_id=${id}`);
  const row = page.getByRole('row', { name: /bank\.balance\.updated/ });
  await expect.poll(() => row.getByText('503', { exact: true }).isVisible()).toBe(true);
  await startAt(page, `/events/${delivery?.event_id}`);
  await page
    .getByText(/HTTP 503/)
    .filter({ visible: true })
    .waitFor();
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('a delivery that an event opened is closed to the event, which names the endpoint by its description', async () => {
  const [delivery] = await deliver(await createEndpoint('/named', { description: 'ERP import' }), 'named');
  const { event_id = '', id = '' } = delivery ?? {};
  await page.goto(`${dash.dashboard_url}/events/${event_id}`);
  await page.getByRole('link', { name: 'ERP import' }).click();
  await pane().getByText('Attempts (1)').waitFor();
  expect(shownId()).toBe(id);
  await pane().getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { level: 1, name: 'bank.balance.updated' }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`/events/${event_id}$`));
});

test('the attempt that is read stays when a newer one arrives', async () => {
  receiver.script('/read', { status: 500, body: 'Not now' });
  const id = await deliverOne('/read');
  await startAt(page, `/settings/webhooks?tab=deliveries&delivery=${id}`);
  const first = pane().getByRole('region', { name: 'Attempt 1' });
  await first.getByText('Failed: 500').waitFor();
  await dash.api('POST', `/deliveries/${id}/retry`, {});
  await pane().getByText('Attempts (2)').waitFor();
  expect(await page.getByLabel('Response body of attempt 1').isVisible()).toBe(true);
  await pane()
    .getByRole('button', { name: /^Attempt 2\b.*\b500\b/ })
    .click();
  await pane().getByRole('region', { name: 'Attempt 2' }).getByText('Manual').waitFor();
});

test('the comparison of two attempts shows what differs and nothing else', async () => {
  const headers = { 'x-request-id': 'req-1', 'x-served-by': 'a' };
  receiver.script(
    '/compared',
    { status: 500, body: 'same line\nno disk', headers },
    { status: 503, body: 'same line\nno worker', headers: { ...headers, 'x-served-by': 'b' } },
  );
  const id = await deliverOne('/compared');
  await dash.api('POST', `/deliveries/${id}/retry`, {});
  await startAt(page, `/settings/webhooks?tab=deliveries&delivery=${id}`);
  await pane().getByText('Attempts (2)').waitFor();
  await pane().getByLabel('Compare with attempt…').selectOption({ index: 1 });
  const response = pane().getByRole('table', { name: 'Response' });
  const cells = async () =>
    Promise.all((await response.locator('tbody tr').all()).map((row) => row.locator('th, td').allTextContents()));
  await expect.poll(async () => (await cells()).slice(0, 2).map(([name]) => name)).toEqual(['Outcome', 'Error']);
  expect((await cells())[0]).toEqual(['Outcome', '500', '503']);
  expect(await cells()).toContainEqual(['x-served-by', 'a', 'b']);
  expect((await cells()).map(([name]) => name)).not.toContain('x-request-id');
  const marked = (n: number) =>
    pane().getByLabel(`Response body of attempt ${n}`).locator('.text-warn').allTextContents();
  expect([await marked(1), await marked(2)]).toEqual([['no disk'], ['no worker']]);
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('attempt'), searchParams.get('compare')].sort()).toEqual(['1', '2']);
});

test('selected deliveries are retried together, and a rejected one is reported', async () => {
  receiver.script('/bulk', { status: 500 });
  receiver.script('/paused', { status: 500 });
  const endpoint = await createEndpoint('/bulk', { retry_schedule: [] });
  await deliver(endpoint, 'x1', 'x2', 'x3');
  await startAt(page, `/settings/webhooks/${endpoint}?tab=deliveries&status=failed`);
  await button('Select 3 undelivered').click();
  await rows().nth(2).waitFor();
  await page.getByText('3 deliveries selected').waitFor();
  receiver.script('/bulk', { status: 200 });
  await button('Retry 3 now').click();
  await page.getByText('3 retries started.').waitFor();
  await expect
    .poll(async () => (await dash.api('GET', `/deliveries?endpoint_id=${endpoint}&status=succeeded`)).data.length)
    .toBe(3);
  await page.getByText('No deliveries match the filters').waitFor();

  const paused = await createEndpoint('/paused', { retry_schedule: [] });
  await deliver(paused, 'y1', 'y2');
  await startAt(page, `/settings/webhooks/${paused}?tab=deliveries`);
  await button('Select 2 undelivered').click();
  await dash.api('PATCH', `/webhook-endpoints/${paused}`, { status: 'paused' });
  await button('Retry 2 now').click();
  await page.getByText('0 retries started.').waitFor();
  await page.getByText(/2 deliveries not retried: The endpoint is paused/).waitFor();
});

test('typed headers stay in the signature checker when the first attempt ends', async () => {
  receiver.script('/held', { status: 200, held: true });
  const endpoint = await createEndpoint('/held');
  await postBalance(dash.api, dash.company_id, 100, { connection_id: 'held' });
  await receiver.waitFor((all) => all.some(({ path }) => path === '/held'));
  const { id } = (await dash.api('GET', `/deliveries?endpoint_id=${endpoint}`)).data[0];
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

test('the signature checker keeps typed headers while the event cannot be read, and gets its body once it can', async () => {
  const id = await deliverOne('/unread');
  const checker = await dash.page();
  const problem = { code: 'forbidden', status: 403, detail: 'It can’t be read now.', retryable: false };
  const event = await failRead(checker, 'events.get', problem);
  await checker.goto(`${dash.dashboard_url}/settings/webhooks?tab=check&check=${id}`);
  const headers = checker.getByLabel('Headers', { exact: true });
  const sent = await headers.inputValue();
  await headers.fill('webhook-id: evt_typed');
  await expect.poll(event.failures).toBeGreaterThan(0);
  const failures = event.failures();
  await postBalance(dash.api, dash.company_id, 300, { connection_id: 'unread' });
  await expect.poll(event.failures).toBeGreaterThan(failures);
  await settled(checker);
  expect(await headers.inputValue()).toBe('webhook-id: evt_typed');
  checker.once('dialog', (dialog) => dialog.accept());
  await checker.reload();
  await expect.poll(() => headers.inputValue()).toBe(sent);
  const body = checker.getByLabel('Raw body', { exact: true });
  expect(await body.inputValue()).toBe('');
  event.mend();
  await postBalance(dash.api, dash.company_id, 400, { connection_id: 'unread' });
  await expect.poll(() => body.inputValue()).toContain('bank.balance.updated');
});

test('no page had an error', () => {
  expect(dash.errors(page).filter((error) => !/409/.test(error))).toEqual([]);
});
