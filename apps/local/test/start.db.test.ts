// Risk: the first minute of a newcomer: a start that fails without saying why, loses the data, or leaves processes.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { hasInfo, isAlive, type LocalProcess, readInfo, runLocal, temporaryFolder } from './local-process.ts';

const READY = 'Ctrl-C stops everything';

let folder: ReturnType<typeof temporaryFolder>;
const started: LocalProcess[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const local of started.splice(0)) {
    local.child.kill('SIGKILL');
    await local.exited;
  }
  folder.remove();
});

function start(env: Record<string, string> = {}): LocalProcess {
  const local = runLocal('main.ts', { FINHOOK_DATA_DIR: folder.path, PORT: '0', ...env });
  started.push(local);
  return local;
}

async function stop(local: LocalProcess, signal: NodeJS.Signals): Promise<number> {
  const began = performance.now();
  local.child.kill(signal);
  expect(await local.exited).toBe(0);
  return performance.now() - began;
}

function postmasterPid(): number {
  return Number(readFileSync(join(folder.path, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
}

describe('start', () => {
  test('announces itself, works, stops within 10 s without a process left, and starts again with its data', async () => {
    const first = start();
    await first.printed(READY);
    const info = readInfo(folder.path);
    expect(info).toEqual({
      api_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dashboard_url: `${String(info['api_url'])}/dashboard`,
      sign_in_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/sign-in\?link=[\w-]{43}$/),
      api_key: expect.stringMatching(/^sk_test_[0-9A-Za-z]{36}$/),
      company_id: expect.stringMatching(/^co_/),
      pid: first.child.pid,
      ops_url: `${String(info['api_url'])}/ops`,
      ops_password: expect.stringMatching(/^[\w-]{24}$/),
    });
    for (const file of ['local.json', 'ops.password']) {
      expect(statSync(join(folder.path, file)).mode & 0o777, file).toBe(0o600);
    }
    expect(first.output()).toContain(`${String(info['api_url'])}/api/v1`);
    expect(first.output().match(/^ {2}curl /gm)).toHaveLength(3);
    const server = postmasterPid();

    expect(await stop(first, 'SIGTERM')).toBeLessThan(10_000);
    expect(isAlive(server)).toBe(false);
    expect(hasInfo(folder.path)).toBe(false);

    const second = start();
    await second.printed(READY);
    const again = readInfo(folder.path);
    expect(again).toMatchObject({
      api_key: info['api_key'],
      company_id: info['company_id'],
      ops_password: info['ops_password'],
    });
    const answer = await fetch(`${String(again['api_url'])}/api/v1/companies/${String(info['company_id'])}`, {
      headers: { authorization: `Bearer ${String(info['api_key'])}` },
    });
    expect(answer.status).toBe(200);
    expect(await stop(second, 'SIGINT')).toBeLessThan(10_000);
  });

  test('killed with SIGKILL it leaves no PostgreSQL, and the next start recovers', async () => {
    const first = start();
    await first.printed(READY);
    const server = postmasterPid();
    first.child.kill('SIGKILL');
    await first.exited;
    const second = start();
    await second.printed(READY);
    // Its data was free for the second server; the process itself may need a moment more to be gone.
    await vi.waitFor(() => expect(isAlive(server)).toBe(false), { timeout: 5_000 });
    await stop(second, 'SIGTERM');
  });

  test('a second start on the same folder says that one already runs', async () => {
    const first = start();
    await first.printed(READY);
    const second = start();
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain('already runs');
    expect(second.output()).not.toContain(String(readInfo(folder.path)['api_key']));
    await stop(first, 'SIGTERM');
  });
});

describe('a start that cannot be', () => {
  test('a taken port is named, with a way out', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const local = start({ PORT: String(port) });
    expect(await local.exited).toBe(1);
    expect(local.output()).toContain(`Port ${port} on 127.0.0.1 is taken`);
    expect(local.output()).not.toContain('    at ');
    taken.close();
  });

  test('D-14: a port that browsers block is rejected before anything starts', async () => {
    const local = start({ PORT: '4190' });
    expect(await local.exited).toBe(1);
    expect(local.output()).toContain('Browsers block port 4190. Choose another one: PORT=3000.');
    expect(existsSync(join(folder.path, 'postgres'))).toBe(false);
  });

  test('a host that is no address of this machine is named, with a way out', async () => {
    const local = start({ HOST: 'no-such-host.invalid' });
    expect(await local.exited).toBe(1);
    expect(local.output()).toContain('HOST=no-such-host.invalid is no address of this machine');
  });

  test('a folder that is a file is named, with a way out', async () => {
    writeFileSync(folder.path, 'not a folder');
    const local = start();
    expect(await local.exited).toBe(1);
    expect(local.output()).toContain(`The data folder ${folder.path} cannot be written`);
    expect(local.output()).toContain('FINHOOK_DATA_DIR=');
  });

  test('a half-initialised data folder is refused and left as it is', async () => {
    const data = join(folder.path, 'postgres');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'postgresql.conf'), '');
    const local = start();
    expect(await local.exited).toBe(1);
    expect(local.output()).toContain('no PG_VERSION');
    expect(readFileSync(join(data, 'postgresql.conf'), 'utf8')).toBe('');
  });

  test.each([
    ['nobody listens', 'postgres://nobody@127.0.0.1:1/none', 'connect ECONNREFUSED 127.0.0.1:1'],
    ['there is no such database', String(new URL('/no_such', inject('pgUrl'))), 'database "no_such" does not exist'],
    ['it speaks no TLS', `${inject('pgUrl')}?sslmode=verify-full`, 'The server does not support SSL connections'],
    ['the host is unknown', 'postgres://nobody@no-such-host.invalid/none', 'no-such-host.invalid'],
  ])('a database that cannot be used is told by start and account:create: %s', async (_, DATABASE_URL, reason) => {
    const SECRETS_KEY = Buffer.alloc(32, 6).toString('base64');
    const env = { FINHOOK_DATA_DIR: folder.path, DATABASE_URL, SECRETS_KEY };
    for (const local of [start({ DATABASE_URL, SECRETS_KEY }), runLocal('account-create.ts', env)]) {
      expect(await local.exited).toBe(1);
      expect(local.output()).toContain("The database of DATABASE_URL can't be used: ");
      expect(local.output()).toContain(reason);
      expect(local.output()).not.toContain('    at ');
    }
  });

  test('every wrong variable is told at once', async () => {
    const local = start({ PORT: 'http', WEBHOOK_RETRY_SCALE: '-1', LOG_LEVEL: 'loud' });
    expect(await local.exited).toBe(1);
    for (const name of ['PORT', 'WEBHOOK_RETRY_SCALE', 'LOG_LEVEL']) expect(local.output()).toContain(name);
    expect(local.output()).not.toContain('    at ');
  });
});

