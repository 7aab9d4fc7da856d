// Risk: an investigation misses rows, loses its position when rows arrive, or can't retry a delivery.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { exportedFile, setUpDashboard, setUpReceiver } from './dashboard-fixture.ts';

let page: Page;
const dash = setUpDashboard();
const receiver = setUpReceiver();
beforeAll(async () => {
  await rename('Company 1');
  page = await dash.page();
});

const rename = (name: string) => dash.api('PATCH', `/companies/${dash.company_id}`, { name });
const go = (path: string): Promise<unknown> => page.goto(`${dash.dashboard_url}${path}`);
const log = () => page.getByRole('group', { name: 'Log entries', exact: true });
const row = (index: number) => log().getByRole('row').nth(index);
const names = () => log().getByRole('link', { name: /^[a-zA-Z_]+\.[a-zA-Z_.]+$/ });

test('a change appears at the top with no reload, and its deliveries are counted as they arrive', async () => {
  await dash.api('POST', '/webhook-endpoints', { url: `${receiver.url}/in`, events: ['company.updated'] });
  await go('/logs?action=companies.update');
  await row(1).waitFor();
  const loads = await page.evaluate(() => performance.getEntriesByType('navigation').length);
  await rename('Seen at once');
  await row(1).getByText('1/1 delivered').waitFor();
  await row(2).getByText('no endpoint').waitFor();
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(loads);
});

test('an event that a payload filter excluded names the endpoint', async () => {
  const filter = { op: 'eq', field: 'data.title', value: 'Another' };
  const url = `${receiver.url}/filtered`;
  await dash.api('POST', '/webhook-endpoints', { url, events: ['directive.issued'], filter });
  await dash.api('POST', `/companies/${dash.company_id}/directives`, { title: 'Kept away' });
  let event: { id: string } | undefined;
  await expect
    .poll(async () => {
      event = (await dash.api('GET', '/events?type=directive.issued&order=desc&limit=1')).data[0];
      return event;
    })
    .toBeDefined();
  await go(`/events/${event?.id}`);
  const skipped = page.getByRole('list', { name: 'Endpoints skipped by their filter' });
  await skipped.getByRole('link', { name: new URL(url).host }).waitFor();
  expect(await page.getByText('No endpoint is subscribed').count()).toBe(0);
  expect(await page.getByText('filtered_endpoint_ids').count()).toBe(0);
});

test('filters are in the URL, select the same rows as the service, and apply to the export', async () => {
  await dash.api('POST', '/api-keys', { name: 'For the log', scope: 'read' });
  await go('/logs');
  await page.getByLabel('Event type').selectOption('api_key.created');
  await page.getByLabel('Actor', { exact: true }).selectOption('api_key');
  await expect.poll(() => names().allTextContents()).toEqual(['apiKeys.create', 'api_key.created']);
  expect(new URL(page.url()).searchParams.get('type')).toBe('api_key.created');
  const file = await exportedFile(page, 'Raw CSV');
  expect(file.trim().split('\r\n')).toHaveLength(2);
  expect(file).toContain('apiKeys.create');

  await page.reload();
  await expect.poll(() => names().allTextContents()).toEqual(['apiKeys.create', 'api_key.created']);
  await page.getByLabel('Actor ID').fill('key_nobody');
  await page.getByText('No log entries match the filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row(3).waitFor();
  await expect
    .poll(() => [...new URL(page.url()).searchParams.keys()].filter((name) => name !== 'company'))
    .toEqual([]);
});

test('a row opens its changes, event and deliveries; a link opens it again', async () => {
  await rename('Named <b>before</b>');
  await rename('Named <b>after</b>');
  await go('/logs?action=companies.update');
  await row(1).getByRole('link', { name: 'companies.update' }).click();
  const details = page.getByRole('dialog', { name: 'companies.update' });
  const changed = details.getByRole('group', { name: 'Changed fields' });
  await changed.getByRole('row', { name: 'name Named <b>before</b> Named <b>after</b>' }).waitFor();
  expect(await changed.getByRole('row').count()).toBe(2);
  await details
    .getByRole('group', { name: /^Deliveries of evt_/ })
    .getByText('succeeded')
    .waitFor();

  await page.reload();
  await changed.getByText('Named <b>after</b>').waitFor();
  await details.getByRole('button', { name: 'Close' }).click();
  await details.waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('open=');
});

test('an event is sent again to one endpoint, and the evidence of its deliveries is deleted', async () => {
  await dash.api('POST', '/webhook-endpoints', { url: `${receiver.url}/other`, events: ['company.updated'] });
  receiver.clear();
  await rename('To be sent again');
  await receiver.waitFor((requests) => requests.length === 2);
  const [told] = (await dash.api('GET', '/activity?action=companies.update&limit=1')).data;
  const eventId: string = told.events[0].id;
  await go(`/events/${eventId}`);
  await page.getByRole('heading', { level: 1, name: 'company.updated' }).waitFor();
  await page.getByText(`"id": "${eventId}"`).waitFor();

  await page.getByRole('button', { name: 'Redeliver' }).click();
  const asks = page.getByRole('dialog', { name: 'Redeliver this event' });
  await asks.getByLabel('Endpoint').selectOption(`${new URL(receiver.url).host}/other`);
  await asks.getByRole('button', { name: 'Redeliver event' }).click();
  await page.getByText('Event redelivered to 1 endpoint.').waitFor();
  await receiver.waitFor((requests) => requests.length === 3);
  expect(receiver.requests.at(-1)?.path).toBe('/other');
  await page.getByText('3/3 delivered').waitFor();

  await page.getByRole('button', { name: 'Delete stored request and responses' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete stored request and responses' }).click();
  await page.getByText('Stored request and responses deleted.').waitFor();
  for (const { id } of (await dash.api('GET', `/deliveries?event_id=${eventId}`)).data) {
    const { attempts } = await dash.api('GET', `/deliveries/${id}`);
    expect(attempts).toEqual([expect.objectContaining({ url: null, request_headers: null, status_code: 200 })]);
  }
});
