// Risk: the command line shows, stores or forwards wrong data, or leaks a key.
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWebhook } from '@finhook/client';
import { openCore } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { startReceiver } from '@finhook/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { type CommandLine, type Ended, openCommandLine } from './run-finhook.ts';
import { useFinhook } from './use-finhook.ts';

const finhook = useFinhook();

/** A command line that is not signed in, with settings of its own. Removed after the test. */
function openOwn(env: Record<string, string> = {}): CommandLine {
  const own = openCommandLine(env);
  onTestFinished(() => own.remove());
  return own;
}

const said = (code: number, text: string | RegExp): Ended => ({
  code,
  stdout: '',
  stderr: typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
});

test('a company is created, and its balance posted and read back', async () => {
  const id = await finhook.createCompany();
  const options = { input: JSON.stringify({ as_of: '2026-03-02', balance_cents: 1, currency: 'EUR' }) };
  const upsert = ['cash', 'balances', 'upsert', id, '--input', '-', '--balance-cents', '41250000', '--json'];
  const posted = await finhook.runWith(options, ...upsert);
  expect(JSON.parse(posted.stdout)).toMatchObject({ balance_cents: 41_250_000, currency: 'EUR', result: 'created' });
  const read = await finhook.run('cash', 'balances', 'list', '--company-id', id);
  const [head, row] = read.stdout.split('\n').map((line) => line.split('\t'));
  expect(row?.[head?.indexOf('balance_cents') ?? 0]).toBe('41250000');
  expect(read.stdout).not.toContain('\u001b');
  const update = ['companies', 'update', id];
  expect(await finhook.json(...update, '--legal-name', 'Beta, Inc.')).toMatchObject({ legal_name: 'Beta, Inc.' });
  expect(await finhook.json(...update, '--null', 'legal-name')).toMatchObject({ legal_name: null });
});

test('a list of pairs is given as JSON, one pair at a time', async () => {
  const update = ['financials', 'settings', 'update', await finhook.createCompany()];
  const pairs = ['--distinct-connections', '["a","b"]', '--distinct-connections', '["a","c"]'];
  expect((await finhook.json(...update, ...pairs))['distinct_connections']).toEqual([
    ['a', 'b'],
    ['a', 'c'],
  ]);
});

test('--all reads every page, and an export has the same rows', async () => {
  for (const name of ['One', 'Two', 'Three']) await finhook.run('companies', 'create', '--name', name);
  const ids = (await finhook.all('companies', 'list', '--limit', '2')).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(3);
  const page = await finhook.json('companies', 'list', '--limit', '2');
  expect(page).toMatchObject({ has_more: true, data: [{ id: ids[0] }, { id: ids[1] }] });
  const file = join(finhook.folder, 'companies.ndjson');
  const exported = await finhook.run('export', 'companies', '--format', 'ndjson', '--output-file', file);
  expect(exported).toMatchObject({ code: 0, stdout: '' });
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  expect(rows.map((line) => JSON.parse(line).id)).toEqual(ids);
});

test('a repeated call with one idempotency key creates one company', async () => {
  const create = () => finhook.createCompany('--idempotency-key', 'once');
  expect(await create()).toBe(await create());
});

test('login stores a key that only its user can read, and commands use it', async () => {
  const { api_url, api_key, company_id } = finhook.info;
  const own = openOwn();
  expect(await own.run('companies', 'list')).toEqual(said(2, 'finhook login'));
  const login = await own.runWith({ input: `${api_key}\n` }, 'login', '--key', '-', '--url', api_url);
  expect(login).toEqual(said(0, 'of scope human'));
  expect(statSync(join(own.folder, 'config.json')).mode & 0o777).toBe(0o600);
  const read = await own.run('companies', 'get', company_id);
  expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining(company_id) });
  const wrong = `${api_key.slice(0, -4)}0000`;
  expect(login.stderr).not.toContain('Warning');
  const rejected = await own.run('login', '--key', wrong, '--url', api_url, '--profile', 'wrong');
  expect(rejected).toEqual(said(1, 'can see the key after --key'));
  expect(await own.run('companies', 'list', '--profile', 'wrong')).toMatchObject({ code: 2 });
  // The profile's key is not sent to another service.
  expect(await own.runWith({ env: { FINHOOK_URL: 'http://127.0.0.1:9' } }, 'me', 'get')).toMatchObject({ code: 2 });
  for (const { stdout, stderr } of [login, rejected])
    for (const key of [api_key, wrong]) expect(stdout + stderr).not.toContain(key);
  expect(await own.run('logout')).toMatchObject({ code: 0 });
  expect(await own.run('me', 'get')).toMatchObject({ code: 2 });
});

