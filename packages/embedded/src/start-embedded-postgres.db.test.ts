// Risk: the one-command start hangs, loses data, opens the database to other users, or leaves a server running.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, temporaryRoot } from '../test/servers.ts';
import { isAlive } from './live-postmaster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';

const root = temporaryRoot();

describe('a running server', () => {
  let server: EmbeddedPostgres;
  const lines: string[] = [];

  beforeAll(async () => {
    const options = { dataDir: join(root, 'running'), port: 0, durable: true, settings: { work_mem: '5MB' } };
    server = await startEmbeddedPostgres({ ...options, log: (line) => lines.push(line) });
  });

  afterAll(() => server.stop());

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

  test('rejects a second server on the same folder and names the first', async () => {
    const second = startEmbeddedPostgres({ dataDir: join(root, 'running'), port: 0, durable: true, lockGraceMs: 0 });
    await expect(second).rejects.toThrow(`pid ${server.pid} already runs on`);
  });

  test('says which port is taken', async () => {
    const second = startEmbeddedPostgres({ dataDir: join(root, 'taken'), port: server.port, durable: false });
    await expect(second).rejects.toThrow(`Port ${server.port} on 127.0.0.1 is taken`);
  });
});

describe('a folder that was used before', () => {
  const options = { dataDir: '', port: 0, durable: false };

  beforeAll(() => {
    options.dataDir = join(root, 'used');
  });

  test('what a killed process left half-made beside it is removed and never used', async () => {
    mkdirSync(`${options.dataDir}.initialising-999999999`);
    writeFileSync(join(`${options.dataDir}.initialising-999999999`, 'PG_VERSION'), '18');
    const { stop } = await startEmbeddedPostgres(options);
    expect(readdirSync(root).filter((name) => name.startsWith('used'))).toEqual(['used']);
    await stop();
  });

  test('a pid file whose pid belongs to another program is no obstacle, and a stop leaves no process and no open port', async () => {
    writeFileSync(join(options.dataDir, 'postmaster.pid'), `${process.pid}\n${options.dataDir}\n`);
    const { pid, port, stop } = await startEmbeddedPostgres(options);
    expect(pid).not.toBe(process.pid);
    await stop();
    expect(isAlive(pid)).toBe(false);
    const rejected = new Promise((resolve) =>
      connect(port, '127.0.0.1').on('error', (error) => resolve(error.message)),
    );
    expect(await rejected).toContain('ECONNREFUSED');
  });

  test('data of another major version is named with both versions and a way out, and left as it is', async () => {
    writeFileSync(join(options.dataDir, 'PG_VERSION'), '12\n');
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(
      /used was made by PostgreSQL 12, and the embedded one is postgres \(PostgreSQL\) \d+.*pg_upgrade/s,
    );
    expect(existsSync(join(options.dataDir, 'base'))).toBe(true);
  });
});

test('a folder with other files is rejected and left alone', async () => {
  const dataDir = join(root, 'foreign');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'thesis.txt'), 'irreplaceable');
  await expect(startEmbeddedPostgres({ dataDir, port: 0, durable: false })).rejects.toThrow(
    'holds files but no PostgreSQL data',
  );
  expect(readdirSync(dataDir)).toEqual(['thesis.txt']);
});

test('a setting that the server rejects shows the server’s own words', async () => {
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
