// Risk: a developer can't set up an endpoint, see why it fails, or recover missed events without a terminal.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { setUpDashboard, setUpReceiver, startAt } from './dashboard-fixture.ts';
import { createCompany } from './records.ts';

let page: Page;
const dash = setUpDashboard();
const receiver = setUpReceiver();
beforeAll(async () => {
  page = await dash.open('/companies');
});

const go = (path: string) => startAt(page, path);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const pane = () => page.getByRole('region', { name: 'Delivery', exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });

async function openEndpoint(path: string, options: object = {}): Promise<{ id: string; secret: string }> {
  const endpoint = await dash.api('POST', '/webhook-endpoints', { url: receiver.url + path, ...options });
  await go(`/settings/webhooks/${endpoint.id}`);
  return endpoint;
}

async function choose(item: string): Promise<void> {
  await button('More actions').click();
  await page.getByRole('menuitem', { name: item }).click();
}

const postBalance = (connection: string) =>
  dash.api('POST', `/companies/${dash.company_id}/cash/balances`, {
    as_of: '2026-03-01',
    balance_cents: 125_000,
    currency: 'USD',
    connection_id: connection,
  });

test('an endpoint is created with picked events, its secret is shown once, and a test event arrives', async () => {
  await go('/settings/webhooks');
  const list = page.getByRole('region', { name: /^Endpoints of / });
  await list.getByText('No endpoints yet').waitFor();
  await list.getByRole('button', { name: 'Create endpoint' }).click();
  const form = dialog('Create endpoint');
  await form.getByLabel('URL', { exact: true }).fill(`${receiver.url}/first`);
  await form.getByLabel('Select event types').check();
  await form.getByLabel('Search event types').fill('balance updated');
  await form.getByLabel('bank.balance.updated').check();
  await form.getByText('Advanced').click();
  await form.getByLabel('Only events that match conditions').check();
  await form.getByLabel('Field', { exact: true }).fill('data.currency');
  await form.getByLabel('Value', { exact: true }).fill('USD');
  await form.getByRole('button', { name: 'Create endpoint' }).click();

  const made = dialog('Endpoint created');
  // The empty list, from which the dialog was opened, is replaced.
  await page.locator('table a', { hasText: '/first' }).waitFor();
  const secret = await made.getByLabel('Signing secret').textContent();
  expect(secret).toMatch(/^whsec_/);
  await made.getByRole('button', { name: 'View endpoint' }).click();
  await page.getByRole('heading', { level: 1, name: /first/ }).waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(page.url()).not.toContain('whsec_');
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(stored).not.toContain('whsec_');
  const [endpoint] = (await dash.api('GET', '/webhook-endpoints')).data;
  expect(endpoint).toMatchObject({
    company_id: dash.company_id,
    events: ['bank.balance.updated'],
    filter: { op: 'eq', field: 'data.currency', value: 'USD' },
  });

  await button('Send test event').click();
  await dialog('Send test event').getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('Response: 200.').waitFor();
  expect(receiver.requests.at(-1)?.headers).toMatchObject({ 'x-service-test': 'true' });
  await dialog('Send test event').getByRole('button', { name: 'Done' }).click();

  await page.getByRole('tab', { name: 'Deliveries' }).click();
  const row = page.getByRole('row', { name: /bank\.balance\.updated/ });
  await row.getByText('succeeded').waitFor();
});

