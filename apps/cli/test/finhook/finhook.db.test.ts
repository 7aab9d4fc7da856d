// Risk: the command line shows, stores or forwards something else than the service has, or leaks a key.
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWebhook } from '@finhook/client';
import { openCore } from '@finhook/core';
import { createMigratedDatabase } from '@finhook/core/test';
import { startReceiver } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useLocalService } from '../use-local.ts';
import { type CommandLine, openCommandLine } from './run-finhook.ts';

const service = useLocalService(() => createMigratedDatabase(inject('pgUrl')));
/** With the key in the environment. */
let finhook: CommandLine;
let company: string;

beforeAll(() => {
  const { info } = service.local;
  finhook = openCommandLine({ FINHOOK_URL: info.api_url, FINHOOK_API_KEY: info.api_key });
  company = info.company_id;
});
afterAll(() => finhook.remove());

test('a company is created, and its balance posted and read back', async () => {
  const created = await finhook.run('companies', 'create', '--name', 'Beta', '--json');
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const { id } = JSON.parse(created.stdout);
  const body = { as_of: '2026-03-02', balance_cents: 1, currency: 'EUR' };
  const options = { input: JSON.stringify(body) };
  const upsert = ['cash', 'balances', 'upsert', id, '--input', '-', '--balance-cents', '41250000', '--json'];
  const posted = await finhook.runWith(options, ...upsert);
  expect(JSON.parse(posted.stdout)).toMatchObject({ balance_cents: 41_250_000, currency: 'EUR', result: 'created' });
  const read = await finhook.run('cash', 'balances', 'list', '--company-id', id);
  const [head, row] = read.stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  expect(row?.[head?.indexOf('balance_cents') ?? 0]).toBe('41250000');
  expect(read.stdout).not.toContain('\u001b');
  const cleared = await finhook.run('companies', 'update', id, '--legal-name', 'Beta, Inc.', '--json');
  expect(JSON.parse(cleared.stdout)).toMatchObject({ legal_name: 'Beta, Inc.' });
  const renamed = await finhook.run('companies', 'update', id, '--null', 'legal-name', '--json');
  expect(JSON.parse(renamed.stdout)).toMatchObject({ legal_name: null });
});

test('--all reads every page, and an export has the same rows', async () => {
  for (const name of ['One', 'Two', 'Three']) await finhook.run('companies', 'create', '--name', name);
  const all = await finhook.run('companies', 'list', '--all', '--limit', '2', '--json');
  const ids = all.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(ids.length).toBeGreaterThan(3);
  const page = await finhook.run('companies', 'list', '--limit', '2', '--json');
  expect(JSON.parse(page.stdout)).toMatchObject({ has_more: true, data: [{ id: ids[0] }, { id: ids[1] }] });
  const file = join(finhook.folder, 'companies.ndjson');
  const exported = await finhook.run('export', 'companies', '--format', 'ndjson', '--output-file', file);
  expect(exported).toMatchObject({ code: 0, stdout: '' });
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  expect(rows.map((line) => JSON.parse(line).id)).toEqual(ids);
});

test('a repeated call with one idempotency key creates one company', async () => {
  const create = () => finhook.run('companies', 'create', '--name', 'Once', '--idempotency-key', 'once', '--json');
  const [first, second] = [await create(), await create()];
  expect(JSON.parse(second.stdout).id).toBe(JSON.parse(first.stdout).id);
});

