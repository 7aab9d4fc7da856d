// Risk: the first start fails without a reason, loses data, or leaves processes.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createMigratedDatabase } from '@finhook/core/test';
import { isAlive } from '@finhook/embedded';
import { createLogger } from '@finhook/runtime';
import { afterAll, afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { accountCreate } from '../src/account-create.ts';
import { accountKey } from '../src/account-key.ts';
import { accountMove } from '../src/account-move.ts';
import type { Program } from '../src/command.ts';
import type { LocalInfo } from '../src/data-folder.ts';
import { readLocalEnv } from '../src/env.ts';
import { signIn } from '../src/sign-in.ts';
import { type RunningLocal, startLocal } from '../src/start-local.ts';
import { welcome } from '../src/welcome.ts';
import { withCore } from '../src/with-core.ts';
import { hasInfo, type LocalProcess, readInfo, runLocal, temporaryFolder } from './local-process.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const sentence = (text: string) =>
  expect.objectContaining({ name: 'ExpectedError', message: expect.stringContaining(text) });

/** Starts in this process; its error is what `main` prints. */
const startHere = (env: Record<string, string>): Promise<RunningLocal> =>
  startLocal(readLocalEnv({ PORT: '0', ...env }), logger, (lines) => {
    throw new Error(lines);
  });

/** Waits for the exit code; the output has no stack. */
async function ended(local: LocalProcess, code: number): Promise<string> {
  expect(await local.exited, local.output()).toBe(code);
  expect(local.output()).not.toContain('    at ');
  return local.output();
}

/** Presses the button of the link's page, and reads the session's role. */
async function visit(signInUrl: string): Promise<{ location: string | null; role: unknown }> {
  const { origin } = new URL(signInUrl);
  const response = await fetch(signInUrl, { method: 'POST', headers: { origin }, redirect: 'manual' });
  const [cookie = ''] = response.headers.getSetCookie().map((header) => header.split(';', 1)[0] ?? '');
  const state = await fetch(new URL('/dashboard/session', signInUrl), { headers: { cookie } });
  const body: { role?: unknown } = JSON.parse(await state.text());
  return { location: response.headers.get('location'), role: body.role };
}

// One installation from its first start: each test continues after the one before.
describe('an installation', { timeout: 60_000 }, () => {
  const place = temporaryFolder();
  const env = { FINHOOK_DATA_DIR: place.path };
  const otherKey = { ...env, SECRETS_KEY: Buffer.alloc(32, 6).toString('base64') };
  let service: LocalProcess | undefined;
  let first: LocalInfo;
  afterAll(async () => {
    service?.child.kill('SIGKILL');
    await service?.exited;
    place.remove();
  });

  async function start(): Promise<LocalInfo> {
    service = runLocal('main.ts', { ...env, PORT: '0' });
    await service.printed('Ctrl-C stops everything');
    return readInfo(place.path);
  }
  async function stop(signal: NodeJS.Signals): Promise<void> {
    service?.child.kill(signal);
    expect(await service?.exited).toBe(0);
  }
  const runHere = async (program: Program, ...args: string[]): Promise<Record<string, string>> =>
    Object(await program(args, env));
  async function read(path: string, key: unknown, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' };
    return await fetch(`${readInfo(place.path).api_url}/api/v1${path}`, { ...init, headers });
  }
  const meOf = async (key: unknown): Promise<Record<string, unknown>> => Object(await (await read('/me', key)).json());

  test('announces itself in files that only its user can read', async () => {
    first = await start();
    expect(first).toEqual({
      api_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dashboard_url: `${first.api_url}/dashboard`,
      sign_in_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/sign-in\?link=[\w-]{43}$/),
      api_key: expect.stringMatching(/^sk_test_[0-9A-Za-z]{36}$/),
      company_id: expect.stringMatching(/^co_/),
      pid: service?.child.pid,
      ops_url: `${first.api_url}/ops`,
      ops_password: expect.stringMatching(/^[\w-]{24}$/),
    });
    for (const file of ['local.json', 'ops.password'])
      expect(statSync(join(place.path, file)).mode & 0o777, file).toBe(0o600);
    for (const text of [`${first.api_url}/api/v1`, String(first.sign_in_url)])
      expect(service?.output()).toContain(text);
    expect(service?.output().match(/^ {2}curl /gm)).toHaveLength(3);
    await expect(startHere(env)).rejects.toEqual(sentence('already runs'));
    await expect(startHere(env)).rejects.not.toEqual(sentence(first.api_key));
  });

  test('account:create beside the service opens a live account if --live is given', async () => {
    const { account_id, company_id, api_key } = await runHere(accountCreate, '--name', 'Beside', '--live');
    expect([company_id, api_key]).toEqual([expect.stringMatching(/^co_/), expect.stringMatching(/^sk_live_/)]);
    expect(await meOf(api_key)).toMatchObject({ account: { id: account_id, name: 'Beside', mode: 'live' } });
  });

  test('account:key beside the service makes a key of its account', async () => {
    const { account_id, key_id, api_key } = await runHere(accountKey, '--name', 'Ann', '--scope', 'read');
    const { account } = await meOf(first.api_key);
    expect(account).toMatchObject({ id: account_id });
    expect(await meOf(api_key)).toMatchObject({ account, api_key: { id: key_id, name: 'Ann', scope: 'read' } });
    const provider = await runHere(accountKey, '--scope', 'ingest');
    expect((await read('/me', provider['api_key'])).status).toBe(403);
    const agent = runHere(accountKey, '--scope', 'agent', '--agent', 'agent_x');
    await expect(agent).rejects.toEqual(sentence('has no agent agent_x'));
    await expect(runHere(accountKey, '--account', 'acct_x')).rejects.toEqual(sentence('no account acct_x'));
  });

  test('the sign-in link signs in once, and a new one is created while the service runs', async () => {
    const { sign_in_url: link, ...info } = readInfo(place.path);
    const signedIn = { location: '/dashboard', role: 'owner' };
    expect(await visit(String(link))).toEqual(signedIn);
    expect(await visit(String(link))).toMatchObject({ location: '/dashboard/sign-in?refused=link' });
    const printed = await signIn([], env);
    const { sign_in_url: next, ...rest } = readInfo(place.path);
    expect([rest, printed]).toEqual([info, expect.stringContaining(String(next))]);
    expect(statSync(join(place.path, 'local.json')).mode & 0o777).toBe(0o600);
    expect(await visit(String(next))).toEqual(signedIn);
  });

  test('another SECRETS_KEY is rejected by the commands, which would print what never works', async () => {
    for (const program of [accountCreate, signIn])
      await expect(program([], otherKey)).rejects.toEqual(sentence('was written under another SECRETS_KEY'));
  });

  test('stops without a process left', async () => {
    const server = Number(readFileSync(join(place.path, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    await stop('SIGTERM');
    expect(isAlive(server)).toBe(false);
    expect(hasInfo(place.path)).toBe(false);
  });

  test('while no service runs, account:create opens a test account, and sign-in says that none runs', async () => {
    expect(await runHere(accountCreate)).toMatchObject({ api_key: expect.stringMatching(/^sk_test_/) });
    await expect(runHere(signIn)).rejects.toEqual(sentence('No service runs on'));
    await expect(startHere(otherKey)).rejects.toThrow('was written under another SECRETS_KEY');
    expect(hasInfo(place.path)).toBe(false);
  });

  test('starts again with its data; once the key of the account was revoked, sign-in says so, and start prints no link', async () => {
    const { api_key, company_id, ops_password } = first;
    expect(await start()).toMatchObject({ api_key, company_id, ops_password });
    expect((await read(`/companies/${company_id}`, api_key)).status).toBe(200);
    // The last key that can create keys cannot be revoked.
    await read('/api-keys', api_key, { method: 'POST', body: JSON.stringify({ name: 'Another', scope: 'human' }) });
    const me: { api_key?: { id: string } } = await meOf(api_key);
    expect((await read(`/api-keys/${me.api_key?.id ?? ''}`, api_key, { method: 'DELETE' })).status).toBe(204);
    await expect(runHere(signIn)).rejects.toEqual(sentence('cannot sign in: This API key was revoked.'));
    await stop('SIGINT');

    const local = await startHere(env);
    await local.close();
    expect(local.info.sign_in_url).toBeNull();
    expect(welcome(local)).toContain(`${local.info.dashboard_url} (sign in with a key)`);
  });
});

describe('a start that cannot be', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let env: Record<string, string>;
  beforeEach(() => {
    folder = temporaryFolder();
    env = { FINHOOK_DATA_DIR: folder.path };
  });
  afterEach(() => folder.remove());

  const SECRETS_KEY = Buffer.alloc(32, 6).toString('base64');
  const unreachable = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', SECRETS_KEY };

  test('a port that browsers block is rejected before anything starts', async () => {
    const blocked = 'Browsers block port 4190. Choose another one: PORT=3000.';
    await expect(startHere({ ...env, PORT: '4190' })).rejects.toEqual(sentence(blocked));
    expect(existsSync(join(folder.path, 'postgres'))).toBe(false);
  });

  test('a taken port, and a host that is no address of this machine, are named, with a way out', async () => {
    const database = await createMigratedDatabase(inject('pgUrl'));
    onTestFinished(() => database.drop());
    const stores = { ...env, DATABASE_URL: database.url, SECRETS_KEY };
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const PORT = String(typeof address === 'object' && address ? address.port : 0);
    await expect(startHere({ ...stores, PORT })).rejects.toEqual(sentence(`Port ${PORT} on 127.0.0.1 is taken`));
    const elsewhere = 'HOST=no-such-host.invalid is no address of this machine';
    await expect(startHere({ ...stores, HOST: 'no-such-host.invalid' })).rejects.toEqual(sentence(elsewhere));
  });

  test('a folder that is a file is named, with a way out', async () => {
    writeFileSync(folder.path, 'not a folder');
    const start = startHere(env);
    await expect(start).rejects.toEqual(
      sentence(`The data folder ${folder.path} cannot be used: ${folder.path} is a file.`),
    );
    await expect(start).rejects.toEqual(sentence('FINHOOK_DATA_DIR='));
  });

  test('a half-initialised data folder is rejected and left as it is', async () => {
    const data = join(folder.path, 'postgres');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'postgresql.conf'), '');
    await expect(startHere(env)).rejects.toThrow('no PG_VERSION');
    expect(readFileSync(join(data, 'postgresql.conf'), 'utf8')).toBe('');
  });

  test.each([
    ['nobody listens', unreachable.DATABASE_URL, 'connect ECONNREFUSED 127.0.0.1:1'],
    ['there is no such database', String(new URL('/no_such', inject('pgUrl'))), 'database "no_such" does not exist'],
    ['it speaks no TLS', `${inject('pgUrl')}?sslmode=verify-full`, 'The server does not support SSL connections'],
    ['the host is unknown', 'postgres://nobody@no-such-host.invalid/none', 'no-such-host.invalid'],
  ])('a database that cannot be used is told by start and by the commands: %s', async (_, DATABASE_URL, reason) => {
    const stores = { ...env, DATABASE_URL, SECRETS_KEY };
    for (const attempt of [() => startHere(stores), () => withCore(readLocalEnv(stores), async () => undefined)]) {
      const failure: unknown = await attempt().catch((error: unknown) => error);
      expect(failure).toEqual(sentence(reason));
      expect(failure).toEqual(sentence("The database of DATABASE_URL can't be used: "));
    }
  });

  test('programs print the reason as one sentence or the usage they are asked for, and make nothing', async () => {
    const stores = { ...env, PORT: '0', ...unreachable };
    const wrong = { PORT: 'http', WEBHOOK_RETRY_SCALE: '-1', LOG_LEVEL: 'loud' };
    const [started, created, misconfigured, helped] = await Promise.all([
      ended(runLocal('main.ts', stores), 1),
      ended(runLocal('account-create.ts', stores), 1),
      ended(runLocal('main.ts', { ...env, ...wrong }), 1),
      ended(runLocal('account-create.ts', env, ['--help']), 0),
    ]);
    for (const output of [started, created])
      expect(output).toContain("The database of DATABASE_URL can't be used: connect ECONNREFUSED 127.0.0.1:1");
    for (const name of Object.keys(wrong)) expect(misconfigured).toContain(name);
    expect(helped).toContain('Usage: account:create');
    expect(existsSync(join(folder.path, 'secrets.key'))).toBe(false);
  });

  test('a command asks for the key of a database that is not its own, instead of printing what never works', async () => {
    const { DATABASE_URL } = unreachable;
    const attempt = withCore(readLocalEnv({ ...env, DATABASE_URL }), async () => undefined);
    await expect(attempt).rejects.toEqual(sentence('SECRETS_KEY is missing'));
    expect(existsSync(join(folder.path, 'secrets.key'))).toBe(false);
  });

  test.each([
    ['an unknown option', accountCreate, '--nmae x', "Unknown option '--nmae'", 'account:create'],
    ['both modes', accountCreate, '-- --live --test', '--live and --test exclude each other', 'account:create'],
    [
      'a database that is no URL',
      accountMove,
      '--account x --to-database-url y',
      'must begin with postgres',
      'account:move',
    ],
    ['no target', accountMove, '--account x', '--to-database-url is missing', 'account:move'],
    ['a scope that no key has', accountKey, '--scope x', '"x" instead of human, agent, read, ingest', 'account:key'],
    ['a scope without its agent', accountKey, '--scope agent', '--agent and --scope agent need', 'account:key'],
  ])('%s gets the usage, and nothing is made', async (_, program, args, reason, name) => {
    const failure: unknown = await program(args.split(' '), env).catch((error: unknown) => error);
    expect(failure).toEqual(sentence(reason));
    expect(failure).toEqual(sentence(`Usage: ${name}`));
    expect(existsSync(join(folder.path, 'secrets.key'))).toBe(false);
  });
});
