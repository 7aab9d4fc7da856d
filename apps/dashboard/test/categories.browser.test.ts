// Risk: half a word becomes a category, a corrected category reaches others than were named, or Undo restores another one.
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { setUpDashboard } from './dashboard-fixture.ts';
import { createCompany, day, postTransactions } from './records.ts';

const dash = setUpDashboard();
let id: string;
beforeEach(async () => {
  id = await createCompany(dash.api, 'Labelled Inc');
  const anthropic = { counterparty: 'Anthropic', category: 'software' };
  await postTransactions(
    dash.api,
    id,
    { description: 'Model usage', ...anthropic },
    { description: 'Tokens', ...anthropic },
    { description: 'Flight', category: 'travel' },
    { description: 'Sale', amount_cents: 300_000, category: 'sales' },
  );
});

const open = (path = '/transactions') => dash.open(path, { company: id });
const stored = async (): Promise<Record<string, string>[]> =>
  (await dash.api('GET', `/companies/${id}/bank/transactions?order=asc`)).data;
const categories = async () =>
  Object.fromEntries(
    (await stored()).map((row) => [row['description'], [row['category'], row['category_reason']]] as const),
  );

async function openRow(page: Page, name: string): Promise<{ drawer: Locator; category: Locator }> {
  await page.getByRole('link', { name }).click();
  const drawer = page.getByRole('dialog', { name: 'Transaction' });
  return { drawer, category: drawer.getByRole('combobox', { name: 'Category' }) };
}

async function choose(page: Page, category: Locator, name: string): Promise<void> {
  await category.fill(name);
  await page.getByRole('option', { name, exact: true }).waitFor();
  await page.keyboard.press('Enter');
}

async function create(page: Page, dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Category' }).fill(name);
  await page.getByRole('option', { name: `Create “${name}”` }).click();
}

test('Enter takes the first match and saves nothing; Undo restores what was', async () => {
  const page = await open();
  const { drawer, category } = await openRow(page, 'Flight');
  await category.click();
  await page.getByRole('option', { name: 'software' }).waitFor();
  // The text is selected, so that typing replaces it.
  await page.keyboard.type('softw');
  await page.getByRole('option', { name: 'Create “softw”' }).waitFor();
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['software', 'Create “softw”']);
  expect(await page.getByRole('option', { selected: true }).or(page.locator('[data-highlighted]')).innerText()).toBe(
    'software',
  );
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  expect(await category.inputValue()).toBe('software');
  expect((await categories())['Flight']).toEqual(['travel', 'posted']);
  await page.keyboard.press('Enter');
  await page.getByText('Category changed from travel to software.').waitFor();
  expect((await categories())['Flight']).toEqual(['software', 'person']);
  await page.getByText('Press F6 to reach this message.').waitFor();
  await page.keyboard.press('F6');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Undo');
  await page.keyboard.press('Enter');
  await page.getByText('Category restored.').waitFor();
  expect((await categories())['Flight']).toEqual(['travel', 'posted']);
  await expect.poll(() => category.inputValue()).toBe('travel');
  expect(await drawer.isVisible()).toBe(true);
  expect(dash.errors(page)).toEqual([]);
});

