// Risk: somebody without the password uses the console, or it shows wrong or hostile content.
import { announceProcess, handlers, listProcesses, systemContext } from '@finhook/core';
import { createLogger } from '@finhook/runtime';
import { createTestClock } from '@finhook/testing';
import { afterEach, expect, inject, test } from 'vitest';
import { apiEnv, startApi } from '../src/index.ts';
import { SECRETS_KEY, useApi } from './api-fixture.ts';
import { type ConsoleOptions, type OpenConsole, openConsole, opsPassword } from './ops-console.ts';

const HOUR = 60 * 60 * 1000;
const hostile = '<script>alert(1)</script>" onload="x';

const fixture = useApi();
const opened: OpenConsole[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function open(options: Partial<ConsoleOptions> = {}): Promise<OpenConsole> {
  const one = await openConsole({ core: fixture.elsewhere, queueUrl: inject('pgUrl'), ...options });
  opened.push(one);
  return one;
}

const closedPaths = ['/ops', '/ops/', '/ops/queues', '/ops/queues/api/queues', '/ops/nothing', '/ops/../ops'];

test('without a password there is no console', async () => {
  const { send } = await open({ password: undefined });
  for (const path of [...closedPaths, '/ops/sign-in', '/ops/style.css', '/ops/refresh.js']) {
    expect((await send('GET', path)).status, path).toBe(404);
  }
  expect((await send('POST', '/ops/sign-in')).status).toBe(404);
});

test('an api writes heartbeats until it stops, and logs that it has no console', async () => {
  const { databaseUrl, elsewhere } = fixture;
  const lines: string[] = [];
  const logger = createLogger({ name: 'api', level: 'info', destination: { write: (line) => void lines.push(line) } });
  const env = { PORT: '0', DATABASE_URL: databaseUrl, QUEUE_URL: databaseUrl, SECRETS_KEY };
  expect(apiEnv.safeParse({ ...env, OPS_PASSWORD: 'fifteen letters' }).success).toBe(false);
  const api = await startApi(apiEnv.parse(env), logger);
  await expect.poll(() => listProcesses(elsewhere)).toMatchObject([{ role: 'api', pid: process.pid, gone: false }]);
  expect((await fetch(`${api.url}/ops`)).status).toBe(404);
  expect(lines.join('')).toContain('the console at /ops is off: OPS_PASSWORD is not set');
  await api.close();
  expect(await listProcesses(elsewhere)).toEqual([]);
});

test('without a session a page redirects to the sign-in and anything else is 401, also at unknown paths', async () => {
  const { send } = await open();
  for (const path of closedPaths) {
    const page = await send('GET', path);
    expect([page.status, page.headers.get('location'), page.text], path).toEqual([303, '/ops/sign-in', '']);
    const data = await send('GET', path, { headers: { accept: 'application/json' } });
    expect([data.status, JSON.parse(data.text).code], path).toEqual([401, 'missing_credentials']);
    expect(data.headers.get('www-authenticate')).toBe(
      'Cookie realm="finhook ops", form-action="/ops/sign-in", cookie-name="__Host-finhook_ops"',
    );
    const change = await send('PUT', path);
    expect(change.status, path).toBe(401);
  }
  const forged = await send('GET', '/ops', { cookie: '__Host-finhook_ops=9999999999999.a.b' });
  expect(forged.status).toBe(303);
});

test('the password opens a session of twelve hours', async () => {
  const clock = createTestClock(new Date());
  const { send } = await open({ clock });
  const response = await send('POST', '/ops/sign-in', { form: { password: opsPassword } });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/ops']);
  const [cookie = ''] = response.headers.get('set-cookie')?.split(';', 1) ?? [];
  expect((await send('GET', '/ops', { cookie })).status).toBe(200);
  expect((await send('GET', '/ops/sign-in', { cookie })).headers.get('location')).toBe('/ops');
  expect((await send('GET', '/ops/nothing', { cookie })).status).toBe(404);
  clock.advance(12 * HOUR);
  expect((await send('GET', '/ops', { cookie })).status).toBe(303);
});

test('signing out ends the session in the browser and at every api', async () => {
  const [{ send, signIn }, second] = [await open(), await open()];
  const [cookie, kept] = [await signIn(), await signIn()];
  const statusAt = async (one: Pick<OpenConsole, 'send'>, tried: string) =>
    (await one.send('GET', '/ops', { cookie: tried })).status;
  expect([await statusAt({ send }, cookie), await statusAt(second, cookie)]).toEqual([200, 200]);
  const out = await send('POST', '/ops/sign-out', { cookie });
  expect([out.status, out.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('Max-Age=0')]);
  for (const one of [{ send }, second])
    expect([await statusAt(one, cookie), await statusAt(one, kept)]).toEqual([303, 200]);
});

test('a wrong password is logged with its address, and is not compared if twenty are waiting', async () => {
  const waiting = Promise.withResolvers<void>();
  const { send, logLines } = await open({ pause: () => waiting.promise, trustedProxies: ['127.0.0.1'] });
  const guess = async (password: string, ip = '203.0.113.9') => {
    const form = { password };
    return (await send('POST', '/ops/sign-in', { form, headers: { 'x-forwarded-for': ip } })).status;
  };
  expect([await guess('first'), await guess('other', '203.0.113.10')]).toEqual([401, 401]);
  const guesses = Array.from({ length: 19 }, (_, n) => guess(`wrong-${n}`));
  guesses.push(guess(opsPassword));
  await expect.poll(() => isFull(send, '203.0.113.9')).toBe(true);
  waiting.resolve();
  expect((await Promise.all(guesses)).toSorted()).toEqual([303, ...Array(19).fill(401)]);
  const rejections = logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'rejected an operator');
  const address = { level: 'warn', address: '203.0.113.9', ip: '203.0.113.9', rejected: 1 };
  expect(rejections.slice(0, 2)).toMatchObject([address, { address: '203.0.113.10' }]);
  expect(rejections.at(-1)).toMatchObject({ rejected: 20, unread: expect.any(Number) });
  expect(rejections.at(-1).unread).toBeGreaterThan(0);
  expect(logLines.join('')).not.toMatch(new RegExp(`wrong-|${opsPassword}`));
});