test('a login with a name of its own leaves the current one as it is, until it is chosen', async () => {
  const { api_url } = finhook.info;
  const own = openOwn();
  const checkout = join(own.folder, 'checkout');
  expect(await own.run('login', '--local', checkout)).toEqual(said(1, '--local …/.finhook'));
  mkdirSync(join(checkout, '.finhook'), { recursive: true });
  copyFileSync(join(finhook.dataFolder, 'local.json'), join(checkout, '.finhook', 'local.json'));
  expect(await own.run('login', '--local', checkout)).toMatchObject({ code: 0 });
  const env = { FINHOOK_DATA_DIR: join(checkout, '.finhook') };
  expect(await own.runWith({ env }, 'login', '--local')).toMatchObject({ code: 0 });
  const input = await finhook.createKey('--scope', 'read');
  const login = await own.runWith({ input }, 'login', '--key', '-', '--url', api_url, '--profile', 'reader');
  expect(login).toEqual(said(0, 'finhook profiles use reader'));
  const scope = async () => JSON.parse((await own.run('me', 'get', '--json')).stdout).api_key.scope;
  expect(await scope()).toBe('human');
  expect((await own.run('profiles')).stdout).toBe(
    `name\turl\tcurrent\ndefault\t${api_url}\ttrue\nreader\t${api_url}\tfalse\n`,
  );
  expect(await own.run('profiles', 'use', 'reader')).toMatchObject({ code: 0 });
  expect(await scope()).toBe('read');
  expect(await own.run('profiles', 'use', 'nobody')).toMatchObject({ code: 2 });
});

test('login and doctor accept a key that may only post', async () => {
  const { api_url, company_id } = finhook.info;
  const input = await finhook.createKey('--scope', 'ingest', '--company-ids', company_id);
  const own = openOwn();
  const login = await own.runWith({ input }, 'login', '--key', '-', '--url', api_url);
  expect(login).toEqual(said(0, 'may only post'));
  const doctor = await own.run('doctor');
  expect(doctor).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok +key .*may only post/m) });
});

test('a rejected request has exit code 1, and says what is wrong, what to do and which request it was', async () => {
  expect(await finhook.run('companies', 'create', '--name', '')).toEqual(
    said(
      1,
      /^Error: The request is invalid\n {2}--name: must be at least 1 .*\n {2}What to do: Correct the fields above and send the request again\.\n {2}Request: req_/,
    ),
  );
  const reader = { FINHOOK_API_KEY: await finhook.createKey('--scope', 'read') };
  expect(await finhook.runWith({ env: reader }, 'companies', 'create', '--name', 'x')).toEqual(
    said(1, /^ {2}required: human\n {2}What to do: Use a key with one of the scopes in required/m),
  );
  const key = 'sk_live_wrongwrongwrongwrongwrongwrongwrong';
  const wrong = await finhook.runWith({ env: { FINHOOK_API_KEY: key } }, 'companies', 'list');
  expect(wrong).toEqual(said(1, 'finhook doctor'));
  expect(wrong.stderr).not.toContain(key);
});

test.each([
  ['companies list --nam x', "unknown option '--nam'"],
  ['companie list', 'Did you mean companies?'],
  ['companies create', 'Missing: --name'],
  ['cash balances upsert', 'Missing: <company_id>, --as-of, --balance-cents, --currency'],
  ['cash history co_1 --days 1.5', 'It is not an integer'],
  ['companies list --status open', 'It is none of forming, active, dissolved'],
  ['companies create --name x --metadata {', 'It is not JSON'],
  ['companies create --input /nonexistent', "--input /nonexistent can't be read"],
  ['companies create --name x --null name', '--null name'],
  ['companies list --profile none', 'There is no profile none'],
  ['login --cell US', '--cell must be at most 12 lower-case letters and digits'],
])('%s is wrong usage', async (command, message) => {
  expect(await finhook.run(...command.split(' '))).toEqual(said(2, message));
});

