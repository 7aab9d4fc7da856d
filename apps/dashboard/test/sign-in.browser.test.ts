// Risk: a user without a key gets in, one with a key can't, or a session stays on screen after its end.
import { expect, test } from 'vitest';
import { setUpDashboard } from './dashboard-fixture.ts';

const dash = setUpDashboard();

test('a rejected key is never part of a URL, and can be corrected', async () => {
  const page = await dash.page({ key: null });
  await page.goto(`${dash.dashboard_url}/sign-in`);
  for (const key of ['sk_test_nothing', 'wrong']) {
    await page.getByLabel('API key').fill(key);
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.keyboard.press('Enter');
    expect((await answer).status()).toBe(401);
    await page
      .getByRole('alert')
      .getByText(/API key is unknown/)
      .waitFor();
    expect(page.url()).not.toContain(key);
  }
  await page.getByLabel('API key').fill(dash.api_key);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

test('the printed link signs in once, and says so when it is used again', async () => {
  const first = await dash.page({ key: null });
  await first.goto(dash.sign_in_url);
  await first.getByRole('button', { name: 'Sign in' }).click();
  await first.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(first.url()).not.toContain('link=');
  const second = await dash.page({ key: null });
  await second.goto(dash.sign_in_url);
  // The page gives it the focus by itself.
  await second.locator('button:focus').waitFor();
  await second.keyboard.press('Enter');
  await second.getByText(/link has expired or was already used/).waitFor();
});

test("scripts can't read the session cookie, and the page stores the key nowhere", async () => {
  const page = await dash.open('/companies');
  const cookies = await page.context().cookies();
  const session = cookies.find(({ name }) => name === '__Host-finhook_session');
  expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
  const seen = await page.evaluate(() =>
    JSON.stringify([document.cookie, localStorage, sessionStorage, document.documentElement.outerHTML]),
  );
  expect(seen).not.toContain(dash.api_key);
  expect(seen).not.toContain('finhook_session');
});

test('sign out ends the session on the server, and the next sign-in returns to the page', async () => {
  const page = await dash.open('/settings/keys?status=active', { isolated: true });
  await page.getByRole('button', { name: /Local account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.getByText(/Your session has ended/).count()).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const { pathname, searchParams } = new URL(page.url());
  expect(pathname).toBe('/dashboard/sign-in');
  expect(searchParams.get('next')).toMatch(/^\/settings\/keys\?status=active/);
  await page.getByLabel('API key').fill(dash.api_key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('active');
});

test('a key of another account that signs in in the same tab sees nothing of the previous account', async () => {
  const other = await dash.createAccount('Other');
  await dash.api('POST', '/companies', { name: 'Kept to itself' });
  const page = await dash.open('/companies', { isolated: true });
  await page.getByRole('link', { name: 'Kept to itself' }).waitFor();
  await page.getByRole('button', { name: /Local account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.route('**/trpc/**', () => undefined);
  await page.getByLabel('API key').fill(other.api_key);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(await page.getByText('Kept to itself').count()).toBe(0);
});

test('a tab reloads when another account signs in in another tab, and never shows two accounts', async () => {
  const other = await dash.createAccount('Second account');
  const page = await dash.page({ isolated: true });
  await page.goto(`${dash.dashboard_url}/companies`);
  await page.getByRole('button', { name: /Local account/ }).waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`${dash.dashboard_url}/nothing-here`);
  const status = await tab.evaluate(async (api_key) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/dashboard/session', { method: 'POST', headers, body: JSON.stringify({ api_key }) })).status;
  }, other.api_key);
  expect(status).toBe(201);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: /Second account/ }).waitFor();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  expect(await page.getByRole('button', { name: /Local account/ }).count()).toBe(0);
});