test('a failed delivery shows its evidence as text until it is deleted, and a manual retry succeeds', async () => {
  const answer = '<script>document.title = "owned"</script>';
  receiver.script('/failing', { status: 500, body: answer, headers: { 'x-request-id': 'req-7' } });
  const { id } = await openEndpoint('/failing', { retry_schedule: [3_600] });
  await postBalance('failing');
  await page.getByRole('tab', { name: 'Deliveries' }).click();
  await page.getByRole('link', { name: 'bank.balance.updated' }).click();
  const details = pane();
  await details.getByText('Failed: 500').waitFor();
  expect(await details.getByLabel('Response body of attempt 1').textContent()).toBe(answer);
  expect(await details.getByLabel('Response headers of attempt 1').textContent()).toContain('x-request-id: req-7');
  expect(await details.getByLabel('Request headers of attempt 1').textContent()).toContain('x-service-signature: t=');
  await details.getByText(/handler failed/i).waitFor();
  expect(await details.getByText(answer, { exact: true }).count(), 'among the facts, and below the failure').toBe(2);
  const labels = await details.locator('pre').evaluateAll((blocks) => blocks.map(({ ariaLabel }) => ariaLabel));
  expect(labels[0]).toBe('Response body of attempt 1');
  expect(await details.getByLabel('Request body').textContent()).toContain('"balance_cents": 125000');

  receiver.script('/failing', { status: 204 });
  await details.getByRole('button', { name: 'Retry now' }).click();
  await details.getByText('Succeeded: 204').waitFor();
  const [delivery] = (await dash.api('GET', `/deliveries?endpoint_id=${id}`)).data;
  expect(delivery).toMatchObject({ status: 'succeeded', attempt_count: 2, last_duration_ms: expect.any(Number) });

  await details.getByRole('button', { name: 'Redeliver event' }).click();
  await page.waitForURL((url) => url.searchParams.get('delivery') !== delivery.id);
  await details.getByText('Attempts (1)').waitFor();
  expect((await dash.api('GET', `/deliveries?endpoint_id=${id}`)).data).toHaveLength(2);

  await details.getByRole('button', { name: 'Delete stored request and responses' }).click();
  await dialog('Delete the stored request and responses of this event?')
    .getByRole('button', { name: 'Delete stored request and responses' })
    .click();
  await details.getByRole('button', { name: 'Delete stored request and responses' }).waitFor({ state: 'detached' });
});

test('the signature checker distinguishes a delivery as it was sent from one with a changed body', async () => {
  await openEndpoint('/checked', { events: ['bank.balance.updated'] });
  await postBalance('checked');
  const [received] = await receiver
    .waitFor((all) => all.some(({ path }) => path === '/checked'))
    .then((all) => all.filter(({ path }) => path === '/checked'));
  await page.getByRole('tab', { name: 'Deliveries' }).click();
  await page.getByRole('link', { name: 'bank.balance.updated' }).click();
  await pane().getByRole('link', { name: 'Verify signature' }).click();
  const body = page.getByLabel('Raw body');
  const verdict = page.getByRole('region', { name: 'Result' });
  const check = async (): Promise<string> => {
    await button('Verify signature').click();
    return (await verdict.getByRole('status').textContent()) ?? '';
  };
  await body.waitFor();
  expect(await body.inputValue()).toBe(received?.body.toString());
  expect(await check()).toContain('Valid signature');

  await body.fill(`${received?.body.toString()}\n`);
  expect(await check()).toContain('Trailing newline added');
  await body.fill(received?.body.toString().replace('125000', '125001') ?? '');
  expect(await check()).toContain('Body altered');
});

test('a secret is rotated with an overlap, which is then ended early', async () => {
  const { id, secret } = await openEndpoint('/rotated');
  await choose('Rotate secret');
  await dialog('Rotate secret').getByRole('button', { name: 'Rotate secret' }).click();
  const rotated = dialog('Secret rotated');
  const next = await rotated.getByLabel('New signing secret').textContent();
  expect(next).toMatch(/^whsec_/);
  expect(next).not.toBe(secret);
  await rotated.getByRole('button', { name: 'I’ve stored it' }).click();
  await page.getByText('Old secret expires', { exact: true }).waitFor();
  await choose('Complete rotation');
  await button('Complete rotation').click();
  await page.getByText('Old secret expires', { exact: true }).waitFor({ state: 'detached' });
  expect(await dash.api('GET', `/webhook-endpoints/${id}`)).toMatchObject({ rotation_ends_at: null });
});