test('login stores a key that only its user can read, and commands use it', async () => {
  const { api_url, api_key } = service.local.info;
  const own = openCommandLine();
  expect(await own.run('companies', 'list')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('finhook login'),
  });
  const login = await own.runWith({ input: `${api_key}\n` }, 'login', '--key', '-', '--url', api_url);
  expect(login).toMatchObject({ code: 0, stdout: '' });
  expect(login.stderr).toContain('of scope human');
  expect(statSync(join(own.folder, 'config.json')).mode & 0o777).toBe(0o600);
  expect(await own.run('companies', 'get', company)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(company),
  });
  const wrong = `${api_key.slice(0, -4)}0000`;
  expect(login.stderr).not.toContain('Warning');
  const rejected = await own.run('login', '--key', wrong, '--url', api_url, '--profile', 'wrong');
  expect(rejected).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('can see the key after --key'),
  });
  expect(await own.run('companies', 'list', '--profile', 'wrong')).toMatchObject({ code: 2 });
  // The profile's key does not go to another service.
  expect(await own.runWith({ env: { FINHOOK_URL: 'http://127.0.0.1:9' } }, 'me', 'get')).toMatchObject({ code: 2 });
  for (const { stdout, stderr } of [login, rejected]) {
    expect(stdout + stderr).not.toContain(api_key);
    expect(stdout + stderr).not.toContain(wrong);
  }
  expect(await own.run('logout')).toMatchObject({ code: 0 });
  expect(await own.run('me', 'get')).toMatchObject({ code: 2 });
  own.remove();
});

test('a login with a name of its own leaves the current one as it is, until it is chosen', async () => {
  const own = openCommandLine();
  const checkout = join(own.folder, 'checkout');
  const wrong = await own.run('login', '--local', checkout);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('--local …/.finhook') });
  mkdirSync(join(checkout, '.finhook'), { recursive: true });
  copyFileSync(join(service.folder, 'local.json'), join(checkout, '.finhook', 'local.json'));
  expect(await own.run('login', '--local', checkout)).toMatchObject({ code: 0 });
  const env = { FINHOOK_DATA_DIR: join(checkout, '.finhook') };
  expect(await own.runWith({ env }, 'login', '--local')).toMatchObject({ code: 0 });
  const read = await finhook.run('api-keys', 'create', '--name', 'Reader', '--scope', 'read', '--json');
  const { api_url } = service.local.info;
  const input = JSON.parse(read.stdout).key;
  const login = await own.runWith({ input }, 'login', '--key', '-', '--url', api_url, '--profile', 'reader');
  expect(login).toMatchObject({ code: 0, stderr: expect.stringContaining('finhook profiles use reader') });
  const scope = async () => JSON.parse((await own.run('me', 'get', '--json')).stdout).api_key.scope;
  expect(await scope()).toBe('human');
  expect(await own.run('profiles')).toMatchObject({
    code: 0,
    stdout: `name\turl\tcurrent\ndefault\t${api_url}\ttrue\nreader\t${api_url}\tfalse\n`,
  });
  expect(await own.run('profiles', 'use', 'reader')).toMatchObject({ code: 0 });
  expect(await scope()).toBe('read');
  expect(await own.run('profiles', 'use', 'nobody')).toMatchObject({ code: 2 });
  own.remove();
});

test('login and doctor accept a key that may only post', async () => {
  const { api_url, company_id } = service.local.info;
  const flags = ['--name', 'Bank', '--scope', 'ingest', '--company-ids', company_id, '--json'];
  const { key } = JSON.parse((await finhook.run('api-keys', 'create', ...flags)).stdout);
  const own = openCommandLine();
  const login = await own.runWith({ input: key }, 'login', '--key', '-', '--url', api_url);
  expect(login).toMatchObject({ code: 0, stderr: expect.stringContaining('may only post') });
  expect(await own.run('doctor')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok +key .*may only post/m),
  });
  own.remove();
});

