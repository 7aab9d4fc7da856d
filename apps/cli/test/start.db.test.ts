// Risk: the first minute of a newcomer: a start that fails without saying why, loses the data, or leaves processes.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createLogger } from '@finhook/runtime';
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { readLocalEnv } from '../src/env.ts';
import { startLocal } from '../src/start-local.ts';
import { withCore } from '../src/with-core.ts';
import { hasInfo, isAlive, type LocalProcess, readInfo, runLocal, temporaryFolder } from './local-process.ts';

const READY = 'Ctrl-C stops everything';
const logger = createLogger({ name: 'test', level: 'silent' });

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Waits for the program's end with `code`; what it printed has no stack. */
async function ended(local: LocalProcess, code: number): Promise<string> {
  expect(await local.exited, local.output()).toBe(code);
  expect(local.output()).not.toContain('    at ');
  return local.output();
}

/** Presses the button of the link's page, and asks with the cookie who that is. */
async function visit(signInUrl: unknown): Promise<{ status: number; location: string | null; role: unknown }> {
  const { origin } = new URL(String(signInUrl));
  const response = await fetch(String(signInUrl), { method: 'POST', headers: { origin }, redirect: 'manual' });
  const [cookie = ''] = response.headers.getSetCookie().map((header) => header.split(';', 1)[0] ?? '');
  const state = await fetch(new URL('/dashboard/session', String(signInUrl)), { headers: { cookie } });
  const body: { role?: unknown } = JSON.parse(await state.text());
  return { status: response.status, location: response.headers.get('location'), role: body.role };
}