/** Signs in by the link and asks with the cookie who that is. */
async function visit(signInUrl: unknown): Promise<{ status: number; location: string | null; role: unknown }> {
  const answer = await fetch(String(signInUrl), { redirect: 'manual' });
  const [cookie = ''] = answer.headers.getSetCookie().map((header) => header.split(';', 1)[0] ?? '');
  const state = await fetch(new URL('/dashboard/session', String(signInUrl)), { headers: { cookie } });
  const body: { role?: unknown } = JSON.parse(await state.text());
  return { status: answer.status, location: answer.headers.get('location'), role: body.role };
}

describe('the sign-in link', () => {
  test('S29: is printed and announced, signs in once, and is made anew beside the running service', {
    timeout: 60_000,
  }, async () => {
    const service = start();
    await service.printed(READY);
    const info = readInfo(folder.path);
    expect(service.output()).toContain(String(info['sign_in_url']));
    const signedIn = { status: 303, location: '/dashboard', role: 'owner' };
    expect(await visit(info['sign_in_url'])).toEqual(signedIn);
    expect(await visit(info['sign_in_url'])).toMatchObject({ location: '/dashboard/sign-in?refused=link' });

    const fresh = runLocal('sign-in.ts', { FINHOOK_DATA_DIR: folder.path });
    expect(await fresh.exited, fresh.output()).toBe(0);
    const { sign_in_url: next, ...rest } = readInfo(folder.path);
    expect({ ...rest, sign_in_url: info['sign_in_url'] }).toEqual(info);
    expect(next).not.toBe(info['sign_in_url']);
    expect(fresh.output()).toContain(String(next));
    expect(statSync(join(folder.path, 'local.json')).mode & 0o777).toBe(0o600);
    expect(await visit(next)).toEqual(signedIn);

    // The last key that makes keys cannot be revoked.
    const another = runLocal('account-key.ts', { FINHOOK_DATA_DIR: folder.path });
    expect(await another.exited, another.output()).toBe(0);
    const headers = { authorization: `Bearer ${String(info['api_key'])}` };
    const keys = `${String(info['api_url'])}/api/v1/api-keys`;
    const { data }: { data: { id: string }[] } = JSON.parse(await (await fetch(keys, { headers })).text());
    await fetch(`${keys}/${data.at(-1)?.id ?? ''}`, { method: 'DELETE', headers });
    const late = runLocal('sign-in.ts', { FINHOOK_DATA_DIR: folder.path });
    expect(await late.exited).toBe(1);
    expect(late.output()).toContain('cannot sign in: This API key was revoked.');
    await stop(service, 'SIGTERM');

    const again = start();
    await again.printed(READY);
    expect(readInfo(folder.path)['sign_in_url']).toBeNull();
    expect(again.output()).toContain(`${String(readInfo(folder.path)['dashboard_url'])} (sign in with a key)`);
    await stop(again, 'SIGTERM');
  });

  test('is refused with a sentence while no service runs', async () => {
    const local = runLocal('sign-in.ts', { FINHOOK_DATA_DIR: folder.path });
    expect(await local.exited).toBe(1);
    expect(local.output()).toContain('No service runs on');
  });
});

