// Risk: a login that nobody compared is allowed, or the command line waits for a page that does not work.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { setUpDashboard } from './dashboard-fixture.ts';

const program = fileURLToPath(new URL('../../cli/src/finhook/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'finhook-device-'));
const name = `finhook on ${hostname()}`;
const dash = setUpDashboard();
afterAll(() => rmSync(folder, { recursive: true }));

interface Running {
  child: ChildProcess;
  ended: Promise<number | null>;
  said: () => string;
}

function finhook(...args: string[]): Running {
  const env = { PATH: '/usr/bin:/bin', FINHOOK_CONFIG_DIR: folder };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { child, ended: new Promise((resolve) => child.once('close', resolve)), said: () => said };
}

/** Begins a login and returns the page and the code that it prints. */
async function beginLogin(): Promise<Running & { page: string; code: string }> {
  const running = finhook('login', '--url', dash.api_url);
  await expect.poll(running.said, { timeout: 20_000 }).toContain('Ctrl-C');
  const [page = ''] = /http\S+/.exec(running.said()) ?? [];
  const [code = ''] = /[B-Z]{4}-[B-Z]{4}/.exec(running.said()) ?? [];
  expect(page).toBe(`${dash.dashboard_url}/device?code=${code}`);
  return { ...running, page, code };
}

const compared = (page: Page, code: string) => page.getByLabel(`the program shows ${code}`);

test('a login is confirmed after the sign-in, and the command line has a key that works', async () => {
  const login = await beginLogin();
  const page = await dash.page({ key: null });
  await page.goto(login.page);
  await page.getByLabel('API key').fill(dash.api_key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Log in a program' }).waitFor();
  await page.getByText(login.code, { exact: true }).waitFor();
  await page.getByText(/If somebody sent you the code/).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe(name);
  // `finhook login` fails with such a key.
  expect(await page.getByRole('radio', { name: 'For a provider' }).count()).toBe(0);
  await page.getByRole('radio', { name: 'Human' }).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect.poll(() => compared(page, login.code).getAttribute('aria-invalid')).toBe('true');
  await compared(page, login.code).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText(/program gets its key/).waitFor();
  expect([await login.ended, login.said()]).toEqual([0, expect.stringContaining(`the key ${name} of scope human`)]);
  const created = finhook('companies', 'create', '--name', 'From the command line');
  expect(await created.ended, created.said()).toBe(0);
  await page.goto(`${dash.dashboard_url}/settings/keys`);
  await page.getByRole('link', { name }).waitFor();
  const left = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.body.outerHTML]));
  expect(left).not.toMatch(/sk_(live|test)_\w{30}/);
  const logout = finhook('logout', '--revoke');
  expect(await logout.ended, logout.said()).toBe(0);
  expect((await dash.api('GET', `/api-keys?q=${encodeURIComponent(name)}`)).data[0].status).toBe('revoked');
});

test('a form that is half filled in stays when the login cannot be read again', async () => {
  const login = await beginLogin();
  const page = await dash.page();
  await page.goto(login.page);
  await page.getByLabel('Name').fill('My laptop');
  let failed = false;
  await page.route(/device-login\?/, async (route) => {
    await route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' });
    failed = true;
  });
  const refocus = () => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => refocus().then(() => failed), { timeout: 20_000 }).toBe(true);
  await compared(page, login.code).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText(/program gets its key/).waitFor();
  expect([await login.ended, login.said()]).toEqual([0, expect.stringContaining('the key My laptop of scope read')]);
});

test('a denied login ends the command line without a key', async () => {
  const login = await beginLogin();
  const page = await dash.page();
  await page.goto(`${dash.dashboard_url}/device`);
  await page.getByLabel('Code').fill(login.code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Login denied').waitFor();
  expect([await login.ended, login.said()]).toEqual([1, expect.stringContaining('The login was denied')]);
  await page.goto(login.page);
  await page.getByText(/No login waits with this code/).waitFor();
});

test('Ctrl-C gives up, and a viewer is told that another key is needed', async () => {
  const login = await beginLogin();
  const { key } = await dash.api('POST', '/api-keys', { name: 'Viewer', scope: 'read' });
  const page = await dash.page({ key });
  await page.goto(login.page);
  await page.getByText(/can’t create API keys/).waitFor();
  login.child.kill('SIGINT');
  expect(await login.ended).toBe(130);
});