// The tests follow one installation from its first start on: each finds what the one before left.
describe('an installation', { timeout: 60_000 }, () => {
  const place = temporaryFolder();
  const env = { FINHOOK_DATA_DIR: place.path };
  let service: LocalProcess | undefined;
  let first: Record<string, unknown>;
  afterAll(async () => {
    service?.child.kill('SIGKILL');
    await service?.exited;
    place.remove();
  });

  const startIn = (more: Record<string, string> = {}) => runLocal('main.ts', { ...env, PORT: '0', ...more });
  async function start(more: Record<string, string> = {}): Promise<Record<string, unknown>> {
    service = startIn(more);
    await service.printed(READY);
    return readInfo(place.path);
  }
  async function stop(signal: NodeJS.Signals): Promise<void> {
    const began = performance.now();
    service?.child.kill(signal);
    expect(await service?.exited).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
  }
  async function read(path: string, key: unknown, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' };
    return await fetch(`${String(readInfo(place.path)['api_url'])}/api/v1${path}`, { ...init, headers });
  }
  const meOf = async (key: unknown): Promise<Record<string, unknown>> => Object(await (await read('/me', key)).json());

  test('announces itself, works, and stops within 10 s without a process left', async () => {
    first = await start();
    expect(first).toEqual({
      api_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dashboard_url: `${String(first['api_url'])}/dashboard`,
      sign_in_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/sign-in\?link=[\w-]{43}$/),
      api_key: expect.stringMatching(/^sk_test_[0-9A-Za-z]{36}$/),
      company_id: expect.stringMatching(/^co_/),
      pid: service?.child.pid,
      ops_url: `${String(first['api_url'])}/ops`,
      ops_password: expect.stringMatching(/^[\w-]{24}$/),
    });
    for (const file of ['local.json', 'ops.password']) {
      expect(statSync(join(place.path, file)).mode & 0o777, file).toBe(0o600);
    }
    expect(service?.output()).toContain(`${String(first['api_url'])}/api/v1`);
    expect(service?.output().match(/^ {2}curl /gm)).toHaveLength(3);
    const server = Number(readFileSync(join(place.path, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);

    await stop('SIGTERM');
    expect(isAlive(server)).toBe(false);
    expect(hasInfo(place.path)).toBe(false);
  });

  test('starts again with its data, and a second start on its folder says that it already runs', async () => {
    const { api_key, company_id, ops_password } = first;
    expect(await start()).toMatchObject({ api_key, company_id, ops_password });
    expect((await read(`/companies/${String(company_id)}`, api_key)).status).toBe(200);

    const second = await ended(startIn(), 1);
    expect(second).toContain('already runs');
    expect(second).not.toContain(String(api_key));
  });

  test('D-14: account:create beside the service opens a test account unless --live is given', async () => {
    const live = JSON.parse(await ended(runLocal('account-create.ts', env, ['--name', 'Beside', '--live']), 0));
    expect(Object.keys(live)).toEqual(['account_id', 'company_id', 'api_key']);
    expect(live.api_key).toMatch(/^sk_live_/);
    expect(await meOf(live.api_key)).toMatchObject({ account: { id: live.account_id, name: 'Beside', mode: 'live' } });
  });

  test('S-7: account:key beside the service makes a key of its account', async () => {
    const made = JSON.parse(await ended(runLocal('account-key.ts', env, ['--name', 'Ann', '--scope', 'read']), 0));
    expect(Object.keys(made)).toEqual(['account_id', 'key_id', 'api_key']);
    const { account } = await meOf(first['api_key']);
    expect(account).toMatchObject({ id: made.account_id });
    expect(await meOf(made.api_key)).toMatchObject({
      account,
      api_key: { id: made.key_id, name: 'Ann', scope: 'read' },
    });
    const provider = JSON.parse(await ended(runLocal('account-key.ts', env, ['--scope', 'ingest']), 0));
    expect((await read('/me', provider.api_key)).status).toBe(403);
    const agent = ['--scope', 'agent', '--agent', 'agent_x'];
    expect(await ended(runLocal('account-key.ts', env, agent), 1)).toContain('has no agent agent_x');
    const unknown = await ended(runLocal('account-key.ts', env, ['--account', 'acct_x']), 1);
    expect(unknown).toContain('no account acct_x');
  });

  test('S29: the sign-in link is printed and announced, signs in once, and is made anew beside the service', async () => {
    const info = readInfo(place.path);
    expect(service?.output()).toContain(String(info['sign_in_url']));
    const signedIn = { status: 303, location: '/dashboard', role: 'owner' };
    expect(await visit(info['sign_in_url'])).toEqual(signedIn);
    expect(await visit(info['sign_in_url'])).toMatchObject({ location: '/dashboard/sign-in?refused=link' });

    const fresh = await ended(runLocal('sign-in.ts', env), 0);
    const { sign_in_url: next, ...rest } = readInfo(place.path);
    expect({ ...rest, sign_in_url: info['sign_in_url'] }).toEqual(info);
    expect(next).not.toBe(info['sign_in_url']);
    expect(fresh).toContain(String(next));
    expect(statSync(join(place.path, 'local.json')).mode & 0o777).toBe(0o600);
    expect(await visit(next)).toEqual(signedIn);
    await stop('SIGINT');
  });

  test('D-14, S-7: account:create and account:key work while no service runs, sign-in says that none does', async () => {
    const opened = JSON.parse(await ended(runLocal('account-create.ts', env), 0));
    expect(opened.api_key).toMatch(/^sk_test_/);
    const made = JSON.parse(await ended(runLocal('account-key.ts', env, ['--account', opened.account_id]), 0));
    expect(made.account_id).toBe(opened.account_id);
    expect(await ended(runLocal('sign-in.ts', env), 1)).toContain('No service runs on');
  });

  test('a taken port, and a host that is no address of this machine, are named, with a way out', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await ended(startIn({ PORT: String(port) }), 1)).toContain(`Port ${port} on 127.0.0.1 is taken`);
    taken.close();
    const elsewhere = await ended(startIn({ HOST: 'no-such-host.invalid' }), 1);
    expect(elsewhere).toContain('HOST=no-such-host.invalid is no address of this machine');
  });

  test('another SECRETS_KEY is rejected by start, account:create and sign-in, which would print what never works', async () => {
    const rejected = 'was written under another SECRETS_KEY';
    const file = join(place.path, 'secrets.key');
    const SECRETS_KEY = readFileSync(file, 'utf8').trim();
    renameSync(file, join(place.path, '..', 'secrets.key'));
    await start({ SECRETS_KEY });
    for (const program of ['account-create.ts', 'sign-in.ts']) {
      expect(await ended(runLocal(program, env), 1)).toContain(rejected);
      await ended(runLocal(program, { ...env, SECRETS_KEY }), 0);
    }
    await stop('SIGTERM');
    expect(await ended(startIn(), 1)).toContain(rejected);
    expect(hasInfo(place.path)).toBe(false);
    renameSync(join(place.path, '..', 'secrets.key'), file);
  });

  test('S29: once the key of the account was revoked, sign-in says so, and start prints no link', async () => {
    const { api_key } = await start();
    // The last key that makes keys cannot be revoked.
    await read('/api-keys', api_key, { method: 'POST', body: JSON.stringify({ name: 'Another', scope: 'human' }) });
    const me: { api_key?: { id: string } } = await meOf(api_key);
    expect((await read(`/api-keys/${me.api_key?.id ?? ''}`, api_key, { method: 'DELETE' })).status).toBe(204);
    const late = await ended(runLocal('sign-in.ts', env), 1);
    expect(late).toContain('cannot sign in: This API key was revoked.');
    await stop('SIGTERM');

    const { sign_in_url, dashboard_url } = await start();
    expect(sign_in_url).toBeNull();
    expect(service?.output()).toContain(`${String(dashboard_url)} (sign in with a key)`);
    await stop('SIGTERM');
  });
});