describe('a SECRETS_KEY that is not that of the data', () => {
  test('is refused by start, account:create and sign-in, which would print what never works', {
    timeout: 60_000,
  }, async () => {
    const SECRETS_KEY = Buffer.alloc(32, 6).toString('base64');
    const env = { FINHOOK_DATA_DIR: folder.path };
    const refused = 'was written under another SECRETS_KEY';
    const service = start({ SECRETS_KEY });
    await service.printed(READY);
    for (const program of ['account-create.ts', 'sign-in.ts']) {
      const without = runLocal(program, env);
      expect(await without.exited).toBe(1);
      expect(without.output()).toContain(refused);
      expect(without.output()).not.toContain('    at ');
      const withIt = runLocal(program, { ...env, SECRETS_KEY });
      expect(await withIt.exited, withIt.output()).toBe(0);
    }
    await stop(service, 'SIGTERM');

    const other = start();
    expect(await other.exited).toBe(1);
    expect(other.output()).toContain(refused);
    expect(hasInfo(folder.path)).toBe(false);
  });
});

describe('account:create', () => {
  test('D-14: opens a test account unless --live is given, beside a running service and without one', async () => {
    const service = start();
    await service.printed(READY);
    const { api_url } = readInfo(folder.path);
    const env = { FINHOOK_DATA_DIR: folder.path };
    const beside = runLocal('account-create.ts', env, ['--name', 'Beside', '--live']);
    expect(await beside.exited).toBe(0);
    const live = JSON.parse(beside.output());
    expect(Object.keys(live)).toEqual(['account_id', 'company_id', 'api_key']);
    expect(live.api_key).toMatch(/^sk_live_/);
    const me = await fetch(`${String(api_url)}/api/v1/me`, { headers: { authorization: `Bearer ${live.api_key}` } });
    expect(await me.json()).toMatchObject({ account: { id: live.account_id, name: 'Beside', mode: 'live' } });
    await stop(service, 'SIGTERM');

    const alone = runLocal('account-create.ts', env);
    expect(await alone.exited).toBe(0);
    expect(JSON.parse(alone.output()).api_key).toMatch(/^sk_test_/);
  });

  test('S-7: account:key makes a key of an existing account, beside a running service and without one', {
    timeout: 60_000,
  }, async () => {
    const service = start();
    await service.printed(READY);
    const { api_url, api_key } = readInfo(folder.path);
    const env = { FINHOOK_DATA_DIR: folder.path };
    const meOf = async (key: unknown): Promise<Record<string, unknown>> => {
      const response = await fetch(`${String(api_url)}/api/v1/me`, {
        headers: { authorization: `Bearer ${String(key)}` },
      });
      return Object(await response.json());
    };
    const beside = runLocal('account-key.ts', env, ['--name', 'Ann', '--scope', 'read']);
    expect(await beside.exited, beside.output()).toBe(0);
    const made = JSON.parse(beside.output());
    expect(Object.keys(made)).toEqual(['account_id', 'key_id', 'api_key']);
    const { account } = await meOf(api_key);
    expect(account).toMatchObject({ id: made.account_id });
    expect(await meOf(made.api_key)).toMatchObject({
      account,
      api_key: { id: made.key_id, name: 'Ann', scope: 'read' },
    });
    const other = runLocal('account-create.ts', env, ['--test']);
    expect(await other.exited).toBe(0);
    const { account_id } = JSON.parse(other.output());
    await stop(service, 'SIGTERM');

    const alone = runLocal('account-key.ts', env, ['--account', account_id]);
    expect(await alone.exited, alone.output()).toBe(0);
    expect(JSON.parse(alone.output()).account_id).toBe(account_id);
    const unknown = runLocal('account-key.ts', env, ['--account', 'acct_x']);
    expect(await unknown.exited).toBe(1);
    expect(unknown.output()).toContain('no account acct_x');
    expect(unknown.output()).not.toContain('    at ');
  });

  test('asks for the key of a database that is not its own, instead of printing one that never works', async () => {
    const env = { FINHOOK_DATA_DIR: folder.path, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const local = runLocal('account-create.ts', env, ['--name', 'Acme']);
    expect(await local.exited).toBe(1);
    expect(local.output()).toContain('SECRETS_KEY is missing');
    expect(local.output()).not.toContain('    at ');
    expect(existsSync(join(folder.path, 'secrets.key'))).toBe(false);
  });

  test('S-7: account:key answers a scope that it does not make with its usage', async () => {
    const local = runLocal('account-key.ts', { FINHOOK_DATA_DIR: folder.path }, ['--scope', 'agent']);
    expect(await local.exited).toBe(1);
    expect(local.output()).toContain('--scope is "agent" instead of human or read. Usage: account:key');
  });

  test.each([
    ['an unknown option', ['--nmae', 'x'], "Unknown option '--nmae'"],
    ['both modes', ['--live', '--test'], '--live and --test exclude each other'],
    ['an empty name', ['--', '--name', ' '], '--name has 0 characters instead of 1 to 200'],
    ['a name that is too long', ['--name', 'x'.repeat(201)], '--name has 201 characters instead of 1 to 200'],
  ])('%s is answered with the usage, and nothing is made', async (_, args, reason) => {
    const local = runLocal('account-create.ts', { FINHOOK_DATA_DIR: folder.path }, args);
    expect(await local.exited).toBe(1);
    expect(local.output()).toContain(reason);
    expect(local.output()).toContain('Usage: account:create');
    expect(existsSync(join(folder.path, 'secrets.key'))).toBe(false);
  });
});
