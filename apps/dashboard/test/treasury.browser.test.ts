// Risk: a wire has an amount other than the typed one, its requester can approve it, or the page keeps a bank token.
import { expect, test } from 'vitest';
import { navigate, setUpDashboard } from './dashboard-fixture.ts';
import { day, postTransactions, requestWire } from './records.ts';

const dash = setUpDashboard();

test("a wire is recorded in its currency, can't be approved by its requester, and is approved by another person", async () => {
  const page = await dash.open('/approvals');
  await page.getByRole('button', { name: 'Record wire' }).click();
  const record = page.getByRole('dialog', { name: 'Record wire' });
  await record.getByLabel('Amount').fill('9999.99');
  await record.getByText(/Below the approval threshold of \$10,000.00/).waitFor();
  await record.getByLabel('Amount').fill('10000.005');
  await record.getByRole('button', { name: 'Record wire' }).click();
  await record.getByText(/after the point/).waitFor();
  await record.getByLabel('Currency').fill('KWD');
  await record.getByText(/in KWD always need approval/).waitFor();
  await record.getByLabel('Name').fill('Example Machines');
  await record.getByLabel('Last 4 of account').fill('4321');
  await record.getByLabel('Memo').fill('Invoice 1042');
  await record.getByRole('button', { name: 'Record wire' }).click();
  await page.getByRole('heading', { name: 'Wire to Example Machines', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Request', exact: true }).getByText('KWD 10,000.005').waitFor();
  await page.getByText('You can’t approve your own wire. Ask a colleague to approve it.').waitFor();
  expect(await page.getByRole('button', { name: /Approve|Deny/ }).count()).toBe(0);
  const { data } = await dash.api('GET', `/companies/${dash.company_id}/bank/approvals`);
  expect(data).toMatchObject([{ status: 'pending', amount_cents: 10_000_005, currency: 'KWD', memo: 'Invoice 1042' }]);
  expect(dash.errors(page)).toEqual([]);

  const other = await dash.open('/approvals', { key: await dash.createPerson('Second person') });
  await other.getByRole('link', { name: 'Example Machines' }).click();
  await other.getByRole('button', { name: 'Approve…' }).click();
  await other.getByLabel('Comment').fill('Matches the order');
  await other.getByRole('button', { name: 'Approve wire' }).click();
  await other.getByText('Approved. Decisions are final.').waitFor();
  expect(await dash.api('GET', `/bank/approvals/${data[0].id}`)).toMatchObject({
    status: 'approved',
    reviews: [{ decision: 'approve', comment: 'Matches the order', reviewer: { name: 'Second person' } }],
  });
  await other.getByRole('link', { name: 'All approvals' }).click();
  await other.getByText('Nothing waits for approval').waitFor();
  expect(dash.errors(other)).toEqual([]);
});

test('a wire says what is known of its beneficiary, and is denied only with a reason', async () => {
  const beneficiary = { name: 'Roofing', bank_name: 'First Bank', account_last4: '8765', country: 'US' };
  await postTransactions(dash.api, dash.company_id, {
    posted_at: `${day(1)}T12:00:00Z`,
    amount_cents: -500_000,
    counterparty: 'ROOFING',
  });
  const wire = await requestWire(dash.api, dash.company_id, {
    amount_cents: 2_500_000,
    beneficiary,
    memo: 'Invoice 77',
  });
  const page = await dash.open('/approvals', { key: await dash.createPerson('Reviewer'), width: 390 });
  await page.getByRole('region', { name: 'Later' }).getByRole('link', { name: 'Roofing' }).click();
  const known = page.getByRole('region', { name: 'What you should know' });
  await known
    .getByText(/You paid Roofing 1 time, with a median of \$5,000.00; this wire is 5 times the median/)
    .waitFor();
  await known.getByText('This is the first wire to account ····8765.').waitFor();
  const deny = page.getByRole('button', { name: 'Deny…' });
  // On a phone the buttons are in view, wherever the page is scrolled.
  expect(await deny.evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
  await deny.click();
  const form = page.getByRole('region', { name: 'Deny this wire' });
  await form.getByText('$25,000.00 USD to Roofing, account ending in 8765').waitFor();
  await form.getByRole('button', { name: 'Deny wire' }).click();
  await form.getByText('This field is required.').waitFor();
  expect(await dash.api('GET', `/bank/approvals/${wire.id}`)).toMatchObject({ status: 'pending' });
  await form.getByLabel('Reason').fill('Not ordered');
  await form.getByRole('button', { name: 'Deny wire' }).click();
  await page.getByText('Denied. Decisions are final.').waitFor();
  expect(await dash.api('GET', `/bank/approvals/${wire.id}`)).toMatchObject({
    status: 'rejected',
    reviews: [{ decision: 'reject', comment: 'Not ordered' }],
  });
  expect(dash.errors(page)).toEqual([]);
});

test('a pending wire is cancelled by its requester', async () => {
  const wire = await requestWire(dash.api, dash.company_id);
  const page = await dash.open(`/approvals/${wire.id}`);
  await page.getByRole('button', { name: 'Cancel wire…' }).click();
  await page.getByRole('region', { name: 'Cancel this wire' }).getByRole('button', { name: 'Cancel wire' }).click();
  await page.getByText(/Cancelled. Record/).waitFor();
  expect(await dash.api('GET', `/bank/approvals/${wire.id}`)).toMatchObject({ status: 'cancelled' });
});

test('a wire is found in the list of all wires by its status, also once nothing waits', async () => {
  const wire = await requestWire(dash.api, dash.company_id, { beneficiary: { name: 'Baker', account_last4: '1111' } });
  await dash.api('POST', `/bank/approvals/${wire.id}/decision`, { decision: 'reject' }, await dash.createPerson('Ann'));
  const page = await dash.open('/approvals?tab=wires');
  await page.getByLabel('Status').selectOption('Denied');
  await page.getByRole('link', { name: 'Baker' }).click();
  await page.getByText('Denied. Decisions are final.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/dashboard/approvals/${wire.id}`);
});

test('a bank is connected, its token is not kept by the page, a year is synced, and it is disconnected', async () => {
  const page = await dash.open('/connections');
  await page.getByRole('button', { name: 'Connect bank' }).first().click();
  const connect = page.getByRole('dialog', { name: 'Connect bank' });
  await connect.getByLabel('Bank').fill('Example Bank');
  await connect.getByRole('button', { name: 'Connect bank' }).click();
  await page.getByRole('heading', { level: 1, name: 'Example Bank' }).waitFor();
  await page.getByText('Store the provider token to start syncing.').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';

  const token = 'sandbox-token-77381';
  await page.getByRole('button', { name: 'Store token' }).click();
  const store = page.getByRole('dialog', { name: 'Store token' });
  await store.getByLabel('Provider token').fill(token);
  await store.getByRole('button', { name: 'Store token' }).click();
  await store.waitFor({ state: 'hidden' });
  await page.getByText(/Stored, ends in 7381/).waitFor();
  const kept = await page.evaluate(
    () =>
      document.documentElement.outerHTML +
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]) +
      location.href,
  );
  expect(kept).not.toContain(token);

  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText(/Last sync succeeded: \d+ balances, \d+ new transactions/).waitFor();
  await page.getByText('Complete', { exact: true }).waitFor();
  const [run] = (await dash.api('GET', `/bank/connections/${id}/syncs`)).data;
  expect(run.stats.transactions_inserted).toBeGreaterThan(100);
  expect(dash.errors(page)).toEqual([]);

  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('The account was closed');
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect bank' }).click();
  await page.getByText('The account is disconnected. Reconnect it to receive data.').waitFor();
  expect(await dash.api('GET', `/bank/connections/${id}`)).toMatchObject({ status: 'disconnected', has_secret: false });

  await page.getByRole('button', { name: 'Reconnect bank' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Connect bank' }).click();
  await page.getByText('Previous account').waitFor();
  const [next] = (await dash.api('GET', `/companies/${dash.company_id}/bank/connections`)).data;
  expect(next).toMatchObject({ replaces: id, institution_name: 'Example Bank', status: 'pending' });
});

test('a name with bidirectional control characters is shown in its logical order, with marks', async () => {
  const beneficiary = { name: 'Honest \u202Emoc knab', account_last4: '4321' };
  await requestWire(dash.api, dash.company_id, { beneficiary });
  const page = await dash.open('/approvals?tab=wires');
  await page.getByRole('link', { name: 'Honest [U+202E]moc knab' }).click();
  await page.getByRole('heading', { name: 'Wire to Honest [U+202E]moc knab', level: 1 }).waitFor();
  await page.getByText('Honest [U+202E]moc knab', { exact: true }).waitFor();
  expect(await page.evaluate(() => document.body.textContent?.includes('\u202E'))).toBe(false);
});

test('the data of a connection is handed over to an ingest key, from its page and by its label', async () => {
  const companies = `/companies/${dash.company_id}`;
  const { id } = await dash.api('POST', `${companies}/bank/connections`, { provider: 'acme' });
  const key = await dash.api('POST', '/api-keys', { name: 'Acme provider', scope: 'ingest' });
  const page = await dash.open(`/connections/${id}`);
  const panel = page.getByRole('region', { name: 'Owner of the data' });
  await panel.getByText(/No ingest key/).waitFor();
  const handOver = async () => {
    const dialog = page.getByRole('dialog', { name: /^Hand over/ });
    await dialog.getByLabel('New owner').selectOption(key.id);
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await dialog.waitFor({ state: 'hidden' });
  };
  await panel.getByRole('button', { name: 'Hand over…' }).click();
  await handOver();
  await panel.getByText('Acme provider').waitFor();
  // It posts its own data, so nothing is synced, and it has no token.
  await page.getByText('This bank sends its own data.').waitFor();
  expect(await page.getByRole('button', { name: /token|Sync/ }).count()).toBe(0);
  await navigate(page, '/connections');
  await page.getByRole('button', { name: 'Hand over data…' }).click();
  await page.getByRole('dialog').getByLabel('Account ID').fill('acme-1');
  await handOver();
  for (const connection of [id, 'acme-1'])
    expect((await dash.api('GET', `${companies}/connections/${connection}/owner`)).key_id).toBe(key.id);
  expect(dash.errors(page)).toEqual([]);
});
