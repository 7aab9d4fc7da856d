// Risk: a founder looks at yesterday's cash, or at a figure that is lost when the connection breaks for a moment.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Dashboard, openDashboard } from './dashboard-fixture.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await openDashboard();
});
afterAll(() => dash.close());

const today = new Date().toISOString().slice(0, 10);
const post = (cents: number) =>
  dash.api('POST', `/companies/${dash.company_id}/cash/balances`, {
    as_of: today,
    balance_cents: cents,
    currency: 'USD',
    connection_id: 'operating',
    source: 'test',
  });

test('D39: the cash tile shows a posted balance within a second, with no reload', async () => {
  await post(1_000_00);
  const page = await dash.page();
  const tile = page.getByRole('region', { name: 'Cash on hand' });
  await tile.getByText('$1,000.00').first().waitFor();
  const loads = await page.evaluate(() => performance.getEntriesByType('navigation').length);
  for (const [cents, text] of [
    [2_345_67, '$2,345.67'],
    [-5_00, '-$5.00'],
    [9_007_199_254_740_99, '$9,007,199,254,740.99'],
  ] as const) {
    await post(cents);
    await tile.getByText(text).first().waitFor({ timeout: 1_000 });
  }
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(loads);
  expect(dash.errors(page)).toEqual([]);
});

test('what is posted while the browser is offline is there when it comes back', async () => {
  await post(10_00);
  const page = await dash.page();
  const tile = page.getByRole('region', { name: 'Cash on hand' });
  await tile.getByText('$10.00').first().waitFor();
  await page.context().setOffline(true);
  await post(77_00);
  await page.context().setOffline(false);
  await tile.getByText('$77.00').first().waitFor({ timeout: 20_000 });
  expect(await tile.getByText('$10.00').count()).toBe(0);
});

test('what no event tells of appears by itself too: a decision of another person, and a case that is opened', async () => {
  const company = `/companies/${dash.company_id}`;
  const wire = await dash.api('POST', `${company}/bank/wires`, {
    amount_cents: 2_000_000_00,
    currency: 'USD',
    beneficiary: { name: 'Landlord', account_last4: '4321' },
  });
  const [wires, cases] = [await dash.page(), await dash.page()];
  await wires.goto(`${dash.dashboard_url}/approvals?company=${dash.company_id}`);
  await wires.getByRole('button', { name: 'Landlord' }).waitFor();
  await cases.goto(`${dash.dashboard_url}/cases?company=${dash.company_id}`);
  await cases.getByText('There is no case yet').waitFor();
  const { key } = await dash.api('POST', '/api-keys', { name: 'Second person', scope: 'human' });
  await dash.api('POST', `/bank/approvals/${wire.id}/decision`, { decision: 'approve' }, key);
  await dash.api('POST', `${company}/cases`, { title: 'A missing receipt' });
  await wires.getByText('No wire waits for approval').waitFor({ timeout: 10_000 });
  await cases.getByRole('link', { name: 'A missing receipt' }).waitFor({ timeout: 10_000 });
  expect([...dash.errors(wires), ...dash.errors(cases)]).toEqual([]);
});

test('a filter is applied a moment after the typing ends, also while rows come in all the time', async () => {
  const agent = await dash.api('POST', '/agents', { name: 'Busy', provider: 'example', company_id: dash.company_id });
  const page = await dash.page();
  await page.goto(`${dash.dashboard_url}/agents/${agent.id}?tab=actions`);
  await page.getByText('No action is logged yet').waitFor();
  let isBusy = true;
  const log = async (type: string): Promise<void> => {
    const input = { company_id: dash.company_id, type };
    while (isBusy) await dash.api('POST', `/agents/${agent.id}/actions`, input);
  };
  const logged = Promise.all([log('call.place'), log('email.send')]);
  onTestFinished(async () => {
    isBusy = false;
    await logged;
  });
  await page.getByRole('cell', { name: 'call.place' }).first().waitFor();
  await page.getByLabel('Type', { exact: true }).fill('email.send');
  await expect.poll(() => new URL(page.url()).searchParams.get('type'), { timeout: 3_000 }).toBe('email.send');
  await expect.poll(() => page.getByRole('cell', { name: 'call.place' }).count()).toBe(0);
  expect(dash.errors(page)).toEqual([]);
});

test('S29: stored text of every kind is shown as text and never runs', async () => {
  const hostile = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">';
  await dash.api('POST', `/companies/${dash.company_id}/bank/transactions`, {
    external_id: 'hostile-1',
    posted_at: `${today}T00:00:00Z`,
    amount_cents: -100,
    currency: 'USD',
    description: hostile,
    counterparty: hostile,
    category: hostile,
    connection_id: hostile,
  });
  const page = await dash.page();
  await page.goto(`${dash.dashboard_url}/transactions`);
  await page.getByText(hostile).first().waitFor();
  expect(await page.title()).not.toContain('owned');
  expect(dash.errors(page)).toEqual([]);
});
