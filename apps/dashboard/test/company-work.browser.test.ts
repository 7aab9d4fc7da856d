// Risk: a company, filing, case or directive is readable in the dashboard but can't be changed there.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { setUpDashboard, startAt } from './dashboard-fixture.ts';
import { failRead } from './fail-read.ts';
import { createCompany, day, postTransactions } from './records.ts';

let page: Page;
const dash = setUpDashboard();
beforeAll(async () => {
  page = await dash.open('/companies');
});

const go = (path: string) => startAt(page, path);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('a company is created in formation, its steps are completed, and it is dissolved by typing its name', async () => {
  await go('/companies');
  await press('Create company');
  const form = page.getByRole('dialog');
  await form.getByLabel('Name', { exact: true }).fill('Borealis');
  await form.getByLabel('Entity type').selectOption('llc');
  await form.getByLabel('Jurisdiction (optional)').fill('us-de');
  await form.getByLabel('Company is in formation').check();
  await form.getByRole('button', { name: 'Create company' }).click();
  await page.getByRole('heading', { name: 'Borealis', level: 1 }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const created = await dash.api('GET', `/companies/${id}`);
  expect(created).toMatchObject({ status: 'forming', entity_type: 'llc', jurisdiction: 'US-DE' });

  const [step] = created.formation.steps;
  await page.getByRole('button', { name: `Complete ${step.label}` }).click();
  await page.getByLabel('Note (optional)').fill('Done by the agent');
  await press('Complete step');
  await page.getByText('Done by the agent').waitFor();
  expect((await dash.api('GET', `/companies/${id}`)).formation.completed_steps).toBe(1);

  await press('Mark as active');
  await press('Dissolve company');
  await page.getByLabel('Company name').fill('Something else');
  await press('Dissolve company');
  await page.getByText('Enter the exact name: Borealis').waitFor();
  await page.getByLabel('Company name').fill('Borealis');
  await press('Dissolve company');
  await page.getByText(/This company is dissolved/).waitFor();
  expect((await dash.api('GET', `/companies/${id}`)).status).toBe('dissolved');
});

test('settings of the figures: typed values stay, and only they are saved, even if others change the rest meanwhile', async () => {
  const settings = `/companies/${dash.company_id}/financials/settings`;
  await go(`/companies/${dash.company_id}`);
  const panel = page.getByRole('region', { name: 'Exclusions' });
  const categories = panel.getByLabel('Categories excluded from money in and out');
  await categories.fill('internal_transfer');
  const refetchChanged = page.waitForResponse(
    async (response) => response.url().includes('settings.get') && (await response.text()).includes('escrow'),
  );
  await dash.api('PATCH', settings, { excluded_connections: ['escrow'] });
  await refetchChanged;
  expect(await categories.inputValue()).toBe('internal_transfer');
  await press('Save settings');
  await page.getByText('Settings saved. Figures are recalculated.').waitFor();
  expect(await dash.api('GET', settings)).toMatchObject({
    excluded_categories: ['internal_transfer'],
    excluded_connections: ['escrow'],
  });
  await expect.poll(() => panel.getByLabel('escrow').isChecked()).toBe(true);
  await dash.api('PATCH', settings, { excluded_connections: [], excluded_categories: [] });
  await expect.poll(() => categories.inputValue()).toBe('');
});

test('an account that has only transactions is excluded', async () => {
  const settings = `/companies/${dash.company_id}/financials/settings`;
  await postTransactions(dash.api, dash.company_id, { connection_id: 'card' });
  await go(`/companies/${dash.company_id}`);
  await page.getByRole('region', { name: 'Exclusions' }).getByLabel('card', { exact: true }).check();
  await press('Save settings');
  await expect.poll(async () => (await dash.api('GET', settings)).excluded_connections).toEqual(['card']);
  await dash.api('PATCH', settings, { excluded_connections: [] });
});

test('an account gets a type, loses it again, and a pair that was called different is compared again', async () => {
  const settings = `/companies/${dash.company_id}/financials/settings`;
  await dash.api('PATCH', settings, {
    accounts: [{ connection_id: 'visa', account_type: 'credit_card' }],
    distinct_connections: [['visa', 'none']],
  });
  await go(`/companies/${dash.company_id}`);
  const panel = page.getByRole('region', { name: 'Accounts' });
  const stored = async () => (await dash.api('GET', settings)).accounts;
  const type = panel.getByLabel('visa', { exact: true });
  await type.selectOption('Restricted');
  await type.selectOption('Loan');
  expect(await stored()).toEqual([{ connection_id: 'visa', account_type: 'credit_card' }]);
  await press('Save accounts');
  await expect.poll(stored).toEqual([{ connection_id: 'visa', account_type: 'loan' }]);
  await type.selectOption('As reported');
  await press('Save accounts');
  await expect.poll(stored).toEqual([]);
  await panel.getByRole('button', { name: 'Remove Unassigned and visa' }).click();
  await panel.getByText('These accounts have the same transactions').waitFor({ state: 'hidden' });
  expect((await dash.api('GET', settings)).distinct_connections).toEqual([]);
});

test('a resync shows first what it would create, names likely duplicates, and then creates it', async () => {
  const company = await createCompany(dash.api, 'Filer', { entity_type: 'c_corp', jurisdiction: 'US-DE' });
  const filings = async () => (await dash.api('GET', `/companies/${company}/filings?order=asc&limit=200`)).data;
  await go(`/compliance?company=${company}`);
  await press('Update obligations');
  const plan = page.getByRole('dialog', { name: 'Update obligations' });
  await plan.getByRole('list', { name: 'Filings to create' }).waitFor();
  const planned = await plan.getByRole('listitem').count();
  expect(planned).toBeGreaterThan(1);
  expect(await filings()).toEqual([]);
  await plan.getByRole('button', { name: 'Cancel' }).click();
  await plan.waitFor({ state: 'detached' });

  const { planned_filings } = await dash.api('POST', `/companies/${company}/compliance/resync?dry_run=true`);
  const { title, type, jurisdiction, due_date } = planned_filings[0];
  await dash.api('POST', `/companies/${company}/filings`, { title, type, jurisdiction, due_date });
  await press('Update obligations');
  await plan.getByText(`Likely the same as ${title}`).first().waitFor();
  await plan.getByRole('button', { name: `Create ${planned} filings` }).click();
  await page.getByText(`${planned} filings created`).waitFor();
  expect(await filings()).toHaveLength(planned + 1);
  await plan.waitFor({ state: 'detached' });
  await press('Update obligations');
  await plan.getByText('No filing is missing for the next 12 months.').waitFor();
});

test('due dates are a list: a filing is marked as submitted with its number and day, and Undo opens it again', async () => {
  const company = await createCompany(dash.api, 'Late');
  const create = (title: string, due_date: string) =>
    dash.api('POST', `/companies/${company}/filings`, { type: 'other', title, due_date });
  const late = await create('Form 941', day(26));
  await create('Annual report', day(-12));
  await create('Franchise tax', day(-90));
  // Counted when it is looked for: the day may end during the test.
  const lateText = () => {
    const days = (Date.parse(day(0)) - Date.parse(late.due_date)) / 86_400_000;
    return page.getByText(`${days} days overdue`);
  };
  await go(`/compliance?company=${company}`);
  const titlesOf = (group: string) => page.getByRole('region', { name: group }).getByRole('link').allTextContents();
  await lateText().waitFor();
  expect(await Promise.all(['Overdue', 'Next 30 days', 'Later'].map(titlesOf))).toEqual([
    ['Form 941'],
    ['Annual report'],
    ['Franchise tax'],
  ]);
  await page.getByRole('button', { name: 'Mark submitted: Form 941' }).click();
  const form = page.getByRole('dialog', { name: 'Mark Form 941 as submitted' });
  await form.getByLabel('Confirmation number (optional)').fill('DE-1');
  await form.getByLabel('Submitted on').fill(day(2));
  await form.getByRole('button', { name: 'Mark as submitted' }).click();
  await lateText().waitFor({ state: 'detached' });
  const stored = () => dash.api('GET', `/filings/${late.id}`);
  expect(await stored()).toMatchObject({
    status: 'submitted',
    confirmation_number: 'DE-1',
    submitted_at: `${day(2)}T12:00:00.000Z`,
  });
  await press('Undo');
  await page.getByText('Filing reopened.').waitFor();
  await lateText().waitFor();
  expect(await stored()).toMatchObject({ status: 'open', confirmation_number: null });

  await page.getByRole('button', { name: 'Mark submitted: Form 941' }).click();
  await form.getByRole('button', { name: 'Mark as submitted' }).click();
  await form.waitFor({ state: 'detached' });
  await dash.api('POST', `/filings/${late.id}/reopen`);
  await dash.api('POST', `/filings/${late.id}/submit`, { confirmation_number: 'DE-2' });
  await press('Undo');
  await page.getByText('Form 941 was not reopened').first().waitFor();
  expect(await stored()).toMatchObject({ status: 'submitted', confirmation_number: 'DE-2' });
});

test('filings stay in the list and can be submitted while the obligations cannot be read', async () => {
  const company = await createCompany(dash.api, 'Half');
  await dash.api('POST', `/companies/${company}/filings`, { type: 'other', title: 'Form 941', due_date: day(26) });
  const half = await dash.page();
  const problem = { code: 'unavailable', status: 503, detail: 'The database is away.', retryable: true };
  const obligations = await failRead(half, 'compliance.get', problem);
  await half.goto(`${dash.dashboard_url}/compliance?company=${company}`);
  await half.getByText('The obligations couldn’t be loaded. The list shows filings only.').waitFor();
  const overdue = half.getByRole('region', { name: 'Overdue' });
  const button = await overdue.getByRole('button', { name: 'Mark submitted: Form 941' }).elementHandle();
  // The last of three tries. The read after it is for the event of another filing.
  await expect.poll(obligations.failures, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  const failures = obligations.failures();
  const other = { type: 'other', title: 'Form 940', due_date: day(26) };
  const { id } = await dash.api('POST', `/companies/${company}/filings`, other);
  await overdue.getByRole('link', { name: 'Form 940' }).waitFor();
  await expect.poll(obligations.failures).toBeGreaterThan(failures);
  expect(await button?.evaluate((element) => element.isConnected)).toBe(true);
  await button?.click();
  await half.getByRole('dialog').getByRole('button', { name: 'Mark as submitted' }).click();
  await overdue.getByRole('link', { name: 'Form 941' }).waitFor({ state: 'detached' });
  await dash.api('POST', `/filings/${id}/submit`, {});
  await half.getByText('No open filings').waitFor();
  obligations.mend();
  const all = half.getByText('Nothing is due');
  // A try that still runs may be faster than the button.
  await half.getByRole('button', { name: 'Try again' }).or(all).first().click();
  await all.waitFor();
  expect(await half.getByRole('alert').count()).toBe(0);
});

test('a resync of an outdated plan creates nothing, shows the new plan and says so', async () => {
  const company = await createCompany(dash.api, 'Twice', { entity_type: 'c_corp', jurisdiction: 'US-DE' });
  await go(`/compliance?company=${company}`);
  await press('Update obligations');
  const plan = page.getByRole('dialog', { name: 'Update obligations' });
  await plan.getByRole('list', { name: 'Filings to create' }).waitFor();
  // Somebody else resyncs between the press and the request.
  await page.route('**/trpc/compliance.resync', async (route) => {
    if (route.request().postData()?.includes('expected_count') === true)
      await dash.api('POST', `/companies/${company}/compliance/resync`);
    await route.continue();
  });
  await plan.getByRole('button', { name: /^Create \d+ filings$/ }).click();
  await plan.getByRole('alert').getByText('Check the new list and confirm it.').waitFor();
  await plan.getByText('No filing is missing for the next 12 months.').waitFor();
  await page.unroute('**/trpc/compliance.resync');
  expect(await plan.getByRole('list', { name: 'Filings to create' }).count()).toBe(0);
  await plan.getByRole('button', { name: 'Update', exact: true }).click();
  await plan.waitFor({ state: 'detached' });
});

test('a filing is opened from the calendar, marked as submitted and reopened there', async () => {
  const filing = { type: 'other', title: 'Form 1120', due_date: '2030-04-15' };
  const { id } = await dash.api('POST', `/companies/${dash.company_id}/filings`, filing);
  await go(`/compliance?company=${dash.company_id}&month=2030-04`);
  await page.getByRole('table').getByRole('link', { name: 'Form 1120' }).first().click();
  await page.getByLabel('Confirmation number (optional)').fill('DE-1');
  await press('Mark as submitted');
  await page.getByRole('dialog').getByText('DE-1').waitFor();
  await press('Reopen filing');
  await page.getByRole('button', { name: 'Mark as submitted' }).waitFor();
  expect(await dash.api('GET', `/filings/${id}`)).toMatchObject({ status: 'open', confirmation_number: null });
});

test('on a phone no month of the calendar says that nothing is due while something is overdue', async () => {
  const company = await createCompany(dash.api, 'Phone');
  await dash.api('POST', `/companies/${company}/filings`, { type: 'other', title: 'Form 941', due_date: day(40) });
  const phone = await dash.open('/compliance?tab=calendar', { company, width: 390 });
  const overdue = phone.getByRole('region', { name: 'Overdue' }).getByRole('link', { name: 'Form 941' });
  await overdue.waitFor();
  for (const step of [1, 2]) {
    await phone.getByRole('button', { name: 'Next month' }).click();
    await phone.getByText('Nothing else due this month').waitFor();
    await expect.poll(() => overdue.count(), { message: `${step}` }).toBe(1);
  }
});

test('quick steps through the months of the calendar all count', async () => {
  await go(`/compliance?company=${dash.company_id}&month=2026-01`);
  await page.getByText(/^Jan\w* 2026$/).waitFor();
  await page.getByRole('button', { name: 'Next month' }).dblclick();
  await page.getByText(/^Mar\w* 2026$/).waitFor();
  expect(new URL(page.url()).searchParams.get('month')).toBe('2026-03');
});

test('a case is opened, commented on, closed and opened again', async () => {
  await go('/cases');
  await press('Create case');
  const form = page.getByRole('dialog');
  await form.getByLabel('Title', { exact: true }).fill('A notice came');
  await form.getByRole('button', { name: 'Create case' }).click();
  await page.getByRole('link', { name: 'A notice came' }).click();
  await page.getByLabel('Comment', { exact: true }).fill('It came by mail.');
  await page.getByLabel('Visibility').selectOption('internal');
  await press('Post comment');
  await page.getByRole('listitem').getByText('It came by mail.').waitFor();
  expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('');
  await press('Close case');
  await press('Reopen');
  await page.getByRole('button', { name: 'Close case' }).waitFor();
  const { data } = await dash.api('GET', `/companies/${dash.company_id}/cases`);
  expect(data).toMatchObject([{ title: 'A notice came', status: 'open', comment_count: 1 }]);
});

test('editing a case changes only the edited fields: its agents stay before they load, and others’ changes too', async () => {
  const company = { company_id: dash.company_id };
  const agent = await dash.api('POST', '/agents', { name: 'Clerk', provider: 'example', ...company });
  const made = await dash.api('POST', `/companies/${dash.company_id}/cases`, {
    title: 'A notice',
    agent_ids: [agent.id],
    assignee: { type: 'staff', id: 'maria' },
  });
  const listed = Promise.withResolvers<void>();
  await page.route('**/trpc/**agents.list**', async (route) => {
    await listed.promise;
    await route.continue();
  });
  await go(`/cases/${made.id}`);
  await press('Edit case');
  await dash.api('PATCH', `/cases/${made.id}`, { priority: 'urgent', assignee: { type: 'staff', id: 'omar' } });
  const form = page.getByRole('dialog', { name: 'Edit case' });
  await form.getByLabel('Title').fill('A second notice');
  await press('Save case');
  await form.waitFor({ state: 'detached' });
  listed.resolve();
  await page.unrouteAll({ behavior: 'wait' });
  expect(await dash.api('GET', `/cases/${made.id}`)).toMatchObject({
    title: 'A second notice',
    priority: 'urgent',
    assignee: { type: 'staff', id: 'omar' },
    agent_ids: [agent.id],
  });
});

test('a case keeps an agent that was detached, until its box is unchecked', async () => {
  const company = { company_id: dash.company_id };
  const agent = await dash.api('POST', '/agents', { name: 'Runner', provider: 'example', ...company });
  const { id } = await dash.api('POST', `/companies/${dash.company_id}/cases`, { title: 'Old', agent_ids: [agent.id] });
  await dash.api('POST', `/agents/${agent.id}/detach`, company);
  const agentsNow = async () => (await dash.api('GET', `/cases/${id}`)).agent_ids;
  await go(`/cases/${id}`);
  await press('Edit case');
  const form = page.getByRole('dialog', { name: 'Edit case' });
  await form.getByLabel('Title').fill('Older');
  await press('Save case');
  await page.getByRole('heading', { name: 'Older', level: 1 }).waitFor();
  expect(await agentsNow()).toEqual([agent.id]);
  await press('Edit case');
  await form.getByLabel('Runner').uncheck();
  await press('Save case');
  await form.waitFor({ state: 'detached' });
  expect(await agentsNow()).toEqual([]);
});

test('a filter that the service rejects is an error, and not an empty list', async () => {
  await go('/compliance?tab=filings&type=x');
  // A message of the test before may still be shown.
  const rejection = page.getByRole('region', { name: 'Filings' }).getByRole('alert');
  await rejection.waitFor();
  await press('Clear filters');
  await expect.poll(() => rejection.count()).toBe(0);
});

test('a directive is issued, suspended, resumed and resolved; only allowed moves are offered', async () => {
  await go(`/directives?company=${dash.company_id}`);
  await press('Issue directive');
  const form = page.getByRole('dialog');
  await form.getByLabel('Title').fill('Ask before paying');
  await form.getByLabel('Priority').selectOption('critical');
  await form.getByRole('button', { name: 'Issue directive' }).click();
  await page.getByRole('link', { name: 'Ask before paying' }).click();
  for (const [move, confirm] of [
    ['Suspend', 'Suspend directive'],
    ['Resume', 'Resume directive'],
    ['Resolve', 'Resolve directive'],
  ] as const) {
    await press(move);
    await press(confirm);
    await page.getByRole('button', { name: confirm }).waitFor({ state: 'detached' });
  }
  await page
    .getByRole('dialog')
    .locator('span', { hasText: /^Resolved$/ })
    .waitFor();
  expect(
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Suspend|Resume|Resolve/ })
      .count(),
  ).toBe(0);
  const { data } = await dash.api('GET', `/companies/${dash.company_id}/directives`);
  expect(data).toMatchObject([{ status: 'resolved', resolution: 'completed', priority: 'critical' }]);
});

test('no page had an error', () => {
  expect(dash.errors(page).filter((error) => !/422|409/.test(error))).toEqual([]);
});
