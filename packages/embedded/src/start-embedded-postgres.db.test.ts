// Risk: the one-command start hangs, loses data, opens the database to other users of the machine, or leaves a server behind.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from './live-postmaster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), `finhook-test-${process.pid}-`));
  chmodSync(root, 0o711);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

async function query(server: EmbeddedPostgres, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(10)) if (!isAlive(pid)) return true;
  return false;
}

describe('a running server', () => {
  let server: EmbeddedPostgres;
  const lines: string[] = [];

  beforeAll(async () => {
    const options = { dataDir: join(root, 'running'), port: 0, durable: true, settings: { work_mem: '5MB' } };
    server = await startEmbeddedPostgres({ ...options, log: (line) => lines.push(line) });
  });

  afterAll(() => server.stop());

  test('keeps what was committed over stop, kill and restart, on the same port', async () => {
    const { port } = server;
    await query(server, 'create table kept (n int)');
    await query(server, 'insert into kept values (1)');
    await server.restart();
    await query(server, 'insert into kept values (2)');
    const { pid } = server;
    server.kill();
    await server.restart();
    expect(server.pid).not.toBe(pid);
    expect(server.port).toBe(port);
    expect(await query(server, 'select n from kept order by n')).toEqual([[1], [2]]);
  });

  test('sorts and compares text the same way on every machine, in UTC', async () => {
    expect(await query(server, "select 'B' < 'a', lower('Ä'), current_setting('TimeZone')")).toEqual([
      [true, 'ä', 'UTC'],
    ]);
  });

  test('takes settings of the caller', async () => {
    expect(await query(server, 'show work_mem')).toEqual([['5MB']]);
  });

  test('lets nobody in without the password', async () => {
    const client = new Client({ connectionString: `postgres://postgres:wrong@127.0.0.1:${server.port}/postgres` });
    client.on('error', () => undefined);
    await expect(client.connect()).rejects.toThrow('password authentication failed');
  });

  test('keeps the password where only its user can read it', () => {
    expect(statSync(join(root, 'running', 'finhook.password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'running')).mode & 0o077).toBe(0);
  });

  test('logs no statement and no row value', async () => {
    await query(server, 'create table secrets (value text unique)');
    await query(server, "insert into secrets values ('sk_live_canary')");
    await expect(query(server, "insert into secrets values ('sk_live_canary')")).rejects.toThrow('duplicate key');
    expect(lines.some((line) => line.includes('duplicate key'))).toBe(true);
    expect(lines.join('\n')).not.toContain('canary');
  });

  test('refuses a second server on the same folder and names the first', async () => {
    const second = startEmbeddedPostgres({ dataDir: join(root, 'running'), port: 0, durable: true, lockGraceMs: 0 });
    await expect(second).rejects.toThrow(`pid ${server.pid} already runs on`);
  });

  test('says which port is taken', async () => {
    const second = startEmbeddedPostgres({ dataDir: join(root, 'taken'), port: server.port, durable: false });
    await expect(second).rejects.toThrow(`Port ${server.port} on 127.0.0.1 is taken`);
  });

  test('reports an end that nobody asked for, and only such an end', async () => {
    const ends: string[] = [];
    const options = { dataDir: join(root, 'reported'), port: 0, durable: false };
    const other = await startEmbeddedPostgres({ ...options, onUnexpectedExit: (last) => ends.push(last) });
    await other.restart();
    expect(ends).toEqual([]);
    process.kill(other.pid, 'SIGTERM');
    expect(await gone(other.pid, 5_000)).toBe(true);
    await expect.poll(() => ends.length).toBe(1);
    expect(ends[0]).toContain('database system is shut down');
  });
});

test('a parent that is killed takes the server with it, and the folder can be used again', async () => {
  const dataDir = join(root, 'orphan');
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'start-embedded-postgres.ts'))};
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, port: 0, durable: false });
    console.log(server.pid);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await new Promise<number>((resolve) => {
    createInterface({ input: parent.stdout }).once('line', (line) => resolve(Number(line)));
  });
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  expect(await gone(pid, 2_000)).toBe(true);
  const server = await startEmbeddedPostgres({ dataDir, port: 0, durable: false });
  await server.stop();
});

test('a half-made folder of a killed process is removed and never used', async () => {
  const dataDir = join(root, 'half');
  mkdirSync(`${dataDir}.initialising-999999999`);
  writeFileSync(join(`${dataDir}.initialising-999999999`, 'PG_VERSION'), '18');
  const server = await startEmbeddedPostgres({ dataDir, port: 0, durable: false });
  await server.stop();
  expect(readdirSync(root).filter((name) => name.startsWith('half'))).toEqual(['half']);
});

test('a folder with other files is refused and left alone', async () => {
  const dataDir = join(root, 'foreign');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'thesis.txt'), 'irreplaceable');
  await expect(startEmbeddedPostgres({ dataDir, port: 0, durable: false })).rejects.toThrow(
    'holds files but no PostgreSQL data',
  );
  expect(readdirSync(dataDir)).toEqual(['thesis.txt']);
});

test('a pid file whose pid belongs to another program now is no obstacle', async () => {
  const options = { dataDir: join(root, 'stale'), port: 0, durable: false };
  const first = await startEmbeddedPostgres(options);
  await first.stop();
  writeFileSync(join(options.dataDir, 'postmaster.pid'), `${process.pid}\n${options.dataDir}\n`);
  const second = await startEmbeddedPostgres(options);
  expect(second.pid).not.toBe(process.pid);
  await second.stop();
});

test('data of another major version is named with both versions and a way out, and left as it is', async () => {
  const dataDir = join(root, 'older');
  await (await startEmbeddedPostgres({ dataDir, port: 0, durable: false })).stop();
  writeFileSync(join(dataDir, 'PG_VERSION'), '12\n');
  const refused = startEmbeddedPostgres({ dataDir, port: 0, durable: false });
  await expect(refused).rejects.toThrow(
    /older was made by PostgreSQL 12, and the embedded one is postgres \(PostgreSQL\) \d+.*pg_upgrade/s,
  );
  expect(existsSync(join(dataDir, 'base'))).toBe(true);
});

test('a setting that the server refuses shows the server’s own words', async () => {
  const options = { dataDir: join(root, 'refused'), port: 0, durable: false, settings: { shared_buffers: 'plenty' } };
  await expect(startEmbeddedPostgres(options)).rejects.toThrow(/did not start[^]*shared_buffers/);
});

test.runIf(process.getuid?.() === 0)(
  'below a folder that only root may enter it runs, not as root, or else says which folder that is',
  async () => {
    const closed = join(root, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const dataDir = join(closed, 'data');
    const outcome = await startEmbeddedPostgres({ dataDir, port: 0, durable: false }).catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome.message).toContain(`chmod o+x ${closed}`);
      expect(existsSync(dataDir)).toBe(false);
      return;
    }
    const server = startedServer(outcome);
    expect(await query(server, 'select 1')).toEqual([[1]]);
    expect(statSync(`/proc/${server.pid}`).uid).not.toBe(0);
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
  },
);

function startedServer(outcome: unknown): EmbeddedPostgres {
  return outcome as EmbeddedPostgres;
}

test('a stopped server leaves no process and no open port', async () => {
  const server = await startEmbeddedPostgres({ dataDir: join(root, 'stopped'), port: 0, durable: false });
  const { pid, port } = server;
  await server.stop();
  expect(isAlive(pid)).toBe(false);
  const refused = new Promise((resolve) => connect(port, '127.0.0.1').on('error', (error) => resolve(error.message)));
  expect(await refused).toContain('ECONNREFUSED');
});