test('a service that cannot be reached has exit code 3, and a change names the key that repeats it', async () => {
  const env = { FINHOOK_URL: 'http://127.0.0.1:9' };
  expect(await finhook.runWith({ env }, 'companies', 'list')).toEqual(said(3, "can't be reached"));
  const change = await finhook.runWith({ env }, 'companies', 'create', '--name', 'x');
  expect(change).toEqual(said(3, /--idempotency-key [0-9a-f-]{36}/));
  const doctor = await finhook.runWith({ env }, 'doctor');
  expect(doctor).toMatchObject({ code: 3, stdout: expect.stringMatching(/^failed +health/m) });
});

test('listen forwards events that verify, shows the responses, and resumes where it ended', async () => {
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const { api_url, api_key } = finhook.info;
  const own = openOwn({ FINHOOK_URL: api_url, FINHOOK_API_KEY: api_key, FINHOOK_WEBHOOK_SECRET: secret });
  const receiver = await startReceiver({ respond: () => ({ body: 'seen' }) });
  onTestFinished(() => receiver.close());
  const events = ['--events', 'company.created', '--events', 'company.dissolved'];
  const listen = ['listen', '--forward-to', receiver.url, ...events];
  const names = () => receiver.requests.map(({ body }) => JSON.parse(body.toString()).data.name);
  const first = own.start(...listen);
  await expect.poll(first.stderr).toContain('Forwarding events');
  await own.run('companies', 'create', '--name', 'While listening');
  await expect.poll(first.stdout).toMatch(/^200 {2}company\.created {2}evt_\w+ {2}\d+ ms\n {5}seen\n/);
  first.child.kill('SIGINT');
  expect(await first.ended).toMatchObject({ code: 130 });
  await own.run('companies', 'create', '--name', 'Meanwhile');
  const second = own.start(...listen, '--resume', '--json');
  await expect.poll(names).toEqual(['While listening', 'Meanwhile']);
  await expect.poll(second.stdout).toContain('"status":200');
  second.child.kill('SIGINT');
  await second.ended;
  const triggered = await own.run('trigger', 'company.dissolved', '--forward-to', receiver.url);
  expect(triggered).toMatchObject({ code: 0, stdout: expect.stringContaining('200  company.dissolved') });
  for (const { stdout, stderr } of [await first.ended, await second.ended, triggered])
    expect(stdout + stderr).not.toContain(secret);
  for (const { body, headers } of receiver.requests)
    expect(await parseWebhook({ body, headers, secret })).toMatchObject({ ok: true });
  const [request] = receiver.requests;
  await verifyOffline(own, request?.headers ?? {}, request?.body ?? Buffer.of());
});