test('a refusal has exit code 1, and says what is wrong, what to do and which request it was', async () => {
  const { code, stdout, stderr } = await finhook.run('companies', 'create', '--name', '');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^Error: The request is invalid\n {2}--name: must be at least 1 .*\n {2}What to do: .+\n {2}Request: req_/,
  );
  expect(stderr).toContain('What to do: Correct the fields above and send the request again.');
  const reader = await finhook.run('api-keys', 'create', '--name', 'Reader', '--scope', 'read', '--json');
  const env = { FINHOOK_API_KEY: JSON.parse(reader.stdout).key };
  expect(await finhook.runWith({ env }, 'companies', 'create', '--name', 'x')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^ {2}required: human\n {2}What to do: Use a key with one of the scopes in required/m,
    ),
  });
  const key = 'sk_live_wrongwrongwrongwrongwrongwrongwrong';
  const wrong = await finhook.runWith({ env: { FINHOOK_API_KEY: key } }, 'companies', 'list');
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('finhook doctor') });
  expect(wrong.stderr).not.toContain(key);
});

test.each([
  [['companies', 'list', '--nam', 'x'], "unknown option '--nam'"],
  [['companie', 'list'], 'Did you mean companies?'],
  [['companies', 'create'], 'Missing: --name'],
  [['cash', 'balances', 'upsert'], 'Missing: <company_id>, --as-of, --balance-cents, --currency'],
  [['cash', 'history', 'co_1', '--days', '1.5'], 'It is not an integer'],
  [['companies', 'list', '--status', 'open'], 'It is none of forming, active, dissolved'],
  [['companies', 'create', '--name', 'x', '--metadata', '{'], 'It is not JSON'],
  [['companies', 'create', '--input', '/nonexistent'], "--input /nonexistent can't be read"],
  [['companies', 'create', '--name', 'x', '--null', 'name'], '--null name'],
  [['companies', 'list', '--profile', 'none'], 'There is no profile none'],
  [['login', '--cell', 'US'], '--cell must be at most 12 lower-case letters and digits'],
])('%j is wrong usage', async (args, message) => {
  expect(await finhook.run(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

test('a service that cannot be reached has exit code 3, and a change names the key that repeats it', async () => {
  const env = { FINHOOK_URL: 'http://127.0.0.1:9' };
  expect(await finhook.runWith({ env }, 'companies', 'list')).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining("can't be reached"),
  });
  const change = await finhook.runWith({ env }, 'companies', 'create', '--name', 'x');
  expect(change).toMatchObject({ code: 3, stderr: expect.stringMatching(/--idempotency-key [0-9a-f-]{36}/) });
  expect(await finhook.runWith({ env }, 'doctor')).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^failed +health/m),
  });
});

test('listen forwards events that verify, shows the responses, and resumes where it ended', async () => {
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const own = openCommandLine({
    FINHOOK_URL: service.local.info.api_url,
    FINHOOK_API_KEY: service.local.info.api_key,
    FINHOOK_WEBHOOK_SECRET: secret,
  });
  const receiver = await startReceiver({ respond: () => ({ body: 'seen' }) });
  const listen = [
    'listen',
    '--forward-to',
    receiver.url,
    '--events',
    'company.created',
    '--events',
    'company.dissolved',
  ];
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
  await receiver.close();
  own.remove();
});

