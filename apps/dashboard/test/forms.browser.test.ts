// Risk: after a rejected form the page breaks, typed text is lost, or the keyboard focus is lost.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { settled, setUpDashboard } from './dashboard-fixture.ts';

let page: Page;
const dash = setUpDashboard();
beforeAll(async () => {
  page = await dash.page();
});

async function go(path: string): Promise<void> {
  await page.goto(`${dash.dashboard_url}${path}`, { waitUntil: 'commit' });
  await settled(page);
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const exceptions = () => dash.errors(page).filter((error) => error.startsWith('exception'));

async function createEndpoint(url: string): Promise<void> {
  await dialog('Create endpoint').getByLabel('URL', { exact: true }).fill(url);
  await dialog('Create endpoint').getByRole('button', { name: 'Create endpoint' }).click();
}

test('a rejected form is corrected and its secret is shown, or it is cancelled: the page stays', async () => {
  await go('/settings/webhooks');
  await press('Create endpoint');
  await createEndpoint('ftp://x');
  await dialog('Create endpoint').getByRole('alert').waitFor();
  await dialog('Create endpoint').getByRole('button', { name: 'Cancel' }).click();
  await dialog('Create endpoint').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await press('Create endpoint');
  await createEndpoint('ftp://x');
  await dialog('Create endpoint').getByRole('alert').waitFor();
  await createEndpoint('http://127.0.0.1:9/corrected');
  const made = dialog('Endpoint created');
  expect(await made.getByLabel('Signing secret').textContent()).toMatch(/^whsec_/);
  expect(exceptions()).toEqual([]);
});

const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');

/** Records the focused element of each frame: the text of a button, else the element's name; `BODY` is lost focus. */
const traceFocus = () =>
  page.evaluate(() => {
    const trace: string[] = [];
    const place = ({ tagName, textContent }: Element): string => (tagName === 'BUTTON' ? textContent : tagName);
    const look = (): void => {
      const at = document.activeElement === null ? 'BODY' : place(document.activeElement);
      if (trace.at(-1) !== at) trace.push(at);
      document.documentElement.dataset['focusTrace'] = trace.join(' > ');
      requestAnimationFrame(look);
    };
    look();
  });
const focusTrace = () => page.locator('html').getAttribute('data-focus-trace');

/** Closes a dialog by accident: with Escape, and with an outside press. */
async function dismiss(): Promise<void> {
  await page.keyboard.press('Escape');
  await page.mouse.click(3, 3);
}

test('a key that is shown once is not lost by Escape or a press outside, and its heading has the focus', async () => {
  await go('/settings/keys');
  await press('Create key');
  await dialog('Create an API key').getByLabel('Name').fill('Kept');
  await dialog('Create an API key').getByRole('button', { name: 'Create key' }).click();
  await dialog('New key “Kept”').getByLabel('API key Kept').waitFor();
  expect(await focused()).toBe('New key “Kept”');
  await dismiss();
  expect(await dialog('New key “Kept”').getByLabel('API key Kept').isVisible()).toBe(true);
});

test('Escape and a press outside a changed form ask for confirmation; an unchanged form closes', async () => {
  await go('/directives');
  await press('Issue directive');
  await page.keyboard.press('Escape');
  await dialog('Issue directive').waitFor({ state: 'detached' });
  await press('Issue directive');
  await page.getByLabel('Instructions (optional)').fill('A long text');
  await dismiss();
  expect(await page.getByLabel('Instructions (optional)').inputValue()).toBe('A long text');
  for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(3, 3)]) {
    await page.getByLabel('Instructions (optional)').fill('Another text');
    const asked = page.waitForEvent('dialog');
    const closing = close();
    const question = await asked;
    expect(question.message()).toBe('Discard your changes?');
    await question.accept();
    await closing;
    await dialog('Issue directive').waitFor({ state: 'detached' });
    await press('Issue directive');
  }
});

test('Back asks before it discards typed text or a key that is shown once', async () => {
  const questions: string[] = [];
  const answer = (accepts: boolean) =>
    page.once('dialog', (asked) => {
      questions.push(asked.message());
      void (accepts ? asked.accept() : asked.dismiss());
    });
  // The router brings the declined page back asynchronously, and ignores a Back that comes before.
  const declineBack = async () => {
    answer(false);
    await page.goBack();
    await page.waitForFunction(() => location.pathname.endsWith('/settings/keys'));
  };
  await go('/cases');
  await page.getByRole('link', { name: 'API keys' }).click();
  await press('Create key');
  await dialog('Create an API key').getByLabel('Name').fill('Back');
  await declineBack();
  expect(questions).toHaveLength(1);
  expect(await dialog('Create an API key').getByLabel('Name').inputValue()).toBe('Back');
  await dialog('Create an API key').getByRole('button', { name: 'Create key' }).click();
  await dialog('New key “Back”').getByLabel('API key Back').waitFor();
  await declineBack();
  expect(questions).toHaveLength(2);
  expect(await dialog('New key “Back”').getByLabel('API key Back').isVisible()).toBe(true);
  answer(true);
  await page.goBack();
  await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
  expect(questions).toHaveLength(3);
});