test('another category of the vendor, or a frequent one, is one press, which Undo takes back', async () => {
  await postTransactions(dash.api, id, {
    description: 'Credits',
    external_id: 'credits',
    counterparty: 'Anthropic',
    category: 'travel',
  });
  const page = await open();
  const { drawer } = await openRow(page, 'Credits');
  const suggested = drawer.getByRole('group', { name: 'Change the category to' }).getByRole('button');
  await expect.poll(() => suggested.allInnerTexts()).toEqual(['software']);
  expect(await violationsOf(page)).toEqual([]);
  await suggested.click();
  await page.getByText('Category changed from travel to software.').waitFor();
  expect((await categories())['Credits']).toEqual(['software', 'person']);
  // No other transaction of the vendor has another category now.
  await expect.poll(async () => (await suggested.allInnerTexts()).toSorted()).toEqual(['sales', 'travel']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Category restored.').waitFor();
  expect((await categories())['Credits']).toEqual(['travel', 'posted']);
});

test('a category is new only if no other one spells it, and what is left half typed is not saved', async () => {
  const page = await open();
  const { drawer, category } = await openRow(page, 'Flight');
  await category.fill(' SOFTWARE ');
  await page.getByRole('option', { name: 'software' }).waitFor();
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['software']);
  await category.fill('softwa');
  await page.getByRole('option', { name: 'Create “softwa”' }).waitFor();
  await drawer.getByText('Transaction', { exact: true }).click();
  await drawer.getByText('Choose an entry of the list.').waitFor();
  expect(await drawer.getByRole('button', { name: 'Save category' }).count()).toBe(0);
  // The list opens again.
  await category.press('Enter');
  await page.getByRole('option', { name: 'Create “softwa”' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await category.inputValue()).toBe('softwa');
  await drawer.getByRole('button', { name: 'Save category' }).click();
  await page.getByText('Category changed from travel to softwa.').waitFor();
  expect((await categories())['Flight']).toEqual(['softwa', 'person']);
});

test('Escape closes the list and restores the saved category, also a chosen one, and then closes the record', async () => {
  const page = await open();
  const { drawer, category } = await openRow(page, 'Flight');
  await category.fill('softw');
  await page.getByRole('option', { name: 'software' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await expect.poll(() => category.inputValue()).toBe('travel');
  await category.fill('sal');
  await page.getByRole('option', { name: 'sales' }).click();
  await drawer.getByRole('button', { name: 'Save category' }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.getByRole('button', { name: 'Save category' }).waitFor({ state: 'detached' });
  expect(await category.inputValue()).toBe('travel');
  expect(await category.evaluate((field) => field === document.activeElement)).toBe(true);
  // Nothing is typed that would be lost.
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect((await categories())['Flight']).toEqual(['travel', 'posted']);
});

test('a dialog is not submitted with half a category', async () => {
  const page = await open();
  await page.getByLabel('Select Flight').check();
  await page.getByRole('button', { name: 'Set category' }).click();
  const dialog = page.getByRole('dialog', { name: 'Category of 1 transaction' });
  await dialog.getByRole('combobox', { name: 'Category' }).fill('softw');
  await page.getByRole('option', { name: 'software' }).waitFor();
  // A press outside closes the list; the text stays.
  await dialog.getByText('Category of 1 transaction').click();
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Set category' }).click();
  await dialog.getByText('Check the marked fields.').waitFor();
  await dialog.getByText('Choose an entry of the list.').waitFor();
  expect((await categories())['Flight']).toEqual(['travel', 'posted']);
});

test('Undo restores the others of a vendor, each with its own category, but not one that changed since', async () => {
  const [usage] = (await stored()).filter(({ description }) => description === 'Model usage');
  const path = `/companies/${id}/bank/transactions/${usage?.['id'] ?? ''}`;
  await dash.api('PATCH', path, { category: 'software' });
  const page = await open();
  const { drawer, category } = await openRow(page, 'Tokens');
  const changeBoth = async (): Promise<void> => {
    await choose(page, category, 'travel');
    await drawer.getByLabel('Also 1 other transaction of Anthropic in “software”').check();
    await drawer.getByRole('button', { name: 'Save category' }).click();
    await page.getByText('Category of 2 transactions changed from software to travel.').waitFor();
  };
  await changeBoth();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Category of 2 transactions restored.').waitFor();
  expect(await categories()).toMatchObject({ 'Model usage': ['software', 'person'], Tokens: ['software', 'posted'] });
  await expect.poll(() => category.inputValue()).toBe('software');
  await changeBoth();
  await dash.api('PATCH', path, { category: 'meals' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('1 transaction kept the category that was set since.').first().waitFor();
  expect(await categories()).toMatchObject({ 'Model usage': ['meals', 'person'], Tokens: ['software', 'posted'] });
});

test('the message counts what a rule changes, and Undo removes the rule', async () => {
  const page = await open();
  const { drawer, category } = await openRow(page, 'Tokens');
  await choose(page, category, 'travel');
  await drawer.getByLabel('And future transactions with “Anthropic”').check();
  await drawer.getByRole('button', { name: 'Save category' }).click();
  await page.getByText('Rule for “Anthropic” saved. Category of 2 transactions changed to travel.').waitFor();
  expect(await categories()).toMatchObject({ 'Model usage': ['travel', 'rule'], Tokens: ['travel', 'person'] });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Category restored.').waitFor();
  expect(await categories()).toMatchObject({ 'Model usage': ['software', 'posted'], Tokens: ['software', 'posted'] });
  const { flow_rules } = await dash.api('GET', `/companies/${id}/financials/settings`);
  expect(flow_rules).toEqual([]);
});

test('an Undo that fails half-way is offered again for the rest, and the rule goes last', async () => {
  const page = await open();
  const { drawer, category } = await openRow(page, 'Tokens');
  await choose(page, category, 'travel');
  await drawer.getByLabel('Also 1 other transaction of Anthropic in “software”').check();
  await drawer.getByLabel('And future transactions with “Anthropic”').check();
  await drawer.getByRole('button', { name: 'Save category' }).click();
  await page.getByText('Rule for “Anthropic” saved.').waitFor();
  const problem = { code: 'rate_limited', status: 429, detail: 'Too many requests.', retryable: true };
  const error = { message: problem.detail, code: -32029, data: { problem } };
  let updates = 0;
  await page.route('**/trpc/bank.transactions.update', (route) => {
    updates += 1;
    return updates === 2 ? route.fulfill({ status: 429, json: { error } }) : route.continue();
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Too many requests. 1 of 2 transactions restored.').waitFor();
  expect((await stored()).filter((row) => row['category_reason'] === 'person')).toHaveLength(1);
  const rules = async () => (await dash.api('GET', `/companies/${id}/financials/settings`)).flow_rules;
  expect(await rules()).toHaveLength(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Category of 2 transactions restored.').waitFor();
  expect(await categories()).toMatchObject({ 'Model usage': ['software', 'posted'], Tokens: ['software', 'posted'] });
  expect(await rules()).toEqual([]);
  expect(updates).toBe(3);
});

test('a category is corrected for a row, the others of its vendor and future ones, and can be taken back', async () => {
  const others = {
    counterparty: 'Anthropic',
    category: 'software',
    connection_id: 'card',
    posted_at: `${day(1)}T12:00:00Z`,
  };
  await postTransactions(dash.api, id, { description: 'Team dinner', external_id: 'dinner', ...others });
  const [dinner] = (await stored()).filter(({ description }) => description === 'Team dinner');
  await dash.api('PATCH', `/companies/${id}/bank/transactions/${dinner?.['id'] ?? ''}`, { category: 'meals' });
  const page = await open();
  await page.getByRole('link', { name: 'Tokens' }).click();
  const drawer = page.getByRole('dialog', { name: 'Transaction' });
  const category = drawer.getByRole('combobox', { name: 'Category' });
  await category.click();
  await page.getByRole('option', { name: 'travel', exact: true }).click();
  await drawer.getByLabel('Also 1 other transaction of Anthropic in “software”').check();
  await drawer.getByLabel('And future transactions with “Anthropic”').check();
  await drawer.getByRole('button', { name: 'Save category' }).click();
  await page
    .getByText('Rule for “Anthropic” saved. Category of 2 transactions changed from software to travel.')
    .waitFor();
  await drawer.getByText('As posted: software').waitFor();
  expect((await stored()).filter(({ counterparty }) => counterparty === 'Anthropic')).toMatchObject([
    // A person has set it.
    { category: 'meals', posted_category: 'software', category_reason: 'person' },
    { category: 'travel', posted_category: 'software', category_reason: 'person' },
    { category: 'travel', posted_category: 'software', category_reason: 'person' },
  ]);
  const { flow_rules } = await dash.api('GET', `/companies/${id}/financials/settings`);
  expect(flow_rules).toEqual([{ contains: 'Anthropic', category: 'travel' }]);

  await category.fill('models & tokens');
  await page.getByRole('option', { name: 'Create “models & tokens”' }).click();
  await category.press('Enter');
  await page.getByText('Category changed from travel to models & tokens.').waitFor();
  expect((await stored()).map((row) => row['category'])).toContain('models & tokens');
  await drawer.getByRole('button', { name: 'Reset to software' }).click();
  // The rule decides now.
  await drawer.getByText('Set by a rule. As posted: software').waitFor();
  await page.getByText('Category changed from models & tokens to travel.').waitFor();
  // Nothing is typed that would be lost.
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(dash.errors(page)).toEqual([]);
});

test('a rule that could not be saved can be saved again, and a key without its permission is not offered one', async () => {
  const page = await open();
  const problem = { code: 'unavailable', status: 503, detail: 'The rule was not saved.', retryable: true };
  const error = { message: problem.detail, code: -32603, data: { problem } };
  await page.route('**/trpc/financials.settings.update', (route) => route.fulfill({ status: 503, json: { error } }), {
    times: 1,
  });
  await page.getByRole('link', { name: 'Tokens' }).click();
  const drawer = page.getByRole('dialog', { name: 'Transaction' });
  const others = drawer.getByLabel('Also 1 other transaction of Anthropic in “software”');
  const rule = drawer.getByLabel('And future transactions with “Anthropic”');
  await create(page, drawer, 'models');
  await others.check();
  await rule.check();
  await drawer.getByRole('button', { name: 'Save category' }).click();
  await drawer.getByText('As posted: software').waitFor();
  await page.getByText(problem.detail).first().waitFor();
  // The message covers the button.
  await page.getByLabel('Dismiss', { exact: true }).first().click();
  await expect.poll(() => others.count()).toBe(0);
  await drawer.getByRole('button', { name: 'Save category' }).click();
  await drawer.getByRole('button', { name: 'Save category' }).waitFor({ state: 'detached' });
  const { flow_rules } = await dash.api('GET', `/companies/${id}/financials/settings`);
  expect(flow_rules).toEqual([{ contains: 'Anthropic', category: 'models' }]);

  const { key } = await dash.api('POST', '/api-keys', {
    name: 'Rows only',
    scope: 'human',
    permissions: ['transactions:write'],
  });
  const limited = await dash.open('/transactions', { company: id, key });
  await limited.getByRole('link', { name: 'Tokens' }).click();
  await create(limited, limited.getByRole('dialog'), 'tools');
  await limited.getByLabel('Also 1 other transaction of Anthropic in “models”').waitFor();
  expect(await limited.getByLabel('And future transactions').count()).toBe(0);
});

test('the category of selected rows is set together', async () => {
  const page = await open();
  await page.getByLabel('Select Flight').check();
  await page.getByLabel('Select Sale').check();
  await page.getByRole('button', { name: 'Set category' }).click();
  const dialog = page.getByRole('dialog', { name: 'Category of 2 transactions' });
  await create(page, dialog, 'Off-site');
  await dialog.getByRole('button', { name: 'Set category' }).click();
  await dialog.waitFor({ state: 'detached' });
  const changed = (await stored()).filter(({ category }) => category === 'Off-site');
  expect(changed.map(({ description }) => description).toSorted()).toEqual(['Flight', 'Sale']);
  await page.getByText('Category of 2 transactions changed to Off-site.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Category of 2 transactions restored.').waitFor();
  expect(await categories()).toMatchObject({ Flight: ['travel', 'posted'], Sale: ['sales', 'posted'] });
});

test('all transactions of a filter get a category', async () => {
  const page = await open('/transactions?counterparty=Anthropic');
  await page.getByRole('button', { name: 'Change all filtered' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 2 transactions' });
  const change = dialog.getByRole('button', { name: 'Change 2 transactions' });
  await change.click();
  await dialog.getByText('Select an option.').waitFor();
  expect(await dialog.isVisible()).toBe(true);
  await dialog.getByLabel('Change to').selectOption('Set a category');
  await create(page, dialog, 'models');
  await change.click();
  await dialog.waitFor({ state: 'detached' });
  const changed = (await stored()).filter(({ category }) => category === 'models');
  expect(changed.map(({ description }) => description).toSorted()).toEqual(['Model usage', 'Tokens']);
});