test('failed deliveries are counted first, then recovered', async () => {
  receiver.script('/broken', { status: 500 });
  const { id } = await openEndpoint('/broken', { retry_schedule: [], events: ['bank.balance.updated'] });
  await postBalance('disconnected');
  await expect
    .poll(async () => (await dash.api('GET', `/deliveries?endpoint_id=${id}&status=failed`)).data.length)
    .toBe(1);
  await page.getByRole('tab', { name: 'Replays' }).click();
  await page.getByText('The endpoint is failing: its last attempt failed.').waitFor();
  receiver.script('/broken', { status: 200 });
  await button('Count events').click();
  await page.getByText('1 event will be sent.').waitFor();
  expect((await dash.api('GET', `/replays?endpoint_id=${id}`)).data).toEqual([]);
  await button('Replay 1 event').click();
  await page.getByRole('region', { name: 'All replays' }).getByText('completed').first().waitFor();
  await page.getByText('1 of 1 delivered').waitFor();
  expect((await dash.api('GET', `/deliveries?endpoint_id=${id}&status=undelivered`)).data).toEqual([]);
});

test('the page of an endpoint offers to replay what failed, as long as something is missing', async () => {
  receiver.script('/offered', { status: 500 });
  const { id } = await openEndpoint('/offered', { retry_schedule: [], events: ['bank.balance.updated'] });
  await postBalance('offered');
  await button('Replay 1 failed').click();
  const form = dialog('Replay 1 event?');
  await form.getByText('The endpoint is failing').waitFor();
  receiver.script('/offered', { status: 200 });
  await form.getByRole('button', { name: 'Replay 1 event' }).click();
  await page.getByText('1 of 1 delivered').waitFor();
  await button('Replay 1 failed').waitFor({ state: 'detached' });
  expect((await dash.api('GET', `/deliveries?endpoint_id=${id}&status=undelivered`)).data).toEqual([]);
});

test('endpoints of another company are listed on request', async () => {
  const company_id = await createCompany(dash.api, 'Elsewhere');
  await dash.api('POST', '/webhook-endpoints', { url: `${receiver.url}/elsewhere`, company_id });
  await go('/settings/webhooks');
  const link = page.getByRole('link', { name: /elsewhere/ });
  await page.getByRole('region', { name: /^Endpoints of / }).waitFor();
  expect(await link.count()).toBe(0);
  await button('Show 1 endpoint of other companies').click();
  await page.getByRole('row').filter({ has: link }).getByText('Elsewhere', { exact: true }).waitFor();
});

test('a replay sends its selection, and a missing time or event type is an error at its field', async () => {
  await openEndpoint('/selected', { events: ['bank.balance.updated'] });
  await page.getByRole('tab', { name: 'Replays' }).click();
  const inputs: unknown[] = [];
  await page.route('**/trpc/webhookEndpoints.replay', async (route) => {
    inputs.push(route.request().postDataJSON());
    await route.continue();
  });
  await page.getByLabel('From').fill('');
  await button('Count events').click();
  await page.getByText('This field is required.').waitFor();
  await page.getByLabel('From').fill('2026-03-01T09:00');
  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('Select event types').check();
  await button('Count events').click();
  await page.getByText('Select at least one event type.').waitFor();
  expect(inputs).toEqual([]);
  await page.getByLabel('bank.balance.updated').check();
  await page.getByLabel('Events to send').selectOption('all');
  await button('Count events').click();
  await page.getByText('will be sent').waitFor();
  // The filters are still open, although their error is gone.
  await page.getByLabel('Search event types').fill('balance');
  expect(await page.getByText('will be sent').count()).toBe(1);
  await page.unroute('**/trpc/webhookEndpoints.replay');
  expect(inputs).toEqual([
    expect.objectContaining({ only: 'all', types: ['bank.balance.updated'], company_id: null, dry_run: true }),
  ]);
  expect(inputs[0]).toHaveProperty('since', expect.stringMatching(/^2026-03-01T/));
});