async function verifyOffline(own: CommandLine, headers: NodeJS.Dict<string | string[]>, body: Buffer): Promise<void> {
  const file = join(own.folder, 'body.json');
  writeFileSync(file, body);
  const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${String(value)}`]);
  const valid = await own.run('verify-signature', '--body', file, ...given);
  expect(valid).toMatchObject({ code: 0, stdout: 'x-service-signature  valid\nwebhook-signature  valid\n' });
  writeFileSync(file, `${body.toString()} `);
  expect(await own.run('verify-signature', '--body', file, ...given)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('body'),
  });
}

test('trigger, why and replay show what an endpoint did', async () => {
  const receiver = await startReceiver();
  const created = await finhook.run(
    'webhook-endpoints',
    'create',
    '--url',
    receiver.url,
    '--events',
    'company.created',
    '--json',
  );
  const { id } = JSON.parse(created.stdout);
  expect(await finhook.run('trigger', 'company.created', '--endpoint', id)).toMatchObject({ code: 0 });
  expect(await finhook.run('trigger', 'nonsense', '--endpoint', id)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no event type nonsense.*finhook event-types list/),
  });
  receiver.script('/', { status: 500, body: 'no room' });
  const failed = await finhook.run('trigger', 'company.created', '--endpoint', id, '--json');
  expect(failed).toMatchObject({ code: 1 });
  const why = await finhook.run('deliveries', 'why', JSON.parse(failed.stdout).id);
  expect(why).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Status: failed[^]*http_500[^]*no room[^]*What to do/),
  });
  await finhook.run('companies', 'create', '--name', 'Retried');
  const retrying = ['deliveries', 'list', '--endpoint-id', id, '--status', 'retrying', '--json'];
  await expect
    .poll(async () => JSON.parse((await finhook.run(...retrying)).stdout).data.length, { timeout: 20_000 })
    .toBe(1);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  expect(await finhook.run('replay', id, '--since', since, '--dry-run')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+ events? would be sent/),
    stderr: expect.stringMatching(/wait for their next attempt.*: 1\.[^]*do finhook deliveries retry/),
  });
  receiver.script('/', { status: 204 });
  expect(await finhook.run('replay', id, '--since', since, '--types', 'company.created')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/status +completed/),
  });
  expect(await finhook.run('logs', '--endpoint-id', id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('succeeded'),
  });
  expect(await finhook.run('events', 'list', '--type', 'company.created', '--json')).toMatchObject({
    stdout: expect.stringContaining('"object":"list"'),
  });
  await receiver.close();
});

test('doctor checks the connection, the key and the database', async () => {
  const { code, stdout } = await finhook.run('doctor');
  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ +/).slice(0, 2).join(' ')),
  ).toEqual(['dns', 'port', 'tls', 'health', 'ready', 'clock', 'key'].map((name) => `ok ${name}`));
  expect(stdout).not.toContain(service.local.info.api_key);
});

test('doctor says what the roles of a database may do beyond what they need, and what to run', async () => {
  const database = await createMigratedDatabase(inject('pgUrl'));
  const doctor = () => finhook.runWith({ env: { DATABASE_URL: database.url, QUEUE_URL: database.url } }, 'doctor');
  const { stdout } = await doctor();
  expect(stdout).toMatch(/^ok +database +up to date, and it takes writes$/m);
  expect(stdout).toMatch(/^ok +postgres +PostgreSQL \d+/m);
  // The user of the tests' server is a superuser.
  expect(stdout).toMatch(/^warning +rights +\w+ is a superuser .*use a user that only owns the database/m);
  expect(stdout).toMatch(/^ok +queue +on PostgreSQL$/m);
  const secretsKey = Buffer.alloc(32, 7).toString('base64');
  const core = await openCore({ databaseUrl: database.url, secretsKey, allowInsecureWebhooks: true });
  await core.database.owner.query('GRANT DELETE ON audit_log TO finhook_tenant');
  await core.database.close();
  expect(await doctor()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^failed +rights +finhook_tenant can change the audit log: REVOKE .* FROM finhook_tenant$/m,
    ),
  });
  await database.drop();
});

test('migrate plan and apply need a database, and find one that is up to date', async () => {
  expect(await finhook.run('migrate', 'plan')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('DATABASE_URL'),
  });
  const database = await createMigratedDatabase(inject('pgUrl'));
  const env = { DATABASE_URL: database.url, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  for (const verb of ['plan', 'apply']) {
    expect(await finhook.runWith({ env }, 'migrate', verb)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('up to date'),
    });
  }
  await database.drop();
});

test('completion offers the commands, and the flags of each', async () => {
  expect((await finhook.run('complete', '--', 'companies')).stdout.split('\n')).toEqual(
    expect.arrayContaining(['create', 'list']),
  );
  expect((await finhook.run('complete', '--', 'companies', 'create')).stdout.split('\n')).toContain('--legal-name');
  expect(await finhook.run('completion', 'bash')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('complete'),
  });
});
