// Risk: the responsible person can't stop an agent or decide on its request.
import { expect, test } from 'vitest';
import { setUpDashboard } from './dashboard-fixture.ts';

const dash = setUpDashboard();

const createAgent = (name: string) =>
  dash.api('POST', '/agents', { name, provider: 'example', company_id: dash.company_id });
const place = () => ({ company_id: dash.company_id });

test('an agent is created, attached, edited, paused with a reason and resumed', async () => {
  const page = await dash.open('/agents');
  await page.getByRole('button', { name: 'Create agent' }).click();
  const create = page.getByRole('dialog', { name: 'Create agent' });
  await create.getByLabel('Name').fill('Bookkeeper');
  await create.getByLabel('Provider').fill('example');
  await create.getByLabel('Metadata').fill('team: finance');
  await create.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bookkeeper' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const read = () => dash.api('GET', `/agents/${id}`);
  expect(await read()).toMatchObject({
    metadata: { team: 'finance' },
    bindings: [{ company_id: dash.company_id, status: 'linked' }],
  });

  await page.getByRole('button', { name: 'Edit agent' }).click();
  await page.getByLabel('Model').fill('ledger-2');
  await dash.api('PATCH', `/agents/${id}`, { provider: 'another' });
  await page.getByText('another').waitFor();
  await page.getByRole('button', { name: 'Save agent' }).click();
  await page.getByText('ledger-2').waitFor();
  expect(await read()).toMatchObject({ provider: 'another', model: 'ledger-2' });

  await page.getByRole('button', { name: 'Pause agent' }).click();
  await page.getByLabel('Reason').fill('Under review');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause agent' }).click();
  await page.getByText('Under review').waitFor();
  expect(await read()).toMatchObject({ status: 'paused', paused_reason: 'Under review', model: 'ledger-2' });
  await page.getByRole('button', { name: 'Resume agent' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume agent' }).click();
  await page.getByRole('button', { name: 'Pause agent' }).waitFor();

  await page.getByRole('tab', { name: 'Companies' }).click();
  await page.getByRole('button', { name: /^Pause at/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause agent' }).click();
  await page.getByRole('button', { name: /^Resume at/ }).waitFor();
  expect(await read()).toMatchObject({ status: 'active', bindings: [{ status: 'paused' }] });
  await page.getByRole('button', { name: /^Detach from/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Detach agent' }).click();
  await page.getByRole('region', { name: 'Previous companies' }).waitFor();
  await page.getByRole('button', { name: 'Attach to company' }).click();
  await page.getByRole('dialog').getByLabel('Role').fill('bookkeeper');
  await page.getByRole('dialog').getByRole('button', { name: 'Attach agent' }).click();
  await page.getByRole('button', { name: /^Pause at/ }).waitFor();
  expect(await read()).toMatchObject({ bindings: [{ status: 'linked', role: 'bookkeeper' }] });
  expect(dash.errors(page)).toEqual([]);
});

test('the form of a checkpoint keeps its company, also after the agent was detached from it', async () => {
  const agent = await createAgent('Detached');
  const snapshot = { runtime: 'example/1', state: 'idle', company_id: dash.company_id };
  await dash.api('PUT', `/agents/${agent.id}/runtime-snapshot`, snapshot);
  await dash.api('POST', `/agents/${agent.id}/detach`, place());
  const page = await dash.open(`/agents/${agent.id}?tab=runtime`);
  await page.getByRole('button', { name: 'Store checkpoint' }).click();
  expect(await page.getByRole('dialog').getByLabel('Company').inputValue()).toBe(dash.company_id);
});

test('an agent is attached to a case that is not closed; the service selects them, however many closed ones are newer', async () => {
  const agent = await createAgent('Archivist');
  const create = (title: string) => dash.api('POST', `/companies/${dash.company_id}/cases`, { title });
  const [opened, waiting, closed] = [await create('Open'), await create('Waiting'), await create('Closed')];
  await dash.api('PATCH', `/cases/${waiting.id}`, { status: 'waiting' });
  await dash.api('PATCH', `/cases/${closed.id}`, { status: 'closed' });
  const page = await dash.open(`/agents/${agent.id}?tab=companies`);
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = decodeURIComponent(request.url());
    if (url.includes('cases.list')) asked.push(url);
  });
  await page.getByRole('button', { name: 'Attach to company' }).click();
  const choice = page.getByRole('dialog').getByLabel('Case');
  await expect
    .poll(async () => (await choice.getByRole('option').allTextContents()).slice(1))
    .toEqual(['Open', 'Waiting']);
  expect(asked.join()).toMatch(/"status":"open".*"status":"waiting"/);
  await choice.selectOption(opened.id);
  await page.getByRole('dialog').getByRole('button', { name: 'Attach agent' }).click();
  await expect
    .poll(async () => (await dash.api('GET', `/agents/${agent.id}`)).bindings)
    .toContainEqual(expect.objectContaining({ case_id: opened.id }));
});

test('an action is logged, blocked and completed, and the list follows the filter in the address', async () => {
  const agent = await createAgent('Collector');
  const page = await dash.open(`/agents/${agent.id}?tab=actions`);
  await page.getByRole('button', { name: 'Log action' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log action' });
  await dialog.getByLabel('Type').fill('email.send');
  await dialog.getByLabel('Title').fill('Ask for the invoice');
  await dialog.getByLabel('Input').fill('{"to": ');
  await dialog.getByRole('button', { name: 'Log action' }).click();
  await dialog.getByText(/Invalid JSON/).waitFor();
  await dialog.getByLabel('Input').fill('{"to": "v@example.com", "password": "x"}');
  await dialog.getByRole('button', { name: 'Log action' }).click();

  await page.getByRole('button', { name: 'Ask for the invoice' }).click();
  const open = page.getByRole('dialog', { name: 'Ask for the invoice' });
  await open.getByLabel('Outcome').selectOption('blocked');
  await open.getByLabel('Reason').fill('Not on the list');
  await open.getByRole('button', { name: 'Mark as blocked' }).click();
  await open.getByText('Blocked by').waitFor();
  await open.getByRole('button', { name: 'Mark as completed' }).click();
  await open.getByText('Duration').waitFor();
  const { data } = await dash.api('GET', `/agents/${agent.id}/actions`);
  expect(data).toMatchObject([{ status: 'completed', input: { to: 'v@example.com', password: '[redacted]' } }]);
  await page.keyboard.press('Escape');
  await open.waitFor({ state: 'hidden' });

  await page.getByLabel('Status').selectOption('failed');
  await page.getByText('No actions match the filters').waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
  expect(dash.errors(page)).toEqual([]);
});

async function keyOf(agent_id: string): Promise<string> {
  return (await dash.api('POST', '/api-keys', { name: 'Own key', scope: 'agent', agent_id })).key;
}

test("an agent's request appears automatically, and is approved with another payload", async () => {
  const agent = await createAgent('Sender');
  const page = await dash.open('/approvals');
  await page.getByText('Nothing waits for approval').waitFor();
  const request = {
    ...place(),
    title: 'Send the reminder',
    payload: { amount: { from: 4, to: 5 } },
    expires_at: new Date(Date.now() + 2 * 3_600_000).toISOString(),
  };
  const asked = await dash.api('POST', `/agents/${agent.id}/approvals`, request, await keyOf(agent.id));
  await page.getByText(/^(1 h 59|2 h 0) min left$/).waitFor();
  await page.getByRole('link', { name: 'Send the reminder' }).click();
  await page.getByText('Old value: 4 → New value: 5').waitFor();
  await page.getByRole('button', { name: 'Approve…' }).click();
  const form = page.getByRole('region', { name: 'Approve this request' });
  await form.getByLabel('Comment').fill('Less');
  await form.getByText('Change values before approving (optional)').click();
  await form.getByRole('textbox', { name: 'Values' }).fill('{"amount": 4}');
  await form.getByRole('button', { name: 'Approve request' }).click();
  await page.getByRole('region', { name: 'Approved values' }).waitFor();
  expect(await dash.api('GET', `/agent-approvals/${asked.id}`)).toMatchObject({
    status: 'approved',
    decision_comment: 'Less',
    edited_payload: { amount: 4 },
  });
  expect(dash.errors(page)).toEqual([]);
});

async function openRequest(options: readonly unknown[]) {
  const agent = await createAgent('Chooser');
  const request = { ...place(), title: 'Pay the invoice', options };
  const asked = await dash.api('POST', `/agents/${agent.id}/approvals`, request, await keyOf(agent.id));
  const page = await dash.open(`/approvals/${asked.id}`);
  const decide = page.getByRole('region', { name: 'Decide', exact: true });
  await decide.getByRole('button', { name: 'Withdraw request…' }).waitFor();
  const names = await decide.getByRole('button').allTextContents();
  return { page, decide, names, read: () => dash.api('GET', `/agent-approvals/${asked.id}`) };
}

test('each option of an agent is a button that decides with it, and one that denies needs a reason', async () => {
  const options = ['Approve', 'Ask vendor by phone', { label: 'Deny', decision: 'deny' }];
  const { page, decide, names, read } = await openRequest(options);
  expect(names).toEqual(['Approve…', 'Ask vendor by phone…', 'Deny…', 'Withdraw request…']);
  await decide.getByRole('button', { name: 'Deny…' }).click();
  await decide.getByText('The request becomes denied.').waitFor();
  await decide.getByRole('button', { name: 'Deny request' }).click();
  await decide.getByText('This field is required.').waitFor();
  expect((await read()).status).toBe('pending');
  await decide.getByLabel('Reason').fill('Not ordered');
  await decide.getByRole('button', { name: 'Deny request' }).click();
  await page.getByText('Denied. Decisions are final.').waitFor();
  const person_id = expect.stringMatching(/^key_/);
  const stored = await read();
  expect(stored).toMatchObject({
    status: 'denied',
    chosen_option: 'Deny',
    decision_comment: 'Not ordered',
    decided_by: { person_id },
  });
  expect(stored.requested_by.person_id).toBe(stored.decided_by.person_id);
  await page.getByText('The same person requested and decided this.').waitFor();
  expect(dash.errors(page)).toEqual([]);
});

test('an option that approves is recorded as the one that was chosen, and Deny is added to options that only approve', async () => {
  const { page, decide, names, read } = await openRequest(['Pay now', 'Pay on Monday']);
  expect(names).toEqual(['Pay now…', 'Pay on Monday…', 'Deny…', 'Withdraw request…']);
  await decide.getByRole('button', { name: 'Pay on Monday…' }).click();
  await decide.getByRole('button', { name: 'Approve request' }).click();
  await page.getByText('Approved. Decisions are final.').waitFor();
  expect(await read()).toMatchObject({ status: 'approved', chosen_option: 'Pay on Monday' });
  expect(dash.errors(page)).toEqual([]);
});

test('a flag is raised and resolved, and a checkpoint is shown and replaced', async () => {
  const agent = await createAgent('Clerk');
  await dash.api('PUT', `/agents/${agent.id}/runtime-snapshot`, { runtime: 'r/1', state: 'running', checkpoint: 1 });
  const page = await dash.open(`/agents/${agent.id}?tab=flags`);
  await page.getByRole('button', { name: 'Raise flag' }).click();
  const raise = page.getByRole('dialog', { name: 'Raise flag' });
  await raise.getByLabel('Title').fill('Wrong tone');
  await raise.getByLabel('Severity').selectOption('critical');
  await raise.getByRole('button', { name: 'Raise flag' }).click();
  await page.getByRole('tab', { name: 'Flags (1)' }).waitFor();
  await page.getByRole('region', { name: 'Critical flags' }).getByRole('link', { name: 'Wrong tone' }).click();
  const flag = page.getByRole('dialog', { name: 'Wrong tone' });
  await flag.getByLabel('Resolution note').fill('The template was corrected');
  await flag.getByRole('button', { name: 'Resolve flag' }).click();
  await flag.getByText('Resolved by').waitFor();
  const { data } = await dash.api('GET', `/agents/${agent.id}/flags`);
  expect(data).toMatchObject([{ severity: 'critical', resolution_note: 'The template was corrected' }]);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('region', { name: 'Critical flags' }).count()).toBe(0);

  await page.getByRole('tab', { name: 'Runtime' }).click();
  await page.getByText('Recent heartbeat').waitFor();
  await page.getByRole('button', { name: 'Store checkpoint' }).click();
  const store = page.getByRole('dialog', { name: 'Store checkpoint' });
  await store.getByLabel('State').selectOption('waiting_approval');
  await store.getByLabel('Checkpoint').fill('{"step": 4}');
  await store.getByRole('button', { name: 'Store checkpoint' }).click();
  await page.getByText('waiting for approval').waitFor();
  expect(await dash.api('GET', `/agents/${agent.id}/runtime-snapshot`)).toMatchObject({
    version: 2,
    state: 'waiting_approval',
    checkpoint: { step: 4 },
  });
  expect(dash.errors(page)).toEqual([]);
});

test('an open critical flag is in Needs you and in the list of agents, until it is resolved', async () => {
  const agent = await createAgent('Payer');
  const title = 'Bank details of Studio Marlow changed twice';
  const flag = await dash.api('POST', `/agents/${agent.id}/flags`, { ...place(), severity: 'critical', title });
  const page = await dash.open('/agents');
  const row = page.getByRole('row').filter({ hasText: 'Payer' });
  await row.getByText('1 critical').waitFor();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  const needs = page.getByRole('region', { name: 'Needs you' });
  await needs.getByText(`1 critical flag: ${title}`).waitFor();
  await needs.getByRole('link', { name: /^Open: 1 critical flag/ }).click();
  await page.getByRole('dialog', { name: title }).waitFor();
  await dash.api('POST', `/flags/${flag.id}/resolve`, {});
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await needs.getByText(title).waitFor({ state: 'detached' });
  expect(dash.errors(page)).toEqual([]);
});