test('the form of an endpoint shows the defaults, names wrong fields, and sends only what was changed', async () => {
  await go('/settings/webhooks');
  await button('Create endpoint').first().click();
  const form = dialog('Create endpoint');
  await form.getByText('Advanced').click();
  expect(await form.getByLabel('All events, including future types').isChecked()).toBe(true);
  expect(await form.getByLabel('No filter').isChecked()).toBe(true);
  expect(await form.getByLabel('Retry schedule').inputValue()).toBe('default');
  expect(await form.getByLabel('Also sign with Ed25519').isChecked()).toBe(false);
  for (const label of ['Timeout in seconds', 'Concurrent requests', 'Rate limit (requests)'])
    expect(await form.getByLabel(label).inputValue()).toBe('');
  await form.getByLabel('Timeout in seconds').fill('31');
  await form.getByLabel('Concurrent requests').fill('1.5');
  await form.getByRole('button', { name: 'Create endpoint' }).click();
  for (const label of ['URL', 'Timeout in seconds', 'Concurrent requests'])
    await form.getByLabel(label).and(form.locator('[aria-invalid=true]')).waitFor();
  await form.getByLabel('URL', { exact: true }).fill(`${receiver.url}/defaults`);
  await form.getByLabel('Timeout in seconds').fill('');
  await form.getByLabel('Concurrent requests').fill('');
  await form.getByLabel('Select event types').check();
  await form.getByRole('button', { name: 'Create endpoint' }).click();
  await form.getByText('Select at least one event type.').waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();

  await openEndpoint('/untouched', {
    events: ['bank.balance.updated'],
    headers: { authorization: 'Bearer of something long' },
    timeout_ms: 2_500,
    retry_schedule: [5, 300],
    filter: { op: 'not', of: { op: 'eq', field: 'data.currency', value: 'USD' } },
    rate_limit: { requests: 100, per_seconds: 60 },
    signature_versions: ['v1', 'v1a'],
    description: ' Ledger ',
    metadata: { team: 'treasury', ' padded ': ' two\nlines ' },
  });
  const inputs: unknown[] = [];
  await page.route('**/trpc/webhookEndpoints.update', async (route) => {
    inputs.push(route.request().postDataJSON());
    await route.continue();
  });
  await button('Edit').click();
  await button('Save changes').click();
  await dialog('Edit endpoint').waitFor({ state: 'detached' });
  expect(inputs).toEqual([]);
  await button('Edit').click();
  await page.getByLabel('Description').fill(' Treasury ');
  await page.getByText('Advanced').click();
  await page.getByLabel('Timeout in seconds').fill('');
  await button('Save changes').click();
  await dialog('Edit endpoint').waitFor({ state: 'detached' });
  await page.unroute('**/trpc/webhookEndpoints.update');
  expect(inputs).toEqual([{ endpoint_id: expect.any(String), description: 'Treasury', timeout_ms: null }]);
});

