// Risk: a login that nobody compared is allowed, or the command line waits for a page that does not work.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@finhook/testing';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { setUpDashboard } from './dashboard-fixture.ts';

const program = fileURLToPath(new URL('../../cli/src/finhook/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'finhook-device-'));
const dash = setUpDashboard();
afterAll(() => rmSync(folder, { recursive: true }));

function finhook(...args: string[]) {
  const env = { PATH: '/usr/bin:/bin', FINHOOK_CONFIG_DIR: folder, NODE_COMPILE_CACHE: compileCache };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { ended: new Promise((resolve) => child.once('close', resolve)), output: () => output };
}

const compared = (page: Page, code: string) => page.getByLabel(`the program shows ${code}`);

test('a login is confirmed after the sign-in, and the command line has a key that works', async () => {
  const name = `finhook on ${hostname()}`;
  const login = finhook('login', '--url', dash.api_url);
  await expect.poll(login.output).toContain('Ctrl-C');
  const [code = ''] = /[B-Z]{4}-[B-Z]{4}/.exec(login.output()) ?? [];
  expect(login.output()).toContain(`${dash.dashboard_url}/device?code=${code}`);
  const page = await dash.page({ key: null });
  await page.goto(`${dash.dashboard_url}/device?code=${code}`);
  await page.getByLabel('API key').fill(dash.api_key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Log in a program' }).waitFor();
  await page.getByText(code, { exact: true }).waitFor();
  await page.getByText(/If somebody sent you the code/).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe(name);
  // `finhook login` fails with such a key.
  expect(await page.getByRole('radio', { name: 'Ingest only' }).count()).toBe(0);
  await page.getByRole('radio', { name: 'Human' }).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect.poll(() => compared(page, code).getAttribute('aria-invalid')).toBe('true');
  await compared(page, code).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText(/program gets its key/).waitFor();
  expect([await login.ended, login.output()]).toEqual([0, expect.stringContaining(`the key ${name} of scope human`)]);
  const created = finhook('companies', 'create', '--name', 'From the command line');
  expect(await created.ended, created.output()).toBe(0);
  const left = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.body.outerHTML]));
  expect(left).not.toMatch(/sk_(live|test)_\w{30}/);
});

/** Starts a login as a program does. */
const beginLogin = () => dash.api('POST', '/device-authorization', { client_name: 'A program' });
const takeKey = (device_code: string) => dash.api('POST', '/device-token', { device_code });

test("a partly filled form stays if the login can't be refetched", async () => {
  const login = await beginLogin();
  const page = await dash.page({ isolated: true });
  await page.clock.install();
  await page.goto(`${dash.dashboard_url}/device?code=${login.user_code}`);
  await page.getByLabel('Name').fill('My laptop');
  let failed = false;
  await page.route(/device-login\?/, async (route) => {
    await route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' });
    failed = true;
  });
  // The data is old enough to be refetched.
  await page.clock.fastForward(10_000);
  const refocus = () => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => refocus().then(() => failed)).toBe(true);
  await compared(page, login.user_code).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText(/program gets its key/).waitFor();
  expect(await takeKey(login.device_code)).toMatchObject({ name: 'My laptop', scope: 'read' });
});

test('a denied login gives no key, and its code is no longer valid', async () => {
  const login = await beginLogin();
  const page = await dash.open('/device');
  await page.getByLabel('Code').fill(login.user_code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Login denied').waitFor();
  await expect(takeKey(login.device_code)).rejects.toThrow(/denied/);
  await page.goto(`${dash.dashboard_url}/device?code=${login.user_code}`);
  await page.getByText(/No login waits with this code/).waitFor();
});