test('the focus stays on the button while a form is sent, and in the page when the button is removed', async () => {
  const { id } = await dash.api('POST', `/companies/${dash.company_id}/cases`, { title: 'Focus' });
  await go(`/cases/${id}`);
  await page.getByLabel('Comment', { exact: true }).fill('By keyboard');
  const post = page.getByRole('button', { name: 'Post comment' });
  await post.focus();
  const answer = Promise.withResolvers<void>();
  await page.route('**/trpc/cases.comments.create', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await traceFocus();
  await page.keyboard.press('Enter');
  await expect.poll(() => post.getAttribute('aria-busy')).toBe('true');
  // Pressed again while in flight: only one request is sent.
  await page.keyboard.press('Enter');
  answer.resolve();
  await page.getByRole('listitem').getByText('By keyboard').waitFor();
  await expect.poll(() => page.getByLabel('Comment', { exact: true }).inputValue()).toBe('');
  await expect.poll(() => post.getAttribute('aria-busy')).toBe(null);
  expect(await focusTrace()).toBe('Post comment');
  expect((await dash.api('GET', `/cases/${id}/comments`)).data).toHaveLength(1);

  await page.getByRole('button', { name: 'Close case' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await expect.poll(focusTrace).toBe('Post comment > Close case > MAIN');
});

test('a request whose response was lost is not stored twice when the button is pressed again', async () => {
  const { id } = await dash.api('POST', `/companies/${dash.company_id}/cases`, { title: 'Once' });
  await go(`/cases/${id}`);
  await page.getByLabel('Comment', { exact: true }).fill('Only once');
  const problem = { code: 'unavailable', status: 503, detail: 'It may or may not have been stored.', retryable: true };
  let lost = 0;
  await page.route('**/trpc/cases.comments.create', async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    const error = { message: problem.detail, code: -32603, data: { problem } };
    return route.fulfill({ status: 503, json: { error } });
  });
  await press('Post comment');
  await page.getByText(problem.detail).first().waitFor();
  await press('Post comment');
  await expect.poll(() => page.getByLabel('Comment', { exact: true }).inputValue()).toBe('');
  expect((await dash.api('GET', `/cases/${id}/comments`)).data).toHaveLength(1);
});

test('the same request after another change takes effect again', async () => {
  const endpoint = await dash.api('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/replayed' });
  await dash.api('POST', `/companies/${dash.company_id}/cases`, { title: 'To be replayed' });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { id } = await dash.api('POST', `/webhook-endpoints/${endpoint.id}/replay`, { since, only: 'all' });
  const statusIs = (status: string) =>
    expect.poll(async () => (await dash.api('GET', `/replays/${id}`)).status).toBe(status);
  await go(`/settings/webhooks/${endpoint.id}`);
  await page.getByRole('tab', { name: 'Replays' }).click();
  const problem = { code: 'unavailable', status: 503, detail: 'It may or may not have been done.', retryable: true };
  await page.route(
    '**/trpc/replays.pause',
    async (route) => {
      await route.fetch();
      const error = { message: problem.detail, code: -32603, data: { problem } };
      return route.fulfill({ status: 503, json: { error } });
    },
    { times: 1 },
  );
  await press('Pause replay');
  await page.getByText(problem.detail).first().waitFor();
  // The message covers the button.
  await page.getByLabel('Dismiss', { exact: true }).first().click();
  await press('Resume replay');
  await statusIs('running');
  await press('Pause replay');
  await statusIs('paused');
});

test('an incomplete form marks every missing field, says so, and focuses the first', async () => {
  await go('/approvals');
  await press('Record wire');
  const record = dialog('Record wire');
  await record.getByRole('button', { name: 'Record wire' }).click();
  expect(await record.getByRole('alert').textContent()).toBe('Check the marked fields.');
  const names = ['Amount (USD)', 'Name', 'Last 4 of account'];
  for (const name of names) {
    expect(await record.getByLabel(name, { exact: true }).getAttribute('aria-invalid'), name).toBe('true');
  }
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('amount');
  await record.getByLabel('Amount').fill('1.005');
  await record.getByRole('button', { name: 'Record wire' }).click();
  await record.getByText(/2 digits after the point/).waitFor();
  expect(await record.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true');
});

test('a field error is shown at its field, once and without its pointer', async () => {
  await go('/companies');
  await press('Create company');
  const form = dialog('Create company');
  await form.getByLabel('Name', { exact: true }).fill('Cygnus');
  await form.getByLabel('Time zone').fill('Mars/Olympus');
  await form.getByRole('button', { name: 'Create company' }).click();
  const alert = form.getByRole('alert');
  await expect.poll(() => alert.textContent()).toBe('Check the marked fields.');
  expect(await form.textContent()).not.toContain('/timezone');
  const zone = form.getByLabel('Time zone');
  expect(await zone.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => zone.evaluate((field) => field === document.activeElement)).toBe(true);
});