test('a count that ends after the selection was changed is discarded', async () => {
  const { id } = await openEndpoint('/counted', { events: ['bank.balance.updated'] });
  await page.getByRole('tab', { name: 'Replays' }).click();
  const answer = Promise.withResolvers<void>();
  await page.route('**/trpc/webhookEndpoints.replay', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await button('Count events').click();
  await button('Last hour').click();
  const counted = page.waitForResponse('**/trpc/webhookEndpoints.replay');
  answer.resolve();
  await counted;
  await expect.poll(() => button('Count events').getAttribute('aria-busy')).not.toBe('true');
  const nothing = page.getByText('Nothing to send: no missed events in this range.');
  expect(await nothing.count()).toBe(0);
  await button('Count events').click();
  await nothing.waitFor();
  expect((await dash.api('GET', `/replays?endpoint_id=${id}`)).data).toEqual([]);
});

test('the form of a test event says that the event types load, and that they failed to', async () => {
  const { id } = await dash.api('POST', '/webhook-endpoints', { url: `${receiver.url}/types` });
  const fresh = await dash.open(`/settings/webhooks/${id}`, { isolated: true });
  const answer = Promise.withResolvers<void>();
  const problem = { code: 'forbidden', status: 403, detail: 'The types are not for you.', retryable: false };
  await fresh.route('**/trpc/**eventTypes.list**', async (route) => {
    await answer.promise;
    await route.fulfill({
      status: 403,
      json: { error: { message: problem.detail, code: -32603, data: { problem } } },
    });
  });
  await fresh.getByRole('button', { name: 'Send test event' }).click();
  const form = fresh.getByRole('dialog', { name: 'Send test event' });
  await form.getByText('Loading event types…').waitFor();
  answer.resolve();
  await form.getByRole('alert').getByText(problem.detail).waitFor();
  await fresh.unroute('**/trpc/**eventTypes.list**');
  await form.getByRole('button', { name: 'Try again' }).click();
  expect(await form.getByLabel('Event type').inputValue()).toBe('bank.balance.updated');
});

test('an endpoint is changed, paused, resumed, pinged and deleted', async () => {
  const { id } = await openEndpoint('/managed', { headers: { authorization: 'Bearer of something long' } });
  const read = () => dash.api('GET', `/webhook-endpoints/${id}`);
  await button('Edit').click();
  await page.getByLabel('Description').fill('Ledger');
  await button('Save changes').click();
  await dialog('Edit endpoint').waitFor({ state: 'detached' });
  expect(await read()).toMatchObject({ description: 'Ledger', headers: { authorization: '***long' } });
  await button('Pause').click();
  await button('Resume').waitFor();
  expect(await read()).toMatchObject({ status: 'paused' });
  await button('Resume').click();
  await button('Pause').waitFor();
  await choose('Ping');
  await button('Send ping').click();
  await page.getByRole('status').getByText('Succeeded').waitFor();
  await page.keyboard.press('Escape');
  await choose('Delete');
  await button('Delete endpoint').click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await expect(read()).rejects.toThrow('404');
  expect(dash.errors(page)).toEqual([]);
});

test('a double click is one click: it pauses an endpoint, and the same change is not sent twice', async () => {
  const endpoint = await openEndpoint('/double');
  let updates = 0;
  await page.route('**/trpc/webhookEndpoints.update**', async (route) => {
    updates++;
    await route.continue();
  });
  const box = await button('Pause').boundingBox();
  if (!box) throw new Error('There is no button to pause.');
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await page.mouse.down({ clickCount: 1 });
  await page.mouse.up({ clickCount: 1 });
  await button('Resume').waitFor();
  // A button that moves under the pointer receives the second half of a double click.
  await button('Resume').hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  expect((await dash.api('GET', `/webhook-endpoints/${endpoint.id}`)).status).toBe('paused');
  expect(updates).toBe(1);
  await button('Resume').evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
  await button('Pause').waitFor();
  expect(updates).toBe(2);
  await page.unroute('**/trpc/webhookEndpoints.update**');
});

test('moving an endpoint to another server requires its headers again', async () => {
  const { id } = await openEndpoint('/moved', { headers: { authorization: 'Bearer of something long' } });
  const read = () => dash.api('GET', `/webhook-endpoints/${id}`);
  await button('Edit').click();
  await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/moved');
  await button('Save changes').click();
  const fault = dialog('Edit endpoint').getByText('must be given anew');
  await fault.waitFor();
  expect(await read()).toMatchObject({ url: `${receiver.url}/moved` });
  await page.getByLabel('Headers').fill('Authorization: Bearer of another');
  await button('Save changes').click();
  await dialog('Edit endpoint').waitFor({ state: 'detached' });
  expect(await read()).toMatchObject({ url: 'http://127.0.0.1:9/moved', headers: { authorization: '***ther' } });
});