describe('a start that cannot be', () => {
  /** Starts in this process; what comes of it is an error with a sentence, which `main` prints. */
  const startHere = (more: Record<string, string>) =>
    startLocal(readLocalEnv({ FINHOOK_DATA_DIR: folder.path, PORT: '0', ...more }), logger, (lines) => {
      throw new Error(lines);
    });
  const sentence = (text: string) => expect.objectContaining({ message: expect.stringContaining(text) });

  test('D-14: a port that browsers block is rejected before anything starts', async () => {
    await expect(startHere({ PORT: '4190' })).rejects.toEqual(
      sentence('Browsers block port 4190. Choose another one: PORT=3000.'),
    );
    expect(existsSync(join(folder.path, 'postgres'))).toBe(false);
  });

  test('a folder that is a file is named, with a way out', async () => {
    writeFileSync(folder.path, 'not a folder');
    const start = startHere({});
    await expect(start).rejects.toEqual(
      sentence(`The data folder ${folder.path} cannot be used: ${folder.path} is a file.`),
    );
    await expect(start).rejects.toEqual(sentence('FINHOOK_DATA_DIR='));
  });

  test('a half-initialised data folder is rejected and left as it is', async () => {
    const data = join(folder.path, 'postgres');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'postgresql.conf'), '');
    await expect(startHere({})).rejects.toEqual(sentence('no PG_VERSION'));
    expect(readFileSync(join(data, 'postgresql.conf'), 'utf8')).toBe('');
  });

  const SECRETS_KEY = Buffer.alloc(32, 6).toString('base64');
  const unreachable = 'postgres://nobody@127.0.0.1:1/none';

  test.each([
    ['nobody listens', unreachable, 'connect ECONNREFUSED 127.0.0.1:1'],
    ['there is no such database', String(new URL('/no_such', inject('pgUrl'))), 'database "no_such" does not exist'],
    ['it speaks no TLS', `${inject('pgUrl')}?sslmode=verify-full`, 'The server does not support SSL connections'],
    ['the host is unknown', 'postgres://nobody@no-such-host.invalid/none', 'no-such-host.invalid'],
  ])('a database that cannot be used is told by start and by the commands: %s', async (_, DATABASE_URL, reason) => {
    const env = readLocalEnv({ FINHOOK_DATA_DIR: folder.path, DATABASE_URL, SECRETS_KEY });
    const attempts = [() => startHere({ DATABASE_URL, SECRETS_KEY }), () => withCore(env, async () => undefined)];
    for (const attempt of attempts) {
      const failure: unknown = await attempt().catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'LocalError', message: expect.stringContaining(reason) });
      expect(failure).toEqual(sentence("The database of DATABASE_URL can't be used: "));
    }
  });

  test('start and account:create print the reason as one sentence and end with 1', async () => {
    const env = { FINHOOK_DATA_DIR: folder.path, PORT: '0', DATABASE_URL: unreachable, SECRETS_KEY };
    const programs = ['main.ts', 'account-create.ts'].map((program) => ended(runLocal(program, env), 1));
    for (const output of await Promise.all(programs)) {
      expect(output).toContain("The database of DATABASE_URL can't be used: connect ECONNREFUSED 127.0.0.1:1");
    }
  });

  test('every wrong variable is told at once', async () => {
    const wrong = { PORT: 'http', WEBHOOK_RETRY_SCALE: '-1', LOG_LEVEL: 'loud' };
    const output = await ended(runLocal('main.ts', { FINHOOK_DATA_DIR: folder.path, ...wrong }), 1);
    for (const name of Object.keys(wrong)) expect(output).toContain(name);
  });

  test('a command asks for the key of a database that is not its own, instead of printing what never works', async () => {
    const env = readLocalEnv({ FINHOOK_DATA_DIR: folder.path, DATABASE_URL: unreachable });
    await expect(withCore(env, async () => undefined)).rejects.toEqual(sentence('SECRETS_KEY is missing'));
    expect(existsSync(join(folder.path, 'secrets.key'))).toBe(false);
  });

  test('every program prints its usage when it is asked for help, and makes nothing', async () => {
    const output = await ended(runLocal('account-create.ts', { FINHOOK_DATA_DIR: folder.path }, ['--help']), 0);
    expect(output).toContain('Usage: account:create');
    expect(existsSync(join(folder.path, 'secrets.key'))).toBe(false);
  });

  test.each([
    ['an unknown option', 'account-create.ts', ['--nmae', 'x'], "Unknown option '--nmae'"],
    ['both modes', 'account-create.ts', ['--', '--live', '--test'], '--live and --test exclude each other'],
    ['an option of migrate', 'migrate.ts', ['--now'], "Unknown option '--now'"],
    [
      'a database that is no URL',
      'account-move.ts',
      ['--account', 'x', '--to-database-url', 'y'],
      'must begin with postgres',
    ],
    ['no target', 'account-move.ts', ['--account', 'x'], '--to-database-url is missing'],
    ['S-7: a scope that no key has', 'account-key.ts', ['--scope', 'x'], '"x" instead of human, agent, read, ingest'],
    ['S-7: a scope without its agent', 'account-key.ts', ['--scope', 'agent'], '--agent and --scope agent need'],
  ])('%s gets the usage, and nothing is made', async (_, program, args, reason) => {
    const output = await ended(runLocal(program, { FINHOOK_DATA_DIR: folder.path }, args), 1);
    expect(output).toContain(reason);
    expect(output).toContain(`Usage: ${program.replace('-', ':').replace('.ts', '')}`);
    expect(existsSync(join(folder.path, 'secrets.key'))).toBe(false);
  });
});