async function verifyOffline(own: CommandLine, headers: NodeJS.Dict<string | string[]>, body: Buffer): Promise<void> {
  const file = join(own.folder, 'body.json');
  writeFileSync(file, body);
  const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${String(value)}`]);
  const valid = await own.run('verify-signature', '--body', file, ...given);
  expect(valid).toMatchObject({ code: 0, stdout: 'x-service-signature  valid\nwebhook-signature  valid\n' });
  const altered = await own.runWith({ input: `${body.toString()} ` }, 'verify-signature', '--body', '-', ...given);
  expect(altered).toMatchObject({ code: 1, stderr: expect.stringContaining('body') });
}

test('trigger, why and replay show what an endpoint did', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const create = ['webhook-endpoints', 'create', '--url', receiver.url, '--events', 'company.created'];
  const id = String((await finhook.json(...create))['id']);
  const trigger = (type: string, ...flags: string[]) => finhook.run('trigger', type, '--endpoint', id, ...flags);
  expect(await trigger('company.created')).toMatchObject({ code: 0 });
  expect(await trigger('nonsense')).toEqual(said(2, /no event type nonsense.*finhook event-types list/));
  receiver.script('/', { status: 500, body: 'no room' });
  const failed = await trigger('company.created', '--json');
  expect(failed.code).toBe(1);
  const why = await finhook.run('deliveries', 'why', JSON.parse(failed.stdout).id);
  expect(why.stdout).toMatch(/Status: failed[^]*http_500[^]*no room[^]*What to do/);
  await finhook.run('companies', 'create', '--name', 'Retried');
  const retrying = () => finhook.all('deliveries', 'list', '--endpoint-id', id, '--status', 'retrying');
  await expect.poll(retrying, { timeout: 20_000 }).toHaveLength(1);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const replay = ['replay', id, '--since', since];
  expect(await finhook.run(...replay, '--dry-run')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+ events? would be sent/),
    stderr: expect.stringMatching(/wait for their next attempt.*: 1\.[^]*do finhook deliveries retry/),
  });
  receiver.script('/', { status: 204 });
  const replayed = await finhook.run(...replay, '--types', 'company.created');
  expect(replayed).toMatchObject({ code: 0, stdout: expect.stringMatching(/status +completed/) });
  expect((await finhook.run('logs', '--endpoint-id', id)).stdout).toContain('succeeded');
  expect(await finhook.json('events', 'list', '--type', 'company.created')).toMatchObject({ object: 'list' });
});

test('doctor checks the connection, the key and the database', async () => {
  const { code, stdout } = await finhook.run('doctor');
  expect(code).toBe(0);
  const checks = stdout.trim().split('\n');
  expect(checks.map((line) => line.split(/ +/).slice(0, 2).join(' '))).toEqual(
    ['dns', 'port', 'tls', 'health', 'ready', 'clock', 'key'].map((name) => `ok ${name}`),
  );
  expect(stdout).not.toContain(finhook.info.api_key);
});

const secretsKey = Buffer.alloc(32, 7).toString('base64');

async function openWithDatabase() {
  const database = await createMigratedDatabase(inject('pgUrl'));
  onTestFinished(() => database.drop());
  const { api_url, api_key } = finhook.info;
  const urls = { DATABASE_URL: database.url, QUEUE_URL: database.url, SECRETS_KEY: secretsKey };
  const own = openOwn({ FINHOOK_URL: api_url, FINHOOK_API_KEY: api_key, ...urls });
  return { databaseUrl: database.url, run: own.run };
}

test('doctor says what the roles of a database may do beyond what they need, and what to run', async () => {
  const { databaseUrl, run } = await openWithDatabase();
  const { stdout } = await run('doctor');
  expect(stdout).toMatch(/^ok +database +up to date, and it takes writes$/m);
  expect(stdout).toMatch(/^ok +postgres +PostgreSQL \d+/m);
  // The user of the tests' server is a superuser.
  expect(stdout).toMatch(/^warning +rights +\w+ is a superuser .*use a user that only owns the database/m);
  expect(stdout).toMatch(/^ok +queue +on PostgreSQL$/m);
  const core = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true });
  await core.database.owner.query('GRANT DELETE ON audit_log TO finhook_tenant');
  await core.database.close();
  const excess = /^failed +rights +finhook_tenant can change the audit log: REVOKE .* FROM finhook_tenant$/m;
  expect(await run('doctor')).toMatchObject({ code: 1, stdout: expect.stringMatching(excess) });
});

test('migrate plan and apply need a database, and find one that is up to date', async () => {
  expect(await finhook.run('migrate', 'plan')).toEqual(said(2, 'DATABASE_URL'));
  const { run } = await openWithDatabase();
  for (const verb of ['plan', 'apply']) expect(await run('migrate', verb)).toEqual(said(0, 'up to date'));
});

test('completion offers the commands, and the flags of each', async () => {
  const completed = async (...words: string[]) => (await finhook.run('complete', '--', ...words)).stdout.split('\n');
  expect(await completed('companies')).toEqual(expect.arrayContaining(['create', 'list']));
  expect(await completed('companies', 'create')).toContain('--legal-name');
  expect((await finhook.run('completion', 'bash')).stdout).toContain('complete');
});
