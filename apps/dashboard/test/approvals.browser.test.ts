// Risk: nobody learns that an approval waits, or the navigation counts one that was decided.
import { expect, test } from 'vitest';
import { navigate, setUpDashboard } from './dashboard-fixture.ts';
import { requestWire } from './records.ts';

const dash = setUpDashboard();

test('the navigation and the browser title count what waits, the count is red under two hours, and falls after a decision', async () => {
  await requestWire(dash.api, dash.company_id);
  const page = await dash.open('/approvals');
  const link = page.getByRole('navigation').getByRole('link', { name: /^Approvals/ });
  await expect.poll(() => link.textContent()).toBe('Approvals1 waiting');
  expect(await page.title()).toBe('(1) Approvals · finhook');

  const agent = await dash.api('POST', '/agents', { name: 'Payer', provider: 'acme', company_id: dash.company_id });
  const key = (await dash.api('POST', '/api-keys', { name: 'Payer', scope: 'agent', agent_id: agent.id })).key;
  const request = {
    company_id: dash.company_id,
    title: 'Pay the invoice',
    expires_at: new Date(Date.now() + 90 * 60_000).toISOString(),
  };
  const { id } = await dash.api('POST', `/agents/${agent.id}/approvals`, request, key);
  // The count follows the account's events, on any page.
  await expect.poll(() => link.textContent()).toBe('Approvals2 waiting, one expires within two hours');
  await expect.poll(() => page.title()).toBe('(2) Approvals · finhook');
  await page.getByRole('link', { name: 'Pay the invoice' }).click();

  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole('button', { name: 'Deny…' }).click();
  await page.getByLabel('Reason').fill('Paid already');
  const question = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss();
    return dialog.message();
  });
  await page.evaluate(() => history.back());
  expect(await question).toContain('Leave this page?');
  expect(await page.getByLabel('Reason').inputValue()).toBe('Paid already');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(focused).toBe('Deny…');

  await page.getByRole('button', { name: 'Approve…' }).click();
  await page.getByRole('button', { name: 'Approve request' }).click();
  await page.getByText('Approved. Decisions are final.').waitFor();
  await expect.poll(focused).toBe('Approved. Decisions are final.');
  await expect.poll(() => link.textContent()).toBe('Approvals1 waiting');
  await page.getByRole('link', { name: 'Next: Wire of $2,000,000.00 to Landlord' }).click();
  await page.getByRole('heading', { name: 'Wire to Landlord', level: 1 }).waitFor();
  await navigate(page, '/approvals');
  await expect.poll(() => page.getByRole('main').getByRole('listitem').count()).toBe(1);
  await page
    .getByRole('main')
    .getByRole('listitem')
    .getByText(/ left$/)
    .waitFor();
  expect(await page.title()).toBe('(1) Approvals · finhook');
  await navigate(page, `/approvals?open=${id}`);
  await page.getByRole('heading', { name: 'Pay the invoice', level: 1 }).waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('a request about a beneficiary names the wire to it that waits, and the person whose key the agent used', async () => {
  const { company_id, api_key } = await dash.createAccount('Bank details');
  const agent = await dash.api('POST', '/agents', { name: 'Payables', provider: 'acme', company_id }, api_key);
  const { key } = await dash.api('POST', '/api-keys', { name: 'P', scope: 'agent', agent_id: agent.id }, api_key);
  const beneficiary = { name: 'Studio Marlow', account_last4: '8841' };
  const wire = { amount_cents: 4_820_000_00, currency: 'USD', beneficiary };
  await dash.api('POST', `/companies/${company_id}/bank/wires`, wire, api_key);
  const ask = { company_id, title: 'Change bank details', payload: { vendor: 'Studio Marlow', new_last4: '8841' } };
  const { id } = await dash.api('POST', `/agents/${agent.id}/approvals`, ask, key);
  const page = await dash.open(`/approvals/${id}`, { key: api_key, company: company_id });
  const { name } = (await dash.api('GET', '/me', undefined, api_key)).api_key;
  await page.getByText(`Person: ${name}`).waitFor();
  await page.getByRole('link', { name: 'Wire of $4,820,000.00 to Studio Marlow waits for approval.' }).click();
  await page.getByRole('heading', { name: 'Wire to Studio Marlow', level: 1 }).waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('on a phone the Menu button has the count, and decisions stay in view unless they fill the screen', async () => {
  const company = await dash.createAccount('Phone');
  const key = company.api_key;
  const agent = await dash.api(
    'POST',
    '/agents',
    { name: 'Payer', provider: 'acme', company_id: company.company_id },
    key,
  );
  const page = await dash.open('/', { key, company: company.company_id, width: 390 });
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  await menu.waitFor();
  const agentKey = (await dash.api('POST', '/api-keys', { name: 'Payer', scope: 'agent', agent_id: agent.id }, key))
    .key;
  const ask = (title: string, more: object) =>
    dash.api('POST', `/agents/${agent.id}/approvals`, { company_id: company.company_id, title, ...more }, agentKey);
  const { id: short } = await ask('Pay the invoice', { options: ['Pay', 'Wait'] });
  await page.getByRole('button', { name: 'Menu 1 approval waiting', exact: true }).waitFor();
  const options = ['one', 'two', 'three', 'four', 'five', 'six'].map(
    (nth) => `Move half of the money to account ${nth}`,
  );
  const expires_at = new Date(Date.now() + 90 * 60_000).toISOString();
  const { id: long } = await ask('Move the money', { options, expires_at });
  const name = 'Menu 2 approvals waiting, one expires within two hours';
  await page.getByRole('button', { name, exact: true }).waitFor();

  for (const [id, stays, first] of [
    [short, true, 'Pay…'],
    [long, false, `${options[0] ?? ''}…`],
  ] as const) {
    await navigate(page, `/approvals/${id}`);
    const button = page.getByRole('button', { name: first });
    await button.waitFor();
    const bar = page.getByRole('region', { name: 'Decide' }).locator('..');
    await expect.poll(() => bar.evaluate((block) => getComputedStyle(block).position === 'sticky')).toBe(stays);
    // The facts about the request are not below the bar.
    const blocks = page.getByRole('main').getByRole('heading', { level: 2 });
    expect(await blocks.allTextContents()).toEqual(['What you should know', 'Request', 'Decide']);
    // No option is hidden: the keyboard reaches the last one, and the page scrolls to it.
    await page.getByRole('button', { name: 'Withdraw request…' }).focus();
    await expect.poll(() => button.isVisible()).toBe(true);
  }
  expect(dash.errors(page)).toEqual([]);
});

test('the soonest deadline is first, and a press anywhere in a row opens its page', async () => {
  const company = await dash.createAccount('Two wires');
  const wires = `/companies/${company.company_id}/bank/wires`;
  for (const name of ['Landlord', 'Notary']) {
    const beneficiary = { name, account_last4: '4321' };
    await dash.api('POST', wires, { amount_cents: 5_000_000, currency: 'USD', beneficiary }, company.api_key);
  }
  const page = await dash.open('/approvals', { key: company.api_key, company: company.company_id });
  const rows = page.getByRole('main').getByRole('listitem');
  await expect.poll(() => rows.getByRole('link').allTextContents()).toEqual(['Landlord', 'Notary']);
  const box = await rows.last().boundingBox();
  if (!box) throw new Error('The row is not shown.');
  await page.mouse.click(box.x + box.width - 4, box.y + 4);
  await page.getByRole('heading', { name: 'Wire to Notary', level: 1 }).waitFor();
  expect(dash.errors(page)).toEqual([]);
});
