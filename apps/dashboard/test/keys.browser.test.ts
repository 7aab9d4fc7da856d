// Risk: a key can't be limited, leaks to others or works after it was revoked, or a session can't be ended.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { navigate, setUpDashboard, startAt } from './dashboard-fixture.ts';

let page: Page;
const dash = setUpDashboard();
beforeAll(async () => {
  page = await dash.open('/companies');
});

const go = (path: string) => startAt(page, path);

const works = (key: string): Promise<boolean> =>
  dash.api('GET', '/me', undefined, key).then(
    () => true,
    () => false,
  );
const keyNamed = async (name: string) =>
  (await dash.api('GET', `/api-keys?q=${encodeURIComponent(name)}`)).data.find(
    (one: { name: string }) => one.name === name,
  );

async function ask(name: string, item: string): Promise<void> {
  await page
    .getByRole('button', { name: `Actions for ${name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function takeKey(dialog: Locator): Promise<string> {
  const key = (await dialog.getByLabel(/^API key/).textContent()) ?? '';
  await dialog.getByText(`Authorization: Bearer ${key}`).waitFor();
  await dialog.getByRole('button', { name: 'I’ve stored it' }).click();
  await dialog.waitFor({ state: 'detached' });
  const left = await page.evaluate(() =>
    [location.href, JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.body.outerHTML].join(),
  );
  expect(left).not.toContain(key);
  return key;
}

test('a key of one company is not offered changes beyond it, which would be rejected', async () => {
  const { key } = await dash.api('POST', '/api-keys', { name: 'One', scope: 'human', company_ids: [dash.company_id] });
  const narrow = await dash.open('/companies', { key });
  const clerk = { name: 'Clerk', provider: 'example', company_id: dash.company_id };
  const agent = await dash.api('POST', '/agents', clerk);
  for (const [look, offered] of [
    [narrow, 0],
    [page, 1],
  ] as const) {
    await navigate(look, '/companies');
    await look.getByRole('main').getByRole('link', { name: 'Local account' }).waitFor();
    expect(await look.getByRole('button', { name: 'Create company' }).count()).toBe(offered);
    await navigate(look, `/agents/${agent.id}`);
    await look.getByRole('button', { name: 'Edit agent' }).waitFor();
    expect(await look.getByRole('button', { name: 'Pause agent' }).count()).toBe(offered);
    await navigate(look, '/agents');
    await look.getByRole('button', { name: 'Create agent' }).first().click();
    const company = look.getByRole('dialog').getByLabel('Attach to company');
    await company.getByRole('option', { name: 'Local account' }).waitFor({ state: 'attached' });
    expect(await company.getByRole('option', { name: 'No company yet' }).count()).toBe(offered);
  }
});

test("a provider's key is created with its limits, and the commands of its dialog work with it and read nothing", async () => {
  await go('/settings/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const form = page.getByRole('dialog', { name: 'Create an API key' });
  await form.getByLabel('Name').fill('Provider');
  await form.getByRole('radio', { name: 'Ingest only' }).check();
  await form.getByLabel('Accounts').fill('feed-1');
  await form.getByLabel('Sources').fill('acme');
  await form.getByText('Restrict to companies').click();
  await form.getByLabel('Local account').check();
  await form.getByRole('button', { name: 'Create key' }).click();

  const dialog = page.getByRole('dialog', { name: 'New key “Provider”' });
  await dialog.getByText('Post a statement').waitFor();
  const commands = await dialog.locator('pre').allTextContents();
  const key = await takeKey(dialog);
  expect(await works(key)).toBe(false);
  const curls = commands.filter((text) => text.startsWith('curl'));
  expect(curls).toHaveLength(3);
  for (const curl of curls) {
    const [, path = ''] = /curl "[^"]+\/api\/v1([^"]+)"/.exec(curl) ?? [];
    const [, body = ''] = /-d '(.+)'$/.exec(curl) ?? [];
    expect(await dash.api('POST', path, JSON.parse(body), key)).toMatchObject({ dry_run: true });
  }
  await page.getByText('1 company, 1 account, 1 source').first().waitFor();
  expect(await keyNamed('Provider')).toMatchObject({ scope: 'ingest', company_ids: [dash.company_id] });
  await page.getByRole('link', { name: 'Provider' }).click();
  await page.getByRole('dialog', { name: 'Provider' }).getByText('feed-1').waitFor();
});

test('a key with more permissions than its creator is rejected at the field', async () => {
  const maker = await dash.api('POST', '/api-keys', {
    name: 'Maker',
    scope: 'human',
    permissions: ['keys:write', 'cash:write'],
  });
  const own = await dash.open('/settings/keys', { key: maker.key });
  await own.getByRole('button', { name: 'Create key' }).click();
  const form = own.getByRole('dialog', { name: 'Create an API key' });
  await form.getByLabel('Name').fill('Beyond');
  await form.getByText('Restrict permissions').click();
  await form.getByLabel('wires:write').check();
  await form.getByRole('button', { name: 'Create key' }).click();
  await form
    .getByRole('group', { name: /permissions of your own key/ })
    .getByText(/lacks: wires:write/)
    .waitFor();
  expect(await keyNamed('Beyond')).toBeUndefined();
});

test('a key is rotated: the new one works, the old one until its overlap ends', async () => {
  const old = await dash.api('POST', '/api-keys', { name: 'Worn', scope: 'read' });
  await go('/settings/keys?q=Worn');
  await ask('Worn', 'Rotate key');
  const form = page.getByRole('dialog', { name: 'Rotate “Worn”' });
  await form.getByLabel('Old key expires').selectOption('In 1 hour');
  await form.getByRole('button', { name: 'Rotate key' }).click();
  const fresh = await takeKey(page.getByRole('dialog', { name: 'New key for “Worn”' }));
  expect([await works(fresh), await works(old.key)]).toEqual([true, true]);
  const { rotated_to, expires_at } = await dash.api('GET', `/api-keys/${old.id}`);
  expect(rotated_to).toMatch(/^key_/);
  expect(Date.parse(expires_at) - Date.now()).toBeLessThan(3_601_000);
  await page.getByText('Rotated', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Actions for Worn' }).last().click();
  await expect
    .poll(() => page.getByRole('menuitem', { name: 'Rotate key' }).getAttribute('aria-disabled'))
    .toBe('true');
});

test('a key that is revoked with a reason stops working, and the list says so', async () => {
  const gone = await dash.api('POST', '/api-keys', { name: 'Leaked', scope: 'read' });
  await go('/settings/keys?q=Leaked');
  await ask('Leaked', 'Revoke key');
  const form = page.getByRole('dialog', { name: 'Revoke “Leaked”?' });
  await form.getByLabel('Reason').fill('Found in a log');
  await form.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('group', { name: 'API keys' }).getByText('Revoked', { exact: true }).waitFor();
  await expect.poll(() => works(gone.key)).toBe(false);
  const [event] = (await dash.api('GET', '/events?type=api_key.revoked&order=desc&limit=1')).data;
  expect(event.data).toMatchObject({ id: gone.id, revoked_reason: 'Found in a log' });
});

test('a user who revokes the key of this session is warned, and signed out at once', async () => {
  const own = await dash.api('POST', '/api-keys', { name: 'Own', scope: 'human' });
  const mine = await dash.open('/settings/keys?q=Own', { key: own.key });
  await mine.getByRole('button', { name: 'Actions for Own' }).click();
  await mine.getByRole('menuitem', { name: 'Revoke key' }).click();
  await mine.getByText(/signs you out immediately/).waitFor();
  await mine.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await mine.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await works(own.key)).toBe(false);
});

test('another browser is led to the sign-in, which says why, when its session is revoked', async () => {
  const key = await dash.api('POST', '/api-keys', { name: 'Elsewhere', scope: 'human' });
  const other = await dash.open('/companies', { key: key.key });
  await go('/settings/sessions?status=active');
  const row = page.getByRole('row').filter({ hasText: 'Elsewhere' });
  await row.getByRole('button', { name: /^Revoke the session/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke session' }).click();
  await page.getByText('Session revoked.').waitFor();
  await other.getByText(/Your session has ended/).waitFor();
  expect(new URL(other.url()).pathname).toBe('/dashboard/sign-in');
  await row.waitFor({ state: 'detached' });
  expect(await works(key.key)).toBe(true);
});

test('signing out everywhere ends every session of the key and leaves the key alone', async () => {
  const key = await dash.api('POST', '/api-keys', { name: 'Both', scope: 'read' });
  const one = await dash.open('/settings/sessions', { key: key.key });
  const two = await dash.open('/companies', { key: key.key });
  await one.getByText('This session', { exact: true }).waitFor();
  expect(await one.getByRole('button', { name: /^Revoke/ }).count()).toBe(0);
  await one.getByRole('button', { name: 'Sign out everywhere' }).click();
  await one.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await one.getByRole('heading', { name: 'Sign in' }).waitFor();
  await two.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await works(key.key)).toBe(true);
});