/** True once passwords of the address are rejected unread. Sends no form, which would take a turn. */
async function isFull(send: OpenConsole['send'], ip: string): Promise<boolean> {
  const headers = { 'x-forwarded-for': ip, 'content-type': 'text/plain' };
  const { status, headers: got } = await send('POST', '/ops/sign-in', { headers });
  if (status === 429) expect(got.get('retry-after')).toBe('1');
  return status === 429;
}

test('forms of other sites cannot sign in or out', async () => {
  const { send, url } = await open();
  const post = (path: string, headers: Record<string, string>) =>
    send('POST', path, { form: { password: opsPassword }, headers });
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${url}.evil.example` },
    { origin: url, 'sec-fetch-site': 'same-site' },
    { origin: url, 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of foreign) {
    for (const path of ['/ops/sign-in', '/ops/sign-out']) {
      const response = await post(path, headers);
      expect([response.status, response.headers.get('set-cookie')], JSON.stringify(headers)).toEqual([403, null]);
    }
  }
  const untold = await fetch(`${url}/ops/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ password: opsPassword }),
    redirect: 'manual',
  });
  expect(untold.status).toBe(403);
  const json = await send('POST', '/ops/sign-in', { headers: { 'content-type': 'application/json' } });
  expect(json.status).toBe(415);
});

test('the overview shows endpoints in trouble, processes, the ledger and the queue, each as text', async () => {
  const { elsewhere: core, accountId } = fixture;
  const failing = await handlers.webhookEndpoints.create(systemContext(core, accountId, 'endpoint_health'), {
    url: 'http://127.0.0.1:9/hook?token=hunter2',
  });
  await core.database.query(
    'UPDATE webhook_endpoint SET consecutive_failures = 7, first_failed_at = now() WHERE id = $1',
    [failing.id],
  );
  await announceProcess(core, {
    id: 'proc_test',
    role: 'worker',
    host: hostile,
    pid: 4711,
    version: '1.2.3',
    uptimeMs: 0,
    inFlight: 12,
    connections: { busy: 1, idle: 2, waiting: 3 },
  });
  await core.database.query(
    "INSERT INTO account_move (account_id, state, cell, begun_by) VALUES ('acct_moving', 'frozen', 'us', $1)",
    [hostile],
  );
  const { send, signIn } = await open({ countJobs: async () => ({ waiting: 41, active: 0, delayed: 0 }) });
  const { headers, text } = await send('GET', '/ops', { cookie: await signIn() });
  for (const shown of [
    failing.id,
    accountId,
    '127.0.0.1:9',
    'Failing',
    'proc_test',
    '4711',
    '1.2.3',
    '>41<',
    '>12<',
    'acct_moving',
    'frozen',
    'Probe: nothing waits',
  ]) {
    expect(text).toContain(shown);
  }
  expect(text).toMatch(/All [\d,]+ deliveries are accounted for/);
  expect(text).toMatch(/<div class="verdict bad" role="status"><p>1 endpoint failing since \d\d:\d\d UTC/);
  expect(text).not.toMatch(/<script>|hunter2| onload="/);
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; " +
      "base-uri 'none'; frame-ancestors 'none'",
  );
  expect(text.match(/<table>/g)?.length).toBe(text.match(/<caption/g)?.length);
});

test('the due deliveries and their age are drawn once they were sampled', async () => {
  const { send, signIn } = await open({ sampleMs: 10 });
  const cookie = await signIn();
  const lines = async () => (await send('GET', '/ops', { cookie })).text.match(/<svg class="spark"/g)?.length;
  await expect.poll(lines, { timeout: 20_000, interval: 500 }).toBe(2);
});

test('the overview refreshes by a script, and not while paused', async () => {
  const { send, signIn } = await open();
  const cookie = await signIn();
  const script = '<script type="module" src="/ops/refresh.js"></script>';
  const { headers, text } = await send('GET', '/ops', { cookie });
  expect([headers.get('refresh'), text.includes(script)]).toEqual([null, true]);
  expect((await send('GET', '/ops/refresh.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect((await send('GET', '/ops?refresh=off', { cookie })).text).not.toContain(script);
});

test('the page marks the part of a store that is down', async () => {
  const { elsewhere: core } = fixture;
  const query = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
  const { send, signIn } = await open({
    core: { ...core, database: { ...core.database, query } },
    countJobs: () => Promise.reject(new Error('away')),
  });
  const { status, text } = await send('GET', '/ops', { cookie: await signIn() });
  expect(status).toBe(200);
  expect(text.match(/Unavailable right now|is unreachable\. Deliveries continue/g)).toHaveLength(7);
  expect(text).not.toContain('= 0');
});
